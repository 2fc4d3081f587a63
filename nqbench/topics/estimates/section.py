"""Trees that are too large to search, by estimates from random probes; exact trees, and first
solutions.
"""

from functools import partial
from math import copysign, inf

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.frames import measured, most_sampled
from nqbench.problems.published import published
from nqbench.problems.published.computed import CORNER, FIRST_SOLUTIONS, Profile, profiles
from nqbench.report import style
from nqbench.report.drawings import own, series, tell
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Facts, Part, Section, claim
from nqbench.search.estimates import ENOUGH_SOLUTIONS, STRATIFIED_RUNS, Quantity

QUANTITIES = {"nodes": "A319283", "solutions": "A000170"}


def _most_probes(records: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates with the most probes for each method and n, the newest of equals.

    They depend only on method, n, probes and seed, not on the machine. Those of the compiled probes
    of old, which do not say how far their intervals reach, are left out.
    """
    found = measured(records, "estimate")
    found = found[found["samples"].map(lambda samples: "reach" in samples[0]).astype(bool)]
    return most_sampled(found, ["method", "n"], "probes").sort_values(["n", "method"])


def _errors(distance: float, error: float) -> float:
    """Return a distance in standard errors.

    >>> _errors(-3.0, 2.0), _errors(0.0, 0.0), _errors(-1.0, 0.0)
    (-1.5, 0.0, -inf)
    """
    return distance / error if error else copysign(inf, distance) if distance else 0.0


def estimates(records: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates: quantity (nodes, solutions), n, method, probes, seed, reached (runs
    that came to a solution), mean, error (the standard error), low, high (95 % interval), known
    (the published value, else missing) and off (mean - known, in standard errors).
    """
    rows = []
    for record in _most_probes(records).to_dict("records"):
        (sample,) = record["samples"]
        n, reach = record["n"], sample["reach"]
        for name, (mean, error) in (("nodes", sample["nodes"]),
                                    ("solutions", sample["levels"][-1])):
            x = Quantity(mean, error, reach)
            known = published(QUANTITIES[name]).get(n)
            off = None if known is None else _errors(x.mean - known, x.error)
            rows.append((name, n, record["method"], record["probes"], record["seed"],
                         sample["reached"], x.mean, x.error, *x.interval, known, off))
    found = pd.DataFrame(rows, columns=["quantity", "n", "method", "probes", "seed", "reached",
                                        "mean", "error", "low", "high", "known", "off"],
                         dtype=object)
    measured = dict.fromkeys(["mean", "error", "low", "high", "off"], float)
    return found.astype({"n": int, **measured}).sort_values(
        "quantity", kind="stable").reset_index(drop=True)


def make_estimates(frames: Frames) -> Part:
    """Return the estimates of trees whose size is published, and all others as a table.

    knuth, stratified: the most probes by each method, None without any; shown, largest: a part of
    the estimates by Knuth's method, and the last one; intervals, covered, farthest: the number of
    known values, of those that the intervals contain, and the largest distance in standard errors.
    """
    found = frames.of(estimates)
    figures = {"estimates": partial(draw_estimates, found)} if found["known"].notna().any() else {}
    knuth, known = found[found["method"] == "knuth"], found[found["off"].notna()]
    probes = found.groupby("method")["probes"].max().to_dict()
    made = Facts(
        knuth=probes.get("knuth"), stratified=probes.get("stratified"),
        shown=knuth[knuth["n"] % 4 == 0].drop(columns=["method", "seed"]),
        largest=knuth.sort_values("n").iloc[-1] if len(knuth) else None,
        intervals=len(known),
        covered=int(((known["low"] <= known["known"]) & (known["known"] <= known["high"])).sum()),
        farthest=float(known["off"].abs().max()) if len(known) else 0.0)
    return Part(made, {"estimates": found}, figures,
                frames.records[frames.records["metric"] == "estimate"], claim(
        f"{made.covered} of the {made.intervals} intervals contain the known value; "
        f"{round(0.95 * made.intervals)} are expected" if made.intervals else "",
        n=found["n"].max(), processes=None))


METHOD = {"knuth": (style.BLUE, "o", "Knuth's probes"),
          "stratified": (style.ORANGE, "s", "stratified, Chen")}


def draw_estimates(found: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw estimates divided by the published values, with 95 % intervals; markers are hollow if
    few probes reached a solution.
    """
    known = found[found["known"].notna()]
    shown = [name for name in ("nodes", "solutions") if name in set(known["quantity"])]
    with style.figure(width, 3.0, len(shown)) as (made, panels):
        for axes, quantity in zip(panels, shown, strict=True):
            axes.axhline(1, color="#8a8a8a", linewidth=0.8)
            for shift, (method, (colour, marker, name)) in zip((-0.15, 0.15), METHOD.items(),
                                                               strict=True):
                rows = known[(known["quantity"] == quantity) & (known["method"] == method)]
                truth = rows["known"].astype(float)
                enough = ENOUGH_SOLUTIONS if method == "knuth" else STRATIFIED_RUNS
                few = (rows["reached"] < enough) & (quantity == "solutions")
                with series(axes, method):
                    axes.vlines(rows["n"] + shift, rows["low"] / truth, rows["high"] / truth,
                                color=colour, linewidth=1)
                    for chosen, face, label in ((rows[~few], colour, name),
                                                (rows[few], "none", f"{name}, few came to one")):
                        if len(chosen):
                            axes.plot(chosen["n"] + shift, chosen["mean"] / truth[chosen.index],
                                      marker, color=colour, markerfacecolor=face, label=label)
                            tell(axes, label, chosen[["n", "probes", "mean", "low", "high",
                                                      "known", "off"]], chosen["n"] + shift,
                                 chosen["mean"] / truth[chosen.index])
            axes.set_title(f"{quantity.capitalize()}, over the known value")
            style.sizes(axes, known["n"])
        style.legend(panels[-1])
    return made


FIRST_N = 4  # the trees of smaller boards are too small
NAMED_N = 9  # smaller trees have no room for a name
SMALL_N = 8  # the tree that the largest is compared with


def make_exact_trees(frames: Frames) -> Part:
    """Return the exact trees.

    largest, small: the largest exact tree, and one that it is compared with; new: the n whose trees
    are not published elsewhere as far as is known; growth: of the nodes, up to these two;
    unconfirmed: the trees that one search alone has counted.
    """
    trees = {n: tree for n, tree in profiles().items() if n >= FIRST_N}
    small, largest = trees[SMALL_N], trees[max(trees)]
    unconfirmed = [tree for tree in trees.values() if tree.counts and not tree.confirmed]
    return Part(
        Facts(largest=largest, small=small, unconfirmed=unconfirmed,
              new=[n for n, tree in trees.items() if not tree.published],
              growth=[tree.nodes / trees[tree.n - 1].nodes for tree in (small, largest)]),
        {"exact_trees": exact_trees(trees), "exact_levels": exact_levels(trees),
         "level_times": level_times(trees)},
        {"exact_levels": partial(draw_levels, trees)}, UNMEASURED,
        finding=claim(f"The tree of {largest.n} queens has {largest.nodes:,} nodes" + (
            ", by one search so far" if largest in unconfirmed else ""), n=largest.n,
            processes=None))


def make_first_solutions(frames: Frames) -> Part:
    """Return the first solutions, and what was tried before them.

    rows: what is known, by n; largest_counted: the largest n whose squares were counted;
    exceptions: the even n that take fewer squares than n + 1; corner_from: the n from which all
    begin with `CORNER`; best: where pruning saves most.
    """
    rows = {n: row for n, row in FIRST_SOLUTIONS.items() if n >= FIRST_N}
    exceptions = [n for n, row in rows.items() if n % 2 == 0 and n + 1 in rows and row.tried
                  and row.tried < (rows[n + 1].tried or 0)]
    counted = [row for row in rows.values() if row.placements is not None]
    other = max(n for n, row in rows.items() if (row.solution or [])[:5] != CORNER)
    best = max(counted, key=lambda row: (row.placements or 0) / row.nodes)
    found = first_solutions()
    return Part(
        Facts(rows=rows, largest_counted=max(row.n for row in counted), exceptions=exceptions,
              corner_from=min(n for n in rows if n > other), best=best),
        {"first_solutions": found, "first_columns": first_columns()},
        {"squares_tried": partial(squares_tried, found)}, UNMEASURED,
        claim(f"The first solution of {max(rows)} queens is found in {rows[max(rows)].nodes:,} "
              "nodes", n=max(rows), processes=None))


def exact_trees(trees: dict[int, Profile]) -> pd.DataFrame:
    """Return n, nodes, growth (nodes divided by those of n - 1), widest_level, over_n (widest level
    / n), widest_nodes, published (yes or no), counted_by, kernels.
    """
    return pd.DataFrame([{
        "n": n, "nodes": tree.nodes,
        "growth": tree.nodes / trees[n - 1].nodes if n - 1 in trees else None,
        "widest_level": tree.widest, "over_n": tree.widest / n,
        "widest_nodes": max(tree.levels),
        "published": "yes" if tree.published else "no",
        "counted_by": tree.counted_by, "kernels": ", ".join(tree.kernels),
    } for n, tree in trees.items()])


def exact_levels(trees: dict[int, Profile]) -> pd.DataFrame:
    """Return each level: n, level, nodes, children (the mean of those of a node)."""
    return pd.DataFrame([(n, level, nodes, tree.children(n - level) if level < n else 0.0)
                         for n, tree in trees.items() for level, nodes in enumerate(tree.levels)],
                        columns=["n", "level", "nodes", "children"])


def level_times(trees: dict[int, Profile]) -> pd.DataFrame:
    """Return the counts whose times were recorded: n, rows, kernel, core_seconds,
    nodes_per_second.
    """
    return pd.DataFrame([(n, count.rows, count.kernel, count.core_seconds,
                          tree.nodes / count.core_seconds)
                         for n, tree in trees.items() for count in tree.counts
                         if count.core_seconds is not None],
                        columns=["n", "rows", "kernel", "core_seconds", "nodes_per_second"])


def first_solutions() -> pd.DataFrame:
    """Return n, squares_tried, placements (without completion), nodes and rejected prefixes of the
    pruned search, ratio (placements / nodes), known_from (who published the solution first),
    checked_by.
    """
    return pd.DataFrame([{
        "n": n, "squares_tried": row.tried, "placements": row.placements, "nodes": row.nodes,
        "rejected": row.rejected,
        "ratio": None if row.placements is None else row.placements / row.nodes,
        "known_from": row.known_from, "checked_by": ", ".join(row.found_by[1:]),
    } for n, row in FIRST_SOLUTIONS.items()],
        dtype=object).astype({"n": int, "nodes": int, "rejected": int, "ratio": float})


def first_columns() -> pd.DataFrame:
    """Return n and the columns of the first solution, from 1."""
    return pd.DataFrame([(n, " ".join(map(str, row.solution)))
                         for n, row in FIRST_SOLUTIONS.items() if row.solution],
                        columns=["n", "columns"])


PARITY = {0: (style.ORANGE, "s", "squares, even n"), 1: (style.GREY, "o", "squares, odd n")}


def squares_tried(found: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the squares that the plain search tries before the first solution, even and odd n apart,
    and the nodes of the pruned search.
    """
    rows = found[found["n"] >= FIRST_N]
    known = rows[rows["squares_tried"].notna()]
    with style.figure(width, 3.8) as (made, (axes,)):
        ends = [style.line(axes, [own(label)], label, (colour, marker, "-"),
                     known.loc[known["n"] % 2 == parity, ["n", "squares_tried"]], "n",
                     "squares_tried") for parity, (colour, marker, label) in PARITY.items()]
        ends.append(style.line(axes, [own("nodes")], f"nodes: {rows['nodes'].iloc[-1]:,}",
                         (style.BLUE, ".", "-"), rows[["n", "nodes"]], "n", "nodes"))
        axes.set(title="Squares that the plain search tries, and nodes of the pruned search",
                 xlabel="n", yscale="log")
        style.label_lines(axes, ends)
    return made


def draw_levels(trees: dict[int, Profile], width: float = style.WIDE) -> Figure:
    """Draw the nodes by level of the exact trees, that of each fourth n with its name."""
    with style.figure(width, 3.8) as (made, (axes,)):
        ends, largest = [], max(trees)
        for n, tree in trees.items():
            named = n >= NAMED_N and (largest - n) % (8 if style.is_narrow(axes) else 4) == 0
            label = f"{n} queens" if named else f"_{n}"
            rows = pd.DataFrame({"n": n, "level": range(n + 1), "nodes": tree.levels})
            colour = style.BLUE if n == largest else "#595959" if named else "#b0b0b0"
            style.line(axes, [own(label)], label, (colour, "", "-"), rows, "level", "nodes",
                 told=rows.astype(object))
            if named:
                at = tree.widest if n == largest else n  # below the end of a line is nothing
                ends.append((at, tree.levels[at], label, colour))
        axes.set(title="Nodes by level", xlabel="queens placed", yscale="log")
        for x, y, label, colour in ends:
            above = x < largest and colour == style.BLUE
            axes.annotate(label, (x, y), (0, 4 if above else -3), textcoords="offset points",
                          ha="right" if above else "left", va="bottom" if above else "top",
                          color=colour)
    return made


SECTIONS = (
    Section("estimates", "Estimates", 160, make_estimates, requires=(estimates,),
            chapter="Beyond one machine"),
    Section("exact_trees", "Exact trees", 165, make_exact_trees, named=False),
    Section("first_solutions", "First solutions", 166, make_first_solutions, named=False),
)
