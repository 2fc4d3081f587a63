"""The searches themselves: their trees, their work and their rates."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis import POINT, pruning, ratios
from nqbench.problems.queens import PUBLISHED, Search, Tree, catalogue
from nqbench.records.descriptions import Description, describe
from nqbench.records.record import PLAIN
from nqbench.report.choices import by_scale
from nqbench.report.formats import format_first
from nqbench.report.frames import Frames
from nqbench.report.marks import name as named
from nqbench.report.marks import name_ticks, series, tell
from nqbench.report.sections import UNMEASURED, Part, Section
from nqbench.report.solver_sets import families
from nqbench.report.style import (
    COLOUR,
    MARKER,
    MEDIAN,
    dashes,
    figure,
    label_lines,
    set_scale,
    short,
    sizes,
    solver,
    write_times,
)
from nqbench.report.tables import Taken, gained
from nqbench.util.text import format_justified

DIGITS = 12  # digits of the hash of a source


@dataclass(frozen=True)
class AlgorithmsFacts:
    """The number of algorithms, and of those that come from the documents of docs/sources.md."""

    number: int
    published: int

    @property
    def finding(self) -> str:
        """Both numbers."""
        return (f"{format_first(self.number)} algorithms: {self.published} from five documents, "
                f"{self.number - self.published} further ideas")


def make_algorithms(frames: Frames) -> Part:
    """Return the whole catalogue, and the external algorithms that were measured."""
    outside = {**frames.deciding, **frames.descriptions}
    found = algorithms(outside)
    made = AlgorithmsFacts(len(found), int(found["algorithm"].isin(PUBLISHED).sum()))
    return Part(made, tables={"algorithms": found}, records=UNMEASURED,
                captions={"algorithms": "The algorithms and their sources."},
                finding=made.finding)


def algorithms(outside: Mapping[str, Description]) -> pd.DataFrame:
    """Return all algorithms: name, year, technique, symmetry, implementations, origin."""
    return pd.DataFrame([{
        "algorithm": each.name, "year": "no date given" if each.year is None else str(each.year),
        "technique": each.technique, "symmetry": each.symmetry,
        "implementations": ", ".join(each.implementations), "origin": each.origin + (
            f"; SHA-256 {each.source[:DIGITS]}" if each.source else ""),
    } for each in (*map(describe, catalogue().values()), *outside.values())])


@dataclass(frozen=True)
class NodesFacts:
    """The algorithms with the same tree, and the counters of the largest such tree, None if it was
    not counted.
    """

    same_tree: list[str]
    largest: dict[Any, Any] | None

    @property
    def finding(self) -> str:
        """The number of algorithms that search the same tree; empty if no two do."""
        many = len(self.same_tree)
        return f"{format_first(many)} algorithms search the same tree" if many > 1 else ""


def make_nodes(frames: Frames) -> Part | None:
    """Return the nodes of the main run; None if no search in it prunes."""
    counters = frames.counters
    pruning = analysis.pruning(counters)
    if pruning.empty:
        return None
    plain = counters[counters["algorithm"] == PLAIN].drop_duplicates("n").tail(1)
    made = NodesFacts(
        [name for name in pruning["algorithm"].unique()
         if frames.descriptions[name].tree == Tree.PLAIN],
        plain.to_dict("records")[0] if len(plain) else None,
    )
    return Part(made, figures={"nodes": by_scale(partial(nodes, counters))},
                finding=made.finding)


SHOWN_N = 8  # the counters are shown for this n, or for the nearest measured, below it if possible


@dataclass(frozen=True)
class WorkFacts:
    """The counters at one n; drawn: whether there is a figure, which needs both counters."""

    n: int
    drawn: bool
    counters: pd.DataFrame


def make_work(frames: Frames) -> Part | None:
    """Return the counters of the main run; None if no search in it prunes."""
    counters = frames.counters.dropna(axis=1, how="all")
    if analysis.pruning(counters).empty:
        return None
    n = max(filter(SHOWN_N.__ge__, counters["n"]), default=int(counters["n"].min()))
    drawn = {"tests", "comparisons"} <= set(counters) and bool(
        counters[["tests", "comparisons"]].any(axis=None))
    made = WorkFacts(n, drawn, counters[counters["n"] == n].drop(columns="n"))
    return Part(made, {"counters": counters},
                {"work": by_scale(partial(work, counters))} if drawn else {}, {
                    "counters": "Solutions, nodes, tests and comparisons of each search; exact."},
                finding=work_finding(analysis.pruning(counters[counters["n"] == n])))


def work_finding(counters: pd.DataFrame) -> str:
    """Return by how much the tests differ between equal trees at one n; empty if they do not."""
    nodes = counters["nodes"].mode()
    same = counters[counters["nodes"].isin(nodes[:1])]
    if "tests" not in same or not same["tests"].max() > same["tests"].min() > 0:
        return ""
    return (f"Searches of one tree differ by a factor of up to "
            f"{same['tests'].max() / same['tests'].min():.2g} in their tests")


MILLION = 1e6


@dataclass(frozen=True)
class RateFacts:
    """The samples of the times."""

    taken: Taken


def make_rate(frames: Frames) -> Part | None:
    """Return the rates of the main run; None if no search in it was both counted and timed."""
    found = rates(frames.counters, frames.timings)
    if found.empty:
        return None
    figures = {"rate": by_scale(partial(rate, found))}
    return Part(RateFacts(frames.taken), {"rates": found}, figures, {
        "rates": "Nodes per second at the largest n of each solver: medians of {samples}, "
                 "with 95 % bootstrap intervals (low, high)."},
                finding=rate_finding(found))


def rates(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Return nodes per second (median, low, high) at the largest n of each pruning solver."""
    both = pruning(counters.merge(timings, on=POINT))
    both = both.sort_values("n").groupby(["algorithm", "implementation"], sort=False).tail(1)
    nodes = both["nodes"].astype(float)
    found = both[[*POINT, "nodes"]].copy()
    found["nodes_per_second"] = nodes / both["median"]
    found["low"] = nodes / both["high"]
    found["high"] = nodes / both["low"]
    return found.sort_values("nodes_per_second", ascending=False).reset_index(drop=True)


def rate_finding(found: pd.DataFrame) -> str:
    """Return the least and the largest rate."""
    slowest, fastest = (_in_words(*found[["nodes_per_second", "low", "high"]].iloc[place])
                        for place in (-1, 0))
    return f"From {slowest} to {fastest} nodes per second"


def _in_words(rate: float, low: float, high: float) -> str:
    """Return a rate with the digits that its interval justifies, a large one in millions."""
    if rate < MILLION:
        return format_justified(rate, low, high)
    return f"{format_justified(rate / MILLION, low / MILLION, high / MILLION)} million"


PEAK = 1.5  # times the largest ratio on large boards; a larger one on a small board is explained


@dataclass(frozen=True)
class CythonFacts:
    """The ratios at the largest n of each algorithm, and those at and above the least of these n;
    peak: the row with the largest ratio, on a smaller board, None if it is not clearly larger.
    """

    largest: pd.DataFrame
    large: pd.DataFrame
    peak: pd.Series | None
    taken: Taken

    @property
    def typical(self) -> float:
        """The median of the ratios on the large boards."""
        return float(self.large["ratio"].median())

    @property
    def finding(self) -> str:
        """How much faster Cython is on large boards; empty if an algorithm is not significantly
        faster there.
        """
        if not (self.large["verdict"] == "faster").all():
            return ""
        least, most = self.large["n"].min(), self.large["n"].max()
        where = f"At {most} queens" if least == most else f"From {least} to {most} queens"
        return f"{where}, a search compiled by Cython is about {self.typical:.2g} times as fast"


def make_cython(frames: Frames) -> Part | None:
    """Return the ratios of the main run; None if no algorithm was timed in both languages."""
    found = against_cython(frames.timings)
    if found.empty:
        return None
    made = facts(found, frames.taken)
    return Part(made, {"cython": found}, {"cython": lambda: cython(frames.timings)}, {
                    "cython": "Time in Python over time in Cython: medians of {samples}, round by "
                    "round, with 95 % bootstrap intervals (low, high)."},
                finding=made.finding)


def facts(found: pd.DataFrame, taken: Taken) -> CythonFacts:
    """Return the facts of the table of ratios."""
    largest = found.groupby("algorithm", sort=False).tail(1)
    large = found[found["n"] >= largest["n"].min()]
    peak = found.sort_values("ratio").iloc[-1]
    return CythonFacts(
        largest, large, peak if peak["low"] > PEAK * large["high"].max() else None, taken)


def against_cython(timings: pd.DataFrame) -> pd.DataFrame:
    """Return the time in Python divided by the time in Cython: algorithm, n, ratio, low, high,
    verdict.
    """
    compared = [ratios(timings, (name, "python"), (name, "cython")).assign(algorithm=name)
                for name, a in catalogue().items() if isinstance(a, Search) and a.core]
    found = pd.concat([each for each in compared if len(each)] or compared, ignore_index=True)
    return gained(found[["algorithm", "n", "ratio", "low", "high", "chance"]], "ratio")


def same_lines(counters: pd.DataFrame, metric: str) -> list[tuple[list[str], pd.Series]]:
    """Return the algorithms in groups of equal values, with these values by n.

    Algorithms that were measured up to different n are in one group if they agree up to the smaller
    n; the longest line represents all.
    """
    lines: dict[str, dict[int, Any]] = {}
    for name, n, value in zip(counters["algorithm"], counters["n"], counters[metric], strict=True):
        if not pd.isna(value):
            lines.setdefault(name, {}).setdefault(n, value)
    groups: list[tuple[list[str], dict[int, Any]]] = []
    for name in dict.fromkeys([*catalogue(), *lines]):
        line = lines.get(name, {})
        if not any(line.values()):
            continue
        for number, (members, shared) in enumerate(groups):
            common = line.keys() & shared.keys()
            if len(common) >= 4 and all(line[n] == shared[n] for n in common):
                members.append(name)
                groups[number] = members, max(line, shared, key=len)
                break
        else:
            groups.append(([name], line))
    return [(members, pd.Series(line).sort_index()) for members, line in groups]


def _grow(axes: Axes, counters: pd.DataFrame, metric: str, title: str, room: float,
          scale: str) -> None:
    ends = []
    for members, line in same_lines(counters, metric):
        first, label = members[0], short(members)
        line = line[line > 0]
        with series(axes, *map(named, members)):
            axes.plot(line.index, line.to_numpy(dtype=float), color=COLOUR[first],
                      marker=MARKER[first], label=label)
        tell(axes, label, pd.DataFrame({"n": line.index, metric: line.values}), "n", metric)
        ends.append((line.index[-1], float(line.iloc[-1]), label, COLOUR[first]))
    set_scale(axes, "y", scale)
    axes.set_title(title)
    label_lines(axes, ends, room)
    sizes(axes, range(1, max(int(n) for n, *_ in ends) + 1))


def nodes(counters: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw nodes against n, with the leaves of searches that prune nothing."""
    trees = pruning(counters)
    with figure(7.2, 4.6) as (made, (axes,)):
        largest = int(trees["n"].max())
        every = range(1, largest + 1)
        references = [("nⁿ leaves", [n**n for n in every]),
                      ("n! leaves", [math.factorial(n) for n in every])]
        ends = []
        top = float(trees["nodes"].astype(float).max()) * (30 if scale == "log" else 1)
        for text, values in references:
            kept = [(n, v) for n, v in zip(every, values, strict=True) if v <= top]
            axes.plot(*zip(*kept, strict=True), color="#8a8a8a", linestyle=(0, (4, 2)),
                      label=text)
            tell(axes, text, pd.DataFrame(kept, columns=["n", "leaves"], dtype=object), "n",
                 "leaves")
            axes.annotate(text, kept[-1], xytext=(4, 0), textcoords="offset points",
                          color="#5a5a5a", fontsize=8, va="center")
        for members, line in same_lines(trees, "nodes"):
            first, label = members[0], short(members, 2)
            with series(axes, *map(named, members)):
                axes.plot(line.index, line.to_numpy(dtype=float), color=COLOUR[first],
                          marker=MARKER[first], label=label)
            tell(axes, label, pd.DataFrame({"n": line.index, "nodes": line.values}), "n", "nodes")
            ends.append((line.index[-1], float(line.iloc[-1]), label, COLOUR[first]))
        set_scale(axes, "y", scale)
        axes.set_title("Nodes of the search tree")
        axes.set_ylabel("nodes, the root included")
        label_lines(axes, ends, 0.24)
        sizes(axes, trees["n"])
    return made


def work(counters: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw tests and comparisons against n; a counter that no search has is skipped."""
    titles = {"tests": "Squares tested for conflict", "comparisons": "Single comparisons"}
    shown = [name for name in titles if counters[name].any()]
    with figure(5.2 * len(shown), 5.2, len(shown)) as (made, panels):
        for axes, name in zip(panels, shown, strict=True):
            _grow(axes, counters, name, titles[name], 0.34, scale)
    return made


def time(timings: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw seconds for all solutions against n >= 4: median, and its 95 % bootstrap interval.

    First come the published algorithms that look at rows or squares again for every test, then
    those that keep marks or masks, then further ideas, and last the compiled searches, with dashed
    lines.
    """
    parts = families(timings[timings["n"] >= 4])
    columns = min(2, len(parts))
    rows = -(-len(parts) // columns)
    with figure(5.2 * columns + 2.0 * (columns == 1), 4.2 * rows, columns, rows,
                sharey=True) as (made, panels):
        labels = []
        for axes, (title, shown) in zip(panels, parts, strict=False):
            ends = []
            for key, points in shown.groupby(["algorithm", "implementation"], sort=False):
                name, way = map(str, cast("tuple[str, str]", key))
                colour = COLOUR[name]
                with series(axes, named(name, way)):
                    axes.fill_between(points["n"], points["low"], points["high"], color=colour,
                                      alpha=0.18, linewidth=0)
                    axes.plot(points["n"], points["median"], color=colour, linestyle=dashes(way),
                              marker=MARKER[name], label=solver(name, way))
                told = points[["n", "median", "low", "high"]].rename(columns={"median": "seconds"})
                tell(axes, solver(name, way), told, "n", "seconds")
                last = points.iloc[-1]
                ends.append((last["n"], last["median"], solver(name, way), colour))
            set_scale(axes, "y", scale)
            write_times(axes.yaxis)
            axes.set_title(title)
            labels.append((axes, ends, shown["n"]))
        for axes in panels[len(parts):]:
            axes.remove()
        for axes, ends, known in labels:  # after all panels have their common scale
            label_lines(axes, ends, 0.28)
            sizes(axes, known)
        made.supylabel(f"time for all solutions\n{MEDIAN}", fontsize=9)
    return made


def rate(rates: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw nodes per second of each solver at the largest n it was measured at."""
    rows = rates.sort_values("nodes_per_second")
    with figure(7.2, 0.26 * len(rows) + 1.0) as (made, (axes,)):
        names = []
        for place, row in enumerate(rows.to_dict("records")):
            name = row["algorithm"]
            names.append(f"{solver(name, row['implementation'])}, n = {row['n']}")
            with series(axes, named(name, row["implementation"])):
                axes.plot([row["low"], row["high"]], [place, place], color=COLOUR[name],
                          linewidth=3, alpha=0.35, solid_capstyle="butt")
                axes.plot(row["nodes_per_second"], place, color=COLOUR[name], marker=MARKER[name],
                          markersize=6)
        told = rows[["n", "nodes_per_second", "low", "high"]]
        tell(axes, list(map(solver, rows["algorithm"], rows["implementation"])), told,
             "nodes_per_second", range(len(rows)))
        axes.set_yticks(range(len(names)), names)
        name_ticks(axes, map(named, rows["algorithm"], rows["implementation"]))
        set_scale(axes, "x", scale)
        axes.set_title("Nodes per second")
        axes.set_xlabel(f"nodes per second\n{MEDIAN}")
    return made


def cython(timings: pd.DataFrame) -> Figure:
    """Draw how many times faster the Cython cores are than the same algorithms in Python."""
    with figure(6.4, 3.8) as (made, (axes,)):
        ends = []
        for name in ("bitmask", "somers"):
            found = ratios(timings, (name, "python"), (name, "cython"))
            if found.empty:
                continue
            with series(axes, named(name)):
                axes.fill_between(found["n"], found["low"], found["high"], color=COLOUR[name],
                                  alpha=0.2, linewidth=0)
                axes.plot(found["n"], found["ratio"], color=COLOUR[name], marker=MARKER[name],
                          label=name)
            tell(axes, name, found[["n", "ratio", "low", "high"]], "n", "ratio")
            ends.append((found["n"].iloc[-1], found["ratio"].iloc[-1], name, COLOUR[name]))
        axes.set_title("Python against Cython, the same algorithm")
        axes.set_ylabel(f"time in Python / time in Cython\n{MEDIAN}")
        axes.set_ylim(bottom=0)
        if ends:
            label_lines(axes, ends, 0.16)
            sizes(axes, range(1, int(max(n for n, *_ in ends)) + 1))
    return made


SECTIONS = (
    Section("algorithms", "Algorithms", 30, make_algorithms, named=False,
            chapter="Published algorithms"),
    Section("nodes", "Nodes", 50, make_nodes, requires=("counters",),
            chapter="Published algorithms"),
    Section("work", "Tests and comparisons", 60, make_work, requires=("counters",),
            chapter="Published algorithms"),
    Section("rate", "Nodes per second", 125, make_rate, requires=("counters", "timings"),
            chapter="How fast"),
    Section("cython", "Python and Cython", 120, make_cython, requires=("timings",),
            chapter="How fast"),
)
