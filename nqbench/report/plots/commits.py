"""Benchmarks over the commits of the project."""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from nqbench.analysis import SERIES
from nqbench.report.style import figure, one_two_five, plain

Band = tuple[Any, str]  # the corners of a band, and its colour
VERDICT = {"improvement": "#009e73", "regression": "#d55e00"}


def across_commits(rows: pd.DataFrame, marked: pd.DataFrame) -> Figure:
    """Draw each benchmark of one machine over its commits: a line for each series, as a multiple of
    its first value, with the 99 % interval of the median, and a dot where `marked` says that it
    became better (green) or worse (red).

    The series that changed have colours; the others are grey.
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
            bands: list[Band] = []
            for key, line in lines[lines["benchmark"] == name].groupby(SERIES, sort=False):
                heights += _over_commits(
                    axes, bands, line, [commits.index(c) for c in line["commit"]],
                    [verdicts.get((*key, c)) for c in line["commit"]])
            axes.add_collection(PolyCollection(
                [corners for corners, _ in bands], facecolors=[colour for _, colour in bands],
                alpha=0.15, linewidths=0), autolim=False)
            _multiples(axes, min(heights), max(heights))
            axes.set_title(plain(name), fontsize=8)
        for axes in panels[len(names):]:
            axes.set_axis_off()
        for axes in panels[:len(names)][-across:]:
            axes.tick_params("x", labelbottom=True)
            axes.set_xticks(range(len(commits)), [plain(c[:8]) for c in commits], rotation=60,
                            ha="right", rotation_mode="anchor", fontsize=7)
        made.supylabel("multiple of the value at the first commit measured\n"
                       "shaded: 99 % interval of the median", fontsize=9)
    return made


def _multiples(axes: Axes, low: float, high: float) -> None:
    """Scale the y axis by the lines alone, because a wide interval would flatten them."""
    if high > 3 * low:
        axes.set_yscale("log")
        one_two_five(axes.yaxis)
    room = max((high / low) ** 0.15, 1.05)
    axes.set_ylim(low / room, high * room)
    axes.yaxis.set_major_formatter("{x:.3g}")


def _corners(x: Any, low: Any, high: Any, usable: Any) -> list[Any]:
    """Return the corners of the bands from low to high, one for each run of usable points."""
    there = np.flatnonzero(usable)
    runs = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1)
    return [np.column_stack([[*x[run], *x[run[::-1]]], [*low[run], *high[run[::-1]]]])
            for run in runs]


def _over_commits(axes: Axes, bands: list[Band], line: pd.DataFrame, places: list[int],
                  verdicts: list[str | None]) -> list[float]:
    """Draw a line with its dots, add its intervals to the bands, and return its heights."""
    values = line["value"].to_numpy(dtype=float)
    called = str(line["parameters"].iloc[0])
    usable = np.isfinite(values) & (values > 0)
    if not usable.any():
        return []
    first = values[usable][0]
    last = next((v for v in reversed(verdicts) if v), None)
    colour, above = VERDICT.get(last or "", "#9a9a9a"), 3 if last else 2
    low, high = (np.where(np.isfinite(bound), bound, values)
                 for bound in (line["low"].to_numpy(), line["high"].to_numpy()))
    bands += [(corners, colour) for corners in _corners(
        np.array(places), low / first, high / first, usable)]
    multiples = np.where(usable, values / first, np.nan)
    axes.plot(places, multiples, color=colour, linewidth=1, marker=".", zorder=above,
              label=called or None)
    for place, value, verdict in zip(places, multiples, verdicts, strict=True):
        if verdict:
            axes.plot(place, value, "o", color=VERDICT[verdict], markersize=6, zorder=4,
                      label=", ".join(filter(None, (called, verdict))))
    return [m for m in multiples if 0 < m < math.inf]
