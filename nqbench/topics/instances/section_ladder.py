"""The ladder of pruning: which search visits a part of the tree of which, what that costs, and what
grows with n.
"""

from collections.abc import Callable
from functools import partial
from math import inf, log

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
from nqbench.report import style
from nqbench.report.frames import Frames, origin_of
from nqbench.report.sections import Facts, Part, Section, claim

SIMKIN = 1.944  # of the number of solutions, ((1 + o(1)) n e^-1.944)^n: Simkin 2023
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
        {"ladder": partial(draw_ladder, edges)} if len(edges) else {},
        records, claim(f"{costly} of {len(smaller)} smaller trees take longer at n = {n}"
                       * bool(len(smaller)), n=n,
                       processes=len(at_n["samples"].iloc[0])))


def compare_edges(at_n: pd.DataFrame) -> pd.DataFrame:
    """Return for each search and one that visits all its nodes: smaller, larger, why, fewer_nodes,
    times_as_long (the time of the smaller tree over that of the larger one), its interval.
    """
    rows, nodes, samples = [], at_n["nodes"].to_dict(), at_n["samples"].to_dict()
    for smaller, own in at_n["within"].items():
        known = catalogue()[str(smaller)].within if smaller in catalogue() else ()
        for larger, why in own if isinstance(own, list) else known:
            if larger in at_n.index:
                times = ratio(samples[smaller], samples[larger])
                rows.append((smaller, larger, why, nodes[larger] / nodes[smaller],
                             *times[:3]))
    return pd.DataFrame(rows, columns=["smaller", "larger", "why", "fewer_nodes", "times_as_long",
                                       "times_as_long_low", "times_as_long_high"])


def draw_ladder(edges: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw how many times fewer nodes each search has than one that visits all its nodes, and how
    many times as long it takes.
    """
    rows = edges.sort_values("times_as_long", kind="stable")
    labels = [f"{smaller}, in {larger}" for smaller, larger in zip(
        rows["smaller"], rows["larger"], strict=True)]
    times = rows.rename(columns={"times_as_long_low": "low", "times_as_long_high": "high"})
    colours = list(np.select([times["low"] > 1, times["high"] < 1], [style.ORANGE, style.BLUE],
                             style.GREY))
    told = rows.drop(columns=["smaller", "larger", "why"])
    with style.rows_of_dots(width, labels, more=1) as (made, (axes,)):
        style.dots(axes, times, "times_as_long", labels, colours, told=told)
        style.dots(axes, rows, "fewer_nodes", labels, "#1b1b1b", marker="s",
                   kind="times fewer nodes", told=told)
        style.ratios(axes, "less time", "longer, or fewer nodes")
        axes.set_title("Time and nodes, over the larger tree")
        style.legend(axes)
    return made


def make_growth(frames: Frames) -> Part | None:
    """Return the nodes for each solution, and what each idea saves of them; None without estimates
    of large trees.

    rows: what is saved; models: two fits of the nodes for each solution of the plain tree from
    FITTED_N on, with the largest misfit, in percent, and their values at FAR_N; simkin: the
    constant of the solutions in the limit.
    """
    gains = frames.pruning.gains
    found = savings(gains[gains["implementation"] == "python"],
                    analysis.estimated_gains(frames.records))
    if found.empty:
        return None
    plain = per_solution()
    models = pd.DataFrame([(name, misfit, *map(line, FAR_N)) for name, (line, misfit) in (
        (name, fit(plain, size)) for name, size in MODELS.items())],
        columns=["model", "misfit", *map(str, FAR_N)])
    return Part(
        Facts(rows=found, models=models, simkin=SIMKIN, first=FITTED_N, far=FAR_N),
        {"nodes_for_each_solution": plain, "growth_models": models, "growths": found},
        records=measured(frames.records, "tree"))


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


def fit(plain: pd.DataFrame,
        size: Callable[[float], float]) -> tuple[Callable[[float], float], float]:
    """Return the line through the nodes for each solution against a function of n, as a function
    of n, from FITTED_N on, and by how many percent it misses them at most.

    >>> line, misfit = fit(per_solution(), float)
    >>> [round(line(n)) for n in FAR_N], round(misfit, 1)
    ([129, 460], 6.2)
    """
    rows = plain[plain["n"] >= FITTED_N]
    slope, start = np.polyfit([size(n) for n in rows["n"]], rows["nodes_for_each"], 1)

    def line(n: float) -> float:
        return float(start + slope * size(n))

    return line, float((rows["n"].map(line) / rows["nodes_for_each"] - 1).abs().max() * 100)


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


SECTIONS = (
    Section("ladder", "The ladder", 83, make_ladder, requires=(ladder,), timed=True),
    Section("growth", "Growth", 84, make_growth, requires=("pruning",), named=False),
)
