"""Draw solvers as a set, by performance profiles."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.problems.queens import PUBLISHED, catalogue
from nqbench.report.formats import TIMES
from nqbench.report.marks import name as named
from nqbench.report.marks import series, tell
from nqbench.report.style import grid, look_of, solver
from nqbench.report.tables import by_solver

ACROSS = 2
FEW = 8  # lines that one panel can hold


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
        ("Rescan earlier rows", published & ~keeps),
        ("Keep marks or bit masks", published & keeps),
        ("Further ideas", ~published & ~compiled), ("Compiled", compiled))
        if chosen.any()]


def _points(rows: pd.DataFrame) -> list[tuple[tuple[str, str], Any]]:
    """Return the points of each solver of queens that solved something, an array with a row each.
    """
    return [(key, points[["tau", "share"]].to_numpy(dtype=float))
            for key, points in by_solver(rows) if points["share"].any()]


def performance(profile: pd.DataFrame) -> Figure:
    """Draw the share of all n that each solver of queens solves within a factor of the fastest,
    with the same scale in all panels.
    """
    panels = [(title, _points(rows)) for title, rows in families(profile)]
    x, y = "times the time of the fastest solver of all panels", "share of all n solved"
    edge = max([2.0, *(1.5 * points[-1, 0] for _, lines in panels for _, points in lines)])
    with grid(len(panels), ACROSS, 5.2, 2.6, (0, 0.4)) as (made, drawn):
        for axes, (title, lines) in zip(drawn, panels, strict=True):
            axes.set_title(title)
            for key, points in lines:
                (last, share), label = points[-1], solver(*key)
                colour, marker, dashes = look_of(*key)
                tell(axes, label, pd.DataFrame(points, columns=[x, y]), x, y, {x: TIMES})
                with series(axes, named(*key)):
                    axes.plot(*points.T, dashes, color=colour, marker=marker, label=label,
                              drawstyle="steps-post")
                    axes.plot([last, edge], [share, share], dashes, color=colour)
            axes.set_xscale("log")
            axes.set_xlim(0.8, edge)
            axes.set_ylim(-0.03, 1.03)
            axes.yaxis.set_major_formatter("{x:.0%}")
            _legend(axes)
    made.supxlabel(x, fontsize=9)
    made.supylabel(y, fontsize=9)
    return made


def _legend(axes: Axes) -> None:
    """Name the lines beside the axes, the highest at its end first."""
    lines = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    if lines:
        lines.sort(key=lambda line: -float(np.asarray(line.get_ydata(), dtype=float)[-1]))
        axes.legend(handles=lines, frameon=False, fontsize=8, loc="center left",
                    bbox_to_anchor=(1.0, 0.5))
