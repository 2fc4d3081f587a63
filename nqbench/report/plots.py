"""The plots: each function takes tidy frames and returns a matplotlib figure.

See `nqbench.analysis` for the columns of the frames.
"""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from nqbench.algorithms import TEXTBOOK, catalogue
from nqbench.analysis import SERIES, pruning, ratios
from nqbench.report.style import COLOUR, MARKER, figure, label_lines, sizes

# A search without mirror and its counterpart with it.
MIRROR_PAIRS = (
    (("bitmask", "python"), ("bitmask_even_mirror", "python")),
    (("flat_marks", "python"), ("marks_mirror", "python")),
    (("bitmask", "python"), ("somers", "python")),
    (("bitmask", "cython"), ("somers", "cython")),
)

VERDICT = {"improvement": "#009e73", "regression": "#d55e00"}


def same_lines(counters: pd.DataFrame, metric: str) -> list[tuple[list[str], pd.Series]]:
    """Return the algorithms in groups of equal values, with these values by n.

    Algorithms that were measured to different n are of one group if they agree as
    far as both go; the longest line stands for all.
    """
    groups: list[tuple[list[str], pd.Series]] = []
    for name in catalogue():
        mine = counters[counters["algorithm"] == name]
        line = mine.drop_duplicates("n").set_index("n")[metric].sort_index()
        if line.empty or not line.any():
            continue
        for number, (members, shared) in enumerate(groups):
            common = line.index.intersection(shared.index)
            if len(common) >= 4 and (line[common] == shared[common]).all():
                members.append(name)
                groups[number] = members, max(line, shared, key=len)
                break
        else:
            groups.append(([name], line))
    return groups


def _grow(axes: Axes, counters: pd.DataFrame, metric: str, title: str, room: float,
          names: Callable[[list[str]], str]) -> None:
    ends = []
    for members, line in same_lines(counters, metric):
        first = members[0]
        line = line[line > 0]
        axes.plot(line.index, line.to_numpy(dtype=float), color=COLOUR[first],
                  marker=MARKER[first])
        ends.append((line.index[-1], float(line.iloc[-1]), names(members), COLOUR[first]))
    axes.set_yscale("log")
    axes.set_title(title)
    label_lines(axes, ends, room)
    sizes(axes, range(1, max(int(n) for n, *_ in ends) + 1))


def _solver(algorithm: str, implementation: str) -> str:
    """Algorithm and implementation in a label; Python goes without saying."""
    return f"{algorithm} (Cython)" if implementation == "cython" else algorithm


def _short(members: list[str], most: int = 3) -> str:
    """Names in one line; of many the first, and how many more."""
    if len(members) <= most:
        return ", ".join(members)
    return f"{members[0]} + {len(members) - 1} more"


def nodes(counters: pd.DataFrame) -> Figure:
    """Nodes against n, with the leaves of searches that prune nothing."""
    trees = pruning(counters)
    with figure(7.2, 4.6) as (made, (axes,)):
        largest = int(trees["n"].max())
        every = range(1, largest + 1)
        references = [("n^n leaves", [n**n for n in every]),
                      ("n! leaves", [math.factorial(n) for n in every])]
        ends = []
        top = float(trees["nodes"].astype(float).max()) * 30
        for text, values in references:
            kept = [(n, v) for n, v in zip(every, values, strict=True) if v <= top]
            axes.plot(*zip(*kept, strict=True), color="#8a8a8a", linestyle=(0, (4, 2)))
            axes.annotate(text, kept[-1], xytext=(4, 0), textcoords="offset points",
                          color="#5a5a5a", fontsize=8, va="center")
        for members, line in same_lines(trees, "nodes"):
            first = members[0]
            axes.plot(line.index, line.to_numpy(dtype=float), color=COLOUR[first],
                      marker=MARKER[first])
            ends.append((line.index[-1], float(line.iloc[-1]), _short(members, 2), COLOUR[first]))
        axes.set_yscale("log")
        axes.set_title("Nodes of the search tree")
        axes.set_ylabel("nodes, the root included")
        label_lines(axes, ends, 0.24)
        sizes(axes, trees["n"])
    return made


def work(counters: pd.DataFrame) -> Figure:
    """Tests and comparisons against n."""
    with figure(10.4, 5.2, 2) as (made, (left, right)):
        _grow(left, counters, "tests", "Squares tested for conflict", 0.34, _short)
        _grow(right, counters, "comparisons", "Single comparisons", 0.34, _short)
    return made


def time(timings: pd.DataFrame) -> Figure:
    """Seconds for all solutions against n >= 4: median, and from the fastest to the slowest.

    First the textbook algorithms that look at rows or squares again for every test, then
    those that keep marks or masks, then the ideas beyond; Cython in broken lines.
    """
    timings = timings[timings["n"] >= 4]
    keeps = timings["algorithm"].map(lambda a: catalogue()[a].technique.startswith(
        ("marks", "bit masks"))).astype(bool)
    beyond = ~timings["algorithm"].isin(TEXTBOOK)
    parts = [(title, timings[chosen]) for title, chosen in (
        ("Looking at rows or squares again", ~keeps & ~beyond),
        ("Keeping marks or bit masks", keeps & ~beyond), ("Beyond the textbooks", beyond))
        if chosen.any()]
    with figure(4.8 * len(parts), 5.6, len(parts), sharey=True) as (made, panels):
        labels = []
        for axes, (title, rows) in zip(panels, parts, strict=True):
            ends = []
            for key, points in rows.groupby(["algorithm", "implementation"], sort=False):
                name, way = map(str, cast("tuple[str, str]", key))
                colour, dashes = COLOUR[name], "--" if way == "cython" else "-"
                axes.fill_between(points["n"], points["low"], points["high"], color=colour,
                                  alpha=0.18, linewidth=0)
                axes.plot(points["n"], points["median"], color=colour, linestyle=dashes,
                          marker=MARKER[name])
                last = points.iloc[-1]
                ends.append((last["n"], last["median"], _solver(name, way), colour))
            axes.set_yscale("log")
            axes.set_title(title)
            labels.append((axes, ends, rows["n"]))
        for axes, ends, known in labels:  # once all panels have settled their common scale
            label_lines(axes, ends, 0.28)
            sizes(axes, known)
        panels[0].set_ylabel("seconds for all solutions, median and range")
    return made


def rate(rates: pd.DataFrame) -> Figure:
    """Nodes per second of each solver at the largest n it was measured at."""
    rows = rates.sort_values("nodes_per_second")
    with figure(7.2, 0.26 * len(rows) + 1.0) as (made, (axes,)):
        names = []
        for place, row in enumerate(rows.to_dict("records")):
            name = row["algorithm"]
            names.append(f"{_solver(name, row['implementation'])}, n = {row['n']}")
            axes.plot([row["low"], row["high"]], [place, place], color=COLOUR[name],
                      linewidth=3, alpha=0.35, solid_capstyle="butt")
            axes.plot(row["nodes_per_second"], place, color=COLOUR[name], marker=MARKER[name],
                      markersize=6)
        axes.set_yticks(range(len(names)), names)
        axes.set_xscale("log")
        axes.set_title("Nodes per second")
        axes.set_xlabel("nodes per second, median and range")
    return made


def cython(timings: pd.DataFrame) -> Figure:
    """How many times faster the Cython cores are than their Python twins."""
    with figure(6.4, 3.8) as (made, (axes,)):
        ends = []
        for name in ("bitmask", "somers"):
            found = ratios(timings, (name, "python"), (name, "cython"))
            if found.empty:
                continue
            axes.fill_between(found["n"], found["low"], found["high"], color=COLOUR[name],
                              alpha=0.2, linewidth=0)
            axes.plot(found["n"], found["ratio"], color=COLOUR[name], marker=MARKER[name])
            ends.append((found["n"].iloc[-1], found["ratio"].iloc[-1], name, COLOUR[name]))
        axes.set_title("Python against Cython, the same algorithm")
        axes.set_ylabel("time in Python / time in Cython")
        axes.set_ylim(bottom=0)
        if ends:
            label_lines(axes, ends, 0.16)
            sizes(axes, range(1, int(max(n for n, *_ in ends)) + 1))
    return made


def mirror(gains: pd.DataFrame) -> Figure:
    """What the mirror saves: nodes and time without it as a multiple of those with it."""
    pairs = list(gains.groupby(["plain", "mirrored", "implementation"], sort=False))
    with figure(2.9 * max(len(pairs), 1), 3.4, max(len(pairs), 1), sharey=True) as (made, panels):
        for axes, ((plain, mirrored, way), rows) in zip(panels, pairs, strict=False):
            axes.axhline(1, color="#8a8a8a", linewidth=0.8)
            axes.fill_between(rows["n"], rows["time_low"], rows["time_high"], color="#d55e00",
                              alpha=0.2, linewidth=0)
            axes.plot(rows["n"], rows["nodes"], color="#0072b2", marker="o", label="nodes")
            axes.plot(rows["n"], rows["time"], color="#d55e00", marker="s", label="time")
            axes.set_title(f"{plain}\n/ {mirrored}\n({way})", fontsize=8.5)
            sizes(axes, rows["n"])
            axes.legend(frameon=False, fontsize=8, loc="lower right")
        panels[0].set_ylabel("times as much without mirror")
        panels[0].set_ylim(bottom=0)
    return made


def levels(profiles: pd.DataFrame, n: int) -> Figure:
    """The profile of the tree for one n: nodes at each level, with and without mirror."""
    with figure(7.2, 3.8) as (made, (axes,)):
        shown = [("bitmask", "all first columns"), ("somers", "mirror")]
        width = 0.4
        for place, (name, text) in enumerate(shown):
            rows = profiles[(profiles["algorithm"] == name) & (profiles["n"] == n)]
            rows = rows.drop_duplicates("level")
            bars = axes.bar(rows["level"] + (place - 0.5) * width,
                            rows["nodes"].to_numpy(dtype=float), width, color=COLOUR[name],
                            label=f"{name}: {text}")
            if n <= 12:
                axes.bar_label(bars, [f"{v:,}" for v in rows["nodes"]], fontsize=6.5, rotation=60,
                               padding=2)
        axes.set_title(f"Levels of the tree, n = {n}")
        axes.set_xlabel("queens placed")
        axes.set_ylabel("nodes")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.margins(y=0.18)
        axes.set_xticks(range(n + 1))
        axes.legend(frameon=False, loc="upper left")
    return made


def savings(gains: pd.DataFrame) -> Figure:
    """For one n: by how much each tree is smaller than the plain one, and by how much its search
    is faster than the plain one in Python; bars to the right gain, bars to the left lose.
    """
    rows = gains.sort_values("nodes", kind="stable").reset_index(drop=True)
    with figure(7.2, 0.34 * len(rows) + 1.2) as (made, (axes,)):
        for place, row in enumerate(rows.to_dict("records")):
            for shift, name, colour in ((0.19, "nodes", "#0072b2"), (-0.19, "time", "#d55e00")):
                axes.barh(place + shift, row[name] - 1, 0.36, left=1, color=colour,
                          label=name if place == 0 else None)
            axes.plot([row["low"], row["high"]], [place - 0.19] * 2, color="#1b1b1b", linewidth=0.8)
        axes.axvline(1, color="#1b1b1b", linewidth=0.8)
        axes.set_xscale("log")
        _one_two_five(axes.xaxis)
        axes.set_yticks(range(len(rows)), map(_solver, rows["algorithm"], rows["implementation"]))
        axes.set_title(f"Saved against the plain tree, n = {rows['n'].iloc[0]}")
        axes.set_xlabel("times fewer nodes, times less time (left of 1: more)")
        axes.legend(frameon=False, loc="lower right")
    return made


def heat(survival: pd.DataFrame) -> Figure:
    """For one n: children of each node by level, a row for each different tree."""
    wide = survival.pivot_table(index="algorithm", columns="level", values="children",
                                aggfunc="first", sort=False)
    trees: dict[tuple[float, ...], list[str]] = {}
    for name, row in wide.iterrows():
        trees.setdefault(tuple(row), []).append(str(name))
    values: Any = np.array(list(trees), dtype=float)
    with figure(7.2, 0.32 * len(values) + 1.3) as (made, (axes,)):
        axes.pcolormesh(np.ma.masked_invalid(values), cmap="cividis", norm="log", linewidth=0)
        axes.invert_yaxis()
        for place, value in enumerate(values.flat):
            y, x = divmod(place, values.shape[1])
            if value == value:
                dark = value < np.sqrt(np.nanmin(values) * np.nanmax(values))
                axes.text(x + 0.5, y + 0.5, f"{value:.2g}", ha="center", va="center", fontsize=7,
                          color="#ffffff" if dark else "#1b1b1b")
        axes.grid(visible=False)
        axes.set_yticks(np.arange(len(values)) + 0.5,
                        [_short(members, 2) for members in trees.values()])
        axes.set_xticks(np.arange(values.shape[1]) + 0.5, map(str, range(values.shape[1])))
        axes.set_xlabel("queens placed")
        axes.set_title(f"Children of a node, level by level, n = {survival['n'].iloc[0]}")
    return made


def across_commits(rows: pd.DataFrame, marked: pd.DataFrame) -> Figure:
    """Each benchmark of one machine over its commits: a line a series, as a multiple of its
    first value, with the 99 % interval of the median; where `marked` says that it became
    better (green) or worse (red), a dot.

    The series that changed stand out, the others are grey.
    """
    lines = rows[~rows["exact"] & (rows["status"] == "measured")]
    names = sorted(lines["benchmark"].unique())
    commits = list(rows["commit"].drop_duplicates())
    across = 3
    down = max(1, -(-len(names) // across))
    verdicts = marked.set_index([*SERIES, "commit"])["verdict"].to_dict()
    with figure(10.4, 1.9 * down + 0.6, across, down, sharex=True) as (made, panels):
        for axes, name in zip(panels, names, strict=False):
            heights = [1.0]
            for key, line in lines[lines["benchmark"] == name].groupby(SERIES, sort=False):
                heights += _over_commits(
                    axes, line, [commits.index(c) for c in line["commit"]],
                    [verdicts.get((*key, c)) for c in line["commit"]])
            _multiples(axes, min(heights), max(heights))
            axes.set_title(name, fontsize=8)
        for axes in panels[len(names):]:
            axes.set_axis_off()
        for axes in panels[:len(names)][-across:]:
            axes.tick_params("x", labelbottom=True)
            axes.set_xticks(range(len(commits)), [c[:8] for c in commits], rotation=60,
                            ha="right", rotation_mode="anchor", fontsize=7)
        made.supylabel("multiple of the value at the first commit measured", fontsize=9)
    return made


def _multiples(axes: Axes, low: float, high: float) -> None:
    """Scale the y axis by the lines alone, which a wide interval would press flat."""
    if high > 3 * low:
        axes.set_yscale("log")
        _one_two_five(axes.yaxis)
    room = max((high / low) ** 0.15, 1.05)
    axes.set_ylim(low / room, high * room)
    axes.yaxis.set_major_formatter("{x:.3g}")


def _one_two_five(axis: Axis) -> None:
    """Mark a logarithmic axis at 1, 2, 5, 10, 20, ..."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def _over_commits(axes: Axes, line: pd.DataFrame, places: list[int],
                  verdicts: list[str | None]) -> list[float]:
    values = line["value"].astype(float).to_numpy()
    usable = np.isfinite(values) & (values > 0)
    if not usable.any():
        return []
    first = values[usable][0]
    last = next((v for v in reversed(verdicts) if v), None)
    colour, above = VERDICT.get(last or "", "#9a9a9a"), 3 if last else 2
    low, high = (bound.where(np.isfinite(bound), line["value"].astype(float)).to_numpy()
                 for bound in (line["low"], line["high"]))
    axes.fill_between(places, low / first, high / first, color=colour, alpha=0.15, linewidth=0,
                      where=usable)
    multiples = np.where(usable, values / first, np.nan)
    axes.plot(places, multiples, color=colour, linewidth=1, marker=".", zorder=above)
    for place, value, verdict in zip(places, multiples, verdicts, strict=True):
        if verdict:
            axes.plot(place, value, "o", color=VERDICT[verdict], markersize=6, zorder=4)
    return [m for m in multiples if 0 < m < math.inf]
