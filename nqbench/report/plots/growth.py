"""How nodes, work and time grow with n."""

import math
from typing import Any, cast

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.algorithms import PUBLISHED, catalogue
from nqbench.analysis import pruning, ratios
from nqbench.report.pointing import tell
from nqbench.report.series import name as named
from nqbench.report.series import name_ticks, series
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

FEW = 8  # lines that one panel can hold


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


def families(found: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the rows of solvers in up to four groups, each with its title; few solvers form one
    group. An algorithm that is not in the catalogue is a further idea.
    """
    if len(found[["algorithm", "implementation"]].drop_duplicates()) <= FEW:
        return [("All solvers", found)]
    known = catalogue()
    keeps = found["algorithm"].map(
        lambda name: name in known and known[name].keeps_marks).astype(bool)
    compiled = found["implementation"] == "cython"
    published = found["algorithm"].isin(PUBLISHED) & ~compiled
    return [(title, found[chosen]) for title, chosen in (
        ("Looking at rows or squares again", published & ~keeps),
        ("Keeping marks or bit masks", published & keeps),
        ("Further ideas", ~published & ~compiled), ("Compiled by Cython", compiled))
        if chosen.any()]


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
