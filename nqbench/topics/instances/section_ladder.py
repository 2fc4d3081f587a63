"""The ladder of pruning: which search visits a part of the tree of which, what that costs, and what
grows with n.
"""

from collections.abc import Callable, Iterable, Mapping
from math import inf, log
from statistics import fmean

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis.frames import measured, newest_run
from nqbench.analysis.uncertainty import ratio, typical
from nqbench.problems import queens
from nqbench.problems.instances import catalogue
from nqbench.problems.published import published
from nqbench.problems.published.computed import profiles
from nqbench.report.drawings import tell
from nqbench.report.frames import Frames, origin_of
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.report.style import figure
from nqbench.util.text import format_float

SIMKIN = 1.942  # of the number of solutions, ((1 + o(1)) n e^-1.942)^n: Simkin 2022
FIRST_N = 6  # of the nodes for each solution


def of_ladder(records: pd.DataFrame, machine: str) -> pd.DataFrame:
    """Return the records of the newest run of the ladder, of this machine if it has one."""
    return newest_run(records[records["metric"] == "ladder"], machine=machine)


def ladder(records: pd.DataFrame, machine: str = "") -> pd.DataFrame:
    """Return the newest run of the ladder, of this machine if it has one: n, algorithm, nodes,
    tests, seconds, samples, within, and the counters that not all have.
    """
    run = measured(of_ladder(records, machine), "ladder").reset_index(drop=True)
    if run.empty:
        return run
    counted = pd.DataFrame(run["counters"].tolist()).drop(
        columns=["comparisons", "exhaustions"], errors="ignore")
    return pd.concat([run[["n", "algorithm"]].astype({"n": int}), counted,
                      run["samples"].map(typical).rename("seconds"),
                      run.reindex(columns=["samples", "within"])], axis=1)


def make_ladder(frames: Frames) -> Part:
    """Return the ladder at its largest n.

    n: that n; edges: the table of edges; many: the samples of a search; run, here: their origin.
    """
    found = frames.here(ladder)
    at_n = found[found["n"] == found["n"].max()].set_index("algorithm")
    edges = compare_edges(at_n)
    smaller = edges[edges["fewer_nodes"] > 1]
    costly = int((smaller["times_as_long_low"] > 1).sum())
    n = int(found["n"].max())
    records = frames.here(of_ladder)
    return Part(
        Facts(n=n, edges=edges, many=len(at_n["samples"].iloc[0]), **origin_of(records, frames)),
        {"ladder": found.drop(columns=["samples", "within"]), "ladder_edges": edges},
        {"lattice": lambda: lattice(edges, at_n)} if len(edges) else {},
        records, claim(f"{costly} of {len(smaller)} smaller trees take longer at n = {n}"
                       * bool(len(smaller)), n=n,
                       processes=len(at_n["samples"].iloc[0])))


def compare_edges(at_n: pd.DataFrame) -> pd.DataFrame:
    """Return for each search and one that visits all its nodes: smaller, larger, why, fewer_nodes,
    times_as_long (the time of the smaller tree over that of the larger one), its interval.
    """
    rows, nodes, samples = [], at_n["nodes"].to_dict(), at_n["samples"].to_dict()
    for smaller, own in at_n["within"].items():
        for larger, why in own if isinstance(own, list) else within(str(smaller)):
            if larger in at_n.index:
                times = ratio(samples[smaller], samples[larger])
                rows.append((smaller, larger, why, nodes[larger] / nodes[smaller],
                             *times[:3]))
    return pd.DataFrame(rows, columns=["smaller", "larger", "why", "fewer_nodes", "times_as_long",
                                       "times_as_long_low", "times_as_long_high"])


def within(name: str) -> Iterable[tuple[str, str]]:
    """Return the searches that visit all nodes of a search of the catalogue, with who says so."""
    return catalogue()[name].within if name in catalogue() else ()


def place(edges: Iterable[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Return where searches are drawn, across from 0 to 1 and down, given the pairs of a smaller
    and a larger tree: each below all that are larger, in the order of their middles. What goes
    round in a circle is drawn in one row.

    >>> place([("b", "a"), ("c", "a"), ("d", "c")])
    {'a': (0.5, 0), 'b': (0.25, 1), 'c': (0.75, 1), 'd': (0.5, 2)}
    >>> place([("b", "a"), ("a", "b")])
    {'a': (0.25, 0), 'b': (0.75, 0)}
    """
    above: dict[str, list[str]] = {larger: [] for _, larger in edges}
    for smaller, larger in edges:
        above.setdefault(smaller, []).append(larger)
    places: dict[str, tuple[float, float]] = {}
    while left := above.keys() - places.keys():
        ready = [name for name in left if places.keys() >= {*above[name]}] or left
        row = sorted((fmean([places[each][0] for each in above[name] if each in places] or [0.5]),
                      name) for name in ready)
        level = max((y for _, y in places.values()), default=-1) + 1
        places |= {name: ((at + 0.5) / len(row), level) for at, (_, name) in enumerate(row)}
    return places


def lattice(edges: pd.DataFrame, at_n: pd.DataFrame) -> Figure:
    """Draw each search above those that visit a part of its nodes, and on each edge how many times
    fewer these are and how many times as long they take.
    """
    places = place([*zip(edges["smaller"], edges["larger"], strict=True)])
    nodes = at_n["nodes"].astype(int).to_dict()
    with figure(10.4, 5.6) as (made, (axes,)):
        for row in edges.to_dict("records"):
            (x, y), (to_x, to_y) = places[row["smaller"]], places[row["larger"]]
            colour = ("#d55e00" if row["times_as_long_low"] > 1 else
                      "#0072b2" if row["times_as_long_high"] < 1 else "#6b6b6b")
            axes.plot([x, to_x], [-y, -to_y], color=colour, linewidth=1, zorder=1)
            axes.text(x + 0.4 * (to_x - x), -y - 0.45 * (to_y - y),
                      f"÷{format_float(row['fewer_nodes'])} nodes\n"
                      f"×{format_float(row['times_as_long'])} time", ha="center", va="center",
                      fontsize=8, color=colour, zorder=2,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
        for name, (x, y) in places.items():
            axes.text(x, -y, f"{name}\n{nodes[name]:,}", ha="center", va="center",
                      zorder=3, bbox={"facecolor": "#f4ead8", "edgecolor": "#8a8a8a"})
        shown = at_n.loc[[*places]].reset_index()
        tell(axes, [*shown["algorithm"]], shown[["nodes", "tests", "seconds"]],
             [x for x, _ in places.values()], [-y for _, y in places.values()])
        axes.set(xlim=(0, 1), ylim=(-0.4 - max(y for _, y in places.values()), 0.4))
        axes.set_axis_off()
    return made


def make_growth(frames: Frames) -> Part | None:
    """Return the nodes for each solution, and what each idea saves of them; None without estimates
    of large trees.

    rows: what is saved; per_solution: of the plain tree, by n; models: two fits of these from
    FITTED_N on, with the largest misfit, in percent, and their values at FAR_N; simkin: the
    constant of the solutions in the limit.
    """
    gains = frames.pruning.gains
    found = savings(gains[gains["implementation"] == "python"],
                    analysis.estimated_gains(frames.records))
    if found.empty:
        return None
    plain = per_solution()
    lines = {name: fit(plain, size) for name, size in MODELS.items()}
    models = pd.DataFrame([(name, misfit(plain, line), *map(line, FAR_N))
                           for name, line in lines.items()],
                          columns=["model", "misfit", *map(str, FAR_N)])
    n = int(plain["n"].iloc[-1])
    return Part(
        Facts(rows=found, plain=plain, models=models, simkin=SIMKIN, first=FITTED_N, far=FAR_N),
        {"nodes_for_each_solution": plain, "growth_models": models, "growths": found},
        {"growth": lambda: draw_growth(plain, lines, found)},
        frames.records[frames.records["metric"] == "tree"],
        claim("The plain tree has {:.0f} nodes for each solution at n = {}, and {:.0f} at n = {}"
              .format(plain.set_index("n")["nodes_for_each"][FITTED_N], FITTED_N,
                      plain["nodes_for_each"].iloc[-1], n), n=n, processes=None))


FITTED_N = 12  # of the fits; smaller n vary from one to the next
FAR_N = 27, 100
MODELS: dict[str, Callable[[float], float]] = {"a + b n": float, "a + b log n": log}
# A search that leaves out images alone keeps one of each orbit: it saves at most this factor.
IMAGES = {"bitmask_even_mirror": 2, "marks_mirror": 2, "somers": 2, "canonical": 8}


def per_solution() -> pd.DataFrame:
    """Return n, nodes and solutions of the plain tree, and the nodes for each solution."""
    solutions = published("A000170")
    return pd.DataFrame([(n, tree.nodes, solutions[n], tree.nodes / solutions[n])
                         for n, tree in profiles().items() if n >= FIRST_N],
                        columns=["n", "nodes", "solutions", "nodes_for_each"])


def fit(plain: pd.DataFrame, size: Callable[[float], float]) -> Callable[[float], float]:
    """Return the line through the nodes for each solution against a function of n, as a function
    of n, from FITTED_N on.

    >>> line = fit(per_solution(), float)
    >>> [round(line(n)) for n in FAR_N]
    [129, 460]
    """
    rows = plain[plain["n"] >= FITTED_N]
    slope, start = np.polyfit([size(n) for n in rows["n"]], rows["nodes_for_each"], 1)
    return lambda n: float(start + slope * size(n))


def misfit(plain: pd.DataFrame, line: Callable[[float], float]) -> float:
    """Return by how many percent a fit misses the nodes for each solution at most."""
    rows = plain[plain["n"] >= FITTED_N]
    return float((rows["n"].map(line) / rows["nodes_for_each"] - 1).abs().max() * 100)


def savings(gains: pd.DataFrame, estimated: pd.DataFrame) -> pd.DataFrame:
    """Return by algorithm: exact_n and to_n (the largest n of an exact tree, and of an estimated
    one), fewer_nodes and fewer_nodes_estimated there, with its 95 % interval, and most: what a
    search can save at to_n, the nodes for each solution, times the images that it leaves out.
    """
    bounds = per_solution().set_index("n")["nodes_for_each"]
    symmetric = {each.name for each in queens.catalogue().values() if each.uses_symmetry}
    rows = []
    for row in estimated.to_dict("records"):
        name, n = row["algorithm"], row["n"]
        own = gains[gains["algorithm"] == name].sort_values("n")
        if len(own):
            images = 8 if name in symmetric else 1
            most = IMAGES.get(name) or images * bounds.get(n, inf)
            rows.append((name, int(own["n"].iloc[-1]), float(own["nodes"].iloc[-1]), n,
                         row["nodes"], row["nodes_low"], row["nodes_high"], most))
    return pd.DataFrame(rows, columns=[
        "algorithm", "exact_n", "fewer_nodes", "to_n", "fewer_nodes_estimated", "low", "high",
        "most"])


def draw_growth(plain: pd.DataFrame, lines: Mapping[str, Callable[[float], float]],
                found: pd.DataFrame) -> Figure:
    """Draw the nodes for each solution of the plain tree against n, the fits, and those of other
    trees as far as they were estimated.
    """
    with figure(7.2, 3.6) as (made, (axes,)):
        sizes = np.arange(FITTED_N, plain["n"].max() + 7)
        for (name, line), style in zip(lines.items(), ("--", ":"), strict=True):
            values = [*map(line, sizes)]
            axes.plot(sizes, values, style, color="#8a8a8a", linewidth=1)
            axes.annotate(name, (sizes[-1], values[-1]), fontsize=8, xytext=(3, 0),
                          textcoords="offset points", va="center")
        axes.plot(plain["n"], plain["nodes_for_each"], "o-", color="#0072b2", markersize=4,
                  label="the plain tree, exact")
        tell(axes, "the plain tree", plain, "n", "nodes_for_each")
        known = plain.set_index("n")["nodes_for_each"]
        others = found[found["to_n"].isin(known.index)]
        at = others["to_n"], known[others["to_n"]].to_numpy() / others["fewer_nodes_estimated"]
        axes.plot(*at, "D", color="#d55e00", markersize=4, label="other trees, estimated")
        tell(axes, [*others["algorithm"]], others[["to_n", "fewer_nodes_estimated"]], *at)
        axes.set(title="Nodes for each solution", xlabel="n", ylim=(0, None))
        axes.legend(frameon=False, loc="upper left")
    return made


SECTIONS = (
    Section("ladder", "The ladder", 83, make_ladder, requires=(ladder,), timed=True),
    Section("growth", "Growth", 84, make_growth, requires=("pruning",), named=False),
)
