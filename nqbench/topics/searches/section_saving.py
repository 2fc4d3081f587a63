"""What pruning and symmetry save, and the parameters of an algorithm."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis import interval, typical
from nqbench.analysis.frames import measured
from nqbench.analysis.solvers import varied
from nqbench.records.record import PLAIN_SEARCH
from nqbench.report import style
from nqbench.report.drawings import Choice, by_size, named, own
from nqbench.report.formats import TIMES
from nqbench.report.frames import Frames, at_largest_common, by_solver, origin_of, taken_of_timings
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.search.estimates import Quantity
from nqbench.search.refusals import RULES
from nqbench.util.text import format_float, format_justified


def make_pruning(frames: Frames) -> Part:
    """Return the gains of the run that is closest to pruning.

    saved: the gains at n, most nodes first; costly: the algorithms that save nodes and lose time;
    best: the largest gain of nodes on a board that is too large to search, None without estimates;
    run, here: the origin of these; rules: what the rules of each search do on its largest board.
    """
    run, trees = frames.pruning, measured(frames.records, "tree")
    estimated = analysis.estimated_gains(trees)
    drawn = pd.concat([run.gains, estimated]) if len(estimated) else run.gains
    common, ruled = at_largest_common(run.gains), rules(run.run)
    n = int(common["n"].iloc[0])
    saved = common.sort_values("nodes", ascending=False, kind="stable")
    slower = saved[(saved["nodes"] > 1) & (saved["verdict"] == "slower")]["algorithm"].unique()
    costly = [name for name in slower if not frames.descriptions[name].uses_symmetry]
    return Part(
        Facts(n=n, costly=costly, taken=run.taken,
              best=estimated.sort_values(["nodes", "time"]).iloc[-1] if len(estimated) else None,
              **(origin_of(trees, frames) if len(trees) else {}),
              rules=ruled[ruled["n"] == ruled.groupby("algorithm")["n"].transform("max")],
              saved=saved.drop(columns="n").dropna(axis="columns", how="all")),
        {"gains": run.gains, "estimated_gains": estimated, "rules": ruled},
        {"gains": by_size(partial(savings, drawn, "the plain tree", costly[:1]),
                          drawn["n"].unique(), n)},
        pd.concat([run.run, trees]) if len(trees) else run.run,
        claim(pruning_finding(saved[saved["algorithm"].isin(costly[:1])]), n=n,
              processes=run.taken.processes))


def pruning_finding(costly: pd.DataFrame) -> str:
    """Return what the search that saves nodes and loses time does; empty without one."""
    return "".join(
        f"{row['algorithm']} has {format_float(row['nodes'])} times fewer nodes, but takes "
        f"{format_justified(1 / row['time'], 1 / row['high'], 1 / row['low'])} times as long"
        for row in costly.head(1).to_dict("records"))


def rules(records: pd.DataFrame) -> pd.DataFrame:
    """Return what the rules of each search refuse, save and take: algorithm, n, rule, level,
    refused, nodes_saved, and times_as_long: the time of the search with the rule over that without
    it, for all levels; both with their 95 % intervals.
    """
    rows = []
    for record in records[records["metric"] == RULES].to_dict("records"):
        for row in record["samples"][0]:
            level = "all" if row["level"] is None else row["level"]
            saved, cost = row["nodes_saved"], row.get("cost")
            rows.append((record["algorithm"], record["n"], row["rule"], level, row["refused"],
                         *((saved, *Quantity(saved, row["nodes_saved_error"]).interval)
                           if saved is not None else (None,) * 3),
                         *((typical(cost), *interval(cost)) if cost else (None,) * 3)))
    return pd.DataFrame(rows, columns=[
        "algorithm", "n", "rule", "level", "refused", "nodes_saved", "nodes_saved_low",
        "nodes_saved_high", "times_as_long", "times_as_long_low", "times_as_long_high"])


def make_levels(frames: Frames) -> Part | None:
    """Return where the trees of the run that is closest to pruning are cut; None if their levels
    were not counted.

    level: the level of the plain tree with the most nodes at n, which are `share` of all.
    """
    run = frames.pruning
    survival = analysis.survival(analysis.profiles(run.run))
    plain = survival[survival["algorithm"] == PLAIN_SEARCH]
    if plain.empty:
        return None
    n = int(plain[plain["n"].isin(run.gains["n"])]["n"].max())
    levels = plain[plain["n"] == n].drop_duplicates("level").sort_values("nodes", kind="stable")
    widest, nodes = levels.iloc[-1], levels["nodes"].sum()
    return Part(
        Facts(n=n, level=widest["level"], nodes=widest["nodes"],
              share=float(widest["nodes"] / nodes)), {"survival": survival},
        {"profiles": by_size(
            partial(profile_curves, survival), {*plain["n"]} & {*run.gains["n"]}, n)}, run.run,
        claim(f"The tree of {n} queens is widest at level {widest['level']}", n=n, processes=None))


MIRROR = "mirror"
HALVED = 1.9, 2.1  # times as many nodes without the mirror
# Ways to use the symmetry of the board, each in Python, and the algorithms that use them.
SYMMETRIES = {
    "none": "bitmask", "mirror, even n only": "bitmask_even_mirror", MIRROR: "somers",
    "all eight, compared at the leaf": "canonical", "all eight, by the cross": "cross",
}


def make_symmetry(frames: Frames) -> Part | None:
    """Return the gains of the run that is closest to symmetry; None if none in Python uses any.

    saved: the gains at n; best: the use of symmetry with the fewest nodes there; loses: the largest
    n at which it is slower than none, None if there is none; mirror: the gain of the mirror, None
    if it was not measured; halved: whether it halves the nodes.
    """
    found = symmetry(frames.symmetry.gains)
    if not (found["symmetry"] != "none").any():
        return None
    even = found[found["n"] % 2 == 0]  # every use of symmetry has a row
    common = at_largest_common(even if len(even) else found)
    n, best = int(common["n"].iloc[0]), common.sort_values("nodes", kind="stable").iloc[-1]
    slower = found[(found["algorithm"] == best["algorithm"]) & (found["verdict"] == "slower")]
    mirror = common[common["symmetry"] == MIRROR]
    made = Facts(n=n, saved=common.drop(columns="n"), best=best, taken=frames.symmetry.taken,
                 mirror=mirror.iloc[0] if len(mirror) else None,
                 halved=bool(mirror["nodes"].between(*HALVED).all()),
                 loses=int(slower["n"].max()) if len(slower) else None)
    return Part(made, {"symmetry": found}, {"symmetry": by_size(
                    partial(savings, found, "none", [best["algorithm"]]), found["n"].unique(), n)},
                frames.symmetry.run, claim(symmetry_finding(best), n=n,
                                           processes=made.taken.processes))


def symmetry_finding(best: "pd.Series[Any]") -> str:
    """Return the saving of the use of symmetry with the fewest nodes; empty if it is not
    significantly faster, or saves as much time as nodes.
    """
    if best["verdict"] != "faster" or best["high"] >= best["nodes"]:
        return ""
    times = format_justified(best["time"], best["low"], best["high"])
    return (f"{best['algorithm']} has {format_float(best['nodes'])} times fewer nodes, but is only "
            f"{times} times as fast")


def symmetry(gains: pd.DataFrame) -> pd.DataFrame:
    """Return the gain of each use of symmetry compared with none: symmetry, algorithm, n, nodes,
    time, low, high, verdict, as in `nqbench.analysis.gains`.
    """
    in_python = gains[gains["implementation"] == "python"]
    found = [in_python[in_python["algorithm"] == name].assign(symmetry=what)
             for what, name in SYMMETRIES.items()]
    return pd.concat(found)[["symmetry", "algorithm", "n", "nodes", "time", "low", "high",
                             "verdict"]]


def savings(gains: pd.DataFrame, over: str, marked: list[str], n: int,
            width: float = style.WIDE) -> Figure:
    """Draw for one n how many times smaller each tree is, and how many times faster each search is,
    than the plain one in Python, with the interval of the time: of each use of symmetry, or else of
    each solver. Both are written beside those of the `marked` algorithms.
    """
    rows = gains[gains["n"] == n].sort_values("nodes", ascending=False, kind="stable")
    estimated = "nodes_low" in rows and bool(rows["nodes_low"].notna().all())
    solvers, names = style.solvers(
        rows if "implementation" in rows else rows.assign(implementation="python"))
    labels = list(rows.get("symmetry", solvers))
    with style.rows_of_dots(width, labels, names=names, more=1) as (made, (axes,)):
        for name, colour, marker in (("nodes", style.BLUE, "o"), ("time", style.ORANGE, "s")):
            ends = ["low", "high"] if name == "time" else ["nodes_low", "nodes_high"] * estimated
            told = rows[["n", name, *ends]].rename(columns=lambda each: each.replace("nodes_", ""))
            style.dots(axes, told, name, labels, colour, names, marker, name, texts=[
                format_float(each) if own in marked else "" for each, own in zip(
                    rows[name], rows["algorithm"], strict=True)], units={"nodes": TIMES})
        axes.set_title(f"Compared with {over}, n = {n}{', estimated' * estimated}")
        style.ratios(axes, "more nodes, slower", "fewer nodes, faster")
        style.legend(axes)
    return made


def profile_curves(survival: pd.DataFrame, n: int, width: float = style.WIDE) -> Figure:
    """Draw for one n the nodes by level, with a line for each tree."""
    wide = survival[survival["n"] == n].pivot_table(
        index="algorithm", columns="level", values="nodes", aggfunc="first", sort=False)
    with style.figure(width, 4.0) as (made, (axes,)):
        ends = []
        for tree, members in wide.groupby([*wide], sort=False, dropna=False):
            shown = pd.DataFrame({"n": n, "level": [*wide], "nodes": tree}).dropna()
            shown = shown[shown["nodes"] > 0].astype(int)
            same = sorted(map(str, members.index), key=lambda name: name != PLAIN_SEARCH)
            ends.append(style.line(axes, map(named, same), style.short(same),
                                   style.look_of(same[0]), shown, "level", "nodes"))
            if PLAIN_SEARCH in same:
                top = shown.sort_values("nodes", kind="stable").iloc[-1]
                axes.annotate(f"level {top['level']}: {top['nodes']:,} nodes",
                              (top["level"], top["nodes"]), (0, 6), textcoords="offset points",
                              ha="center")
        axes.margins(y=0.15)
        axes.set(xlabel="queens placed", yscale="log", title=f"Nodes by level, n = {n}")
        style.label_lines(axes, ends)
    return made


LOOKS = (("nodes", "nodes", style.BLUE, "o"), ("seconds", "time", style.ORANGE, "s"))
MOST_TERMS = 20  # terms of a kind in a plot; the table has all


def make_effects(frames: Frames) -> Part:
    """Return the effects in the newest run that varied parameters.

    solvers: the algorithms that it varied; nodes, times: the effects, those on nodes at the first
    and the last n; sizes: these n; estimated: whether the trees of the last are; taken: the
    samples, None without times; most: the effects of a kind in the plot.
    """
    found, run = frames.of(analysis.effects), frames.of(varied)
    by_size = frames.of(analysis.effects_by_size)
    timings = analysis.timings(run)
    samples = taken_of_timings(timings) if len(timings) else None
    groups = {style.solver(*key): rows for key, rows in by_solver(found)}
    sizes = int(found["first_n"].min()), int(found["last_n"].max())
    return Part(
        Facts(solvers=[*groups], nodes=over_sizes(by_size), times=shown(found, "seconds"),
              most=MOST_TERMS, sizes=sizes, taken=samples,
              estimated=bool(by_size[by_size["n"] == sizes[1]]["low"].notna().any())),
        {"effects": found, "effects_by_size": by_size},
        {"effects": Choice("Algorithm", {name: partial(draw_effects, rows, name)
                                         for name, rows in groups.items()}, next(iter(groups)))},
        run, claim(effects_finding(found), n=None,
                   processes=samples.processes if samples else None))


def over_sizes(by_size: pd.DataFrame) -> pd.DataFrame:
    """Return each effect on the nodes at the smallest n, as `at_first_n`, and at the largest one,
    with its interval.
    """
    words = ["algorithm", "implementation", "term", "against"]
    first = by_size.groupby(words, sort=False)[["n", "factor"]].first()
    last = by_size.groupby(words, sort=False).last().drop(columns=["kind"])
    return last.assign(first_n=first["n"], at_first_n=first["factor"]).rename(
        columns={"n": "last_n", "factor": "at_last_n"}).reset_index()[[
            *words, "first_n", "at_first_n", "last_n", "at_last_n", "low", "high", "per_queen"]
        ].dropna(axis="columns", how="all")


def shown(found: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the effects on a metric as the page shows them: of nodes, no interval but a range."""
    rows = found[found["metric"] == metric].drop(columns=["metric", "first_n", "last_n"])
    return rows.rename(columns={"low": "least", "high": "greatest"} if metric == "nodes" else {})


def effects_finding(found: pd.DataFrame) -> str:
    """Return the value of a parameter that saves the most time; empty if none surely saves any."""
    sure = found[(found["metric"] == "seconds") & (found["kind"] == "effect") & (found["high"] < 1)]
    if sure.empty:
        return ""
    best = sure.sort_values("factor", kind="stable").iloc[0]
    return (f"{best['term']} saves the most: it takes "
            f"{format_justified(*best[['factor', 'low', 'high']])} times as long as "
            f"{best['against']}")


def draw_effects(found: pd.DataFrame, name: str, width: float = style.WIDE) -> Figure:
    """Draw the effects, and beside them the interactions, of the parameters of an algorithm: those
    that are the farthest from 1.
    """
    far = np.log(found["factor"]).abs().groupby([found["kind"], found["term"]]).max()
    kept = far.sort_values(ascending=False, kind="stable").groupby("kind").head(MOST_TERMS).index
    panels = [rows[rows["term"].isin(kept.get_level_values("term"))]
              for _, rows in found.groupby("kind")]
    most = max(rows["term"].nunique() for rows in panels)
    with style.figure(width, 0.4 * most + 1.3, len(panels), 1, sharex=True) as (made, drawn):
        for axes, rows in zip(drawn, panels, strict=True):
            _draw_panel(axes, rows)
            axes.tick_params("x", labelbottom=True)
        drawn[0].set_title(f"Effects, {name}; time: {style.INTERVAL}, nodes: range over n")
        for axes in drawn[1:]:
            axes.set_title("Interactions: times the effect without the other")
        style.legend(drawn[0])
    return made


def _draw_panel(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw the effects of one kind, a line for each term."""
    labels = {row["term"]: f"{row['term']}\nagainst {row['against']}" if row["kind"] == "effect"
              else row["term"].replace(",", "\nand ") for row in rows.to_dict("records")}
    for metric, kind, colour, marker in LOOKS:
        found = rows[rows["metric"] == metric].set_index("term").reindex([*labels])
        if found["factor"].notna().any():
            style.dots(axes, found, "factor", list(labels), colour, list(map(own, labels)), marker,
                       kind, told=shown(found, metric).drop(
                           columns=["algorithm", "implementation", "kind"]))
    style.ratios(axes, "fewer nodes, faster", "more nodes, slower")
    style.name_rows(axes, list(labels.values()), list(map(own, labels)))


SECTIONS = (
    Section("pruning", "Pruning", 80, make_pruning, requires=("pruning",), names_run=True,
            chapter="What pruning saves"),
    Section("levels", "Levels", 81, make_levels, requires=("pruning",)),
    Section("effects", "Parameters", 82, make_effects, requires=(analysis.effects,),
            names_run=True),
    Section("symmetry", "Symmetry", 90, make_symmetry, requires=("symmetry",), names_run=True,
            chapter="What symmetry saves"),
)
