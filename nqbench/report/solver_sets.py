"""Draw solvers as a set, by performance profiles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.problems.queens import PUBLISHED, catalogue
from nqbench.report.formats import TIMES
from nqbench.report.marks import name as named
from nqbench.report.marks import series, tell
from nqbench.report.style import COLOUR, MARKER, dashes, grid, solver

POINTS = ["tau", "share"]  # of a line
ACROSS = 2
FEW = 8  # lines that one panel can hold


@dataclass
class Line:
    """A line of a plot: its label, the names of its series, its look, and its points."""

    label: str
    names: list[str]
    colour: str
    marker: Any
    dashes: str
    points: Any  # an array with a row for each point

    @property
    def end(self) -> tuple[float, float]:
        """The last point."""
        x, y = map(float, self.points[-1])
        return x, y


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


def performance(profile: pd.DataFrame) -> Figure:
    """Draw the share of all n that each solver of queens solves within a factor of the fastest."""
    panels = [(title, [*_by_solver(rows)]) for title, rows in families(profile)]
    return performances(panels, "times the time of the fastest solver of all panels",
                        "share of all n solved")


def _by_solver(rows: pd.DataFrame) -> Iterator[Line]:
    """Yield the lines of solvers of queens that solved something."""
    for key, points in rows.groupby(["algorithm", "implementation"], sort=False):
        name, way = map(str, cast("tuple[str, str]", key))
        if points["share"].any():
            yield Line(solver(name, way), [named(name, way)], COLOUR[name], MARKER[name],
                       dashes(way), points[POINTS].to_numpy(dtype=float))


def performances(panels: Sequence[tuple[str, list[Line]]], x: str, y: str) -> Figure:
    """Draw performance profiles, with the same scale in all panels."""
    edge = max([2.0, *(1.5 * line.end[0] for _, lines in panels for line in lines)])
    with grid(len(panels), ACROSS, 5.2, 2.6, (0, 0.4)) as (made, drawn):
        for axes, (title, lines) in zip(drawn, panels, strict=True):
            axes.set_title(title)
            for line in lines:
                last, share = line.end
                tell(axes, line.label, pd.DataFrame(line.points, columns=[x, y]), x, y, {x: TIMES})
                with series(axes, *line.names):
                    axes.plot(*line.points.T, line.dashes, color=line.colour, marker=line.marker,
                              label=line.label, drawstyle="steps-post")
                    axes.plot([last, edge], [share, share], line.dashes, color=line.colour)
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
