"""Survival of runs in random orders, with and without restarts."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.analysis import fit_tail, survival_of_runs
from nqbench.analysis.run_lengths import PLAIN
from nqbench.report.pointing import tell
from nqbench.report.series import name as named
from nqbench.report.series import series
from nqbench.report.style import figure

LOOKS = {PLAIN: ("#d55e00", "o"), "restarts_fixed": ("#0072b2", "s"),
         "restarts_geometric": ("#009e73", "D"), "restarts_luby": ("#cc79a7", "^")}
OTHER = ("#7f7f7f", "v")
MARKED = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)  # shares of the runs
ACROSS = 2


def run_survival(found: pd.DataFrame, share: float) -> Figure:
    """Draw the share of runs that take more than a number of nodes, on logarithmic axes, with a
    panel for each distribution. A dashed line is fitted to the tail: a `share` of the runs without
    restarts.
    """
    groups = [rows for _, rows in found.groupby(["over", "instance"], dropna=False, sort=False)]
    across, down = min(ACROSS, len(groups)), -(-len(groups) // ACROSS)
    with figure(5.2 * across, 3.4 * down + 0.4, across, down, sharex=True, sharey=True) as (
            made, drawn):
        for axes in drawn[len(groups):]:
            axes.remove()
        for axes, rows in zip(drawn, groups, strict=False):
            axes.set_xscale("log")
            axes.set_yscale("log")
            for row in rows.to_dict("records"):
                with series(axes, named(row["algorithm"])):
                    _draw(axes, row, share)
            axes.set_title(describe(rows.iloc[0]))
            axes.tick_params("x", labelbottom=True)
            axes.legend(frameon=False, fontsize=8)
        made.supxlabel("nodes", fontsize=9)
        made.supylabel("share of runs that take more", fontsize=9)
    return made


def describe(row: "pd.Series[Any]") -> str:
    """Return the instances and seeds of runs, in words."""
    runs = f"{len(row['lengths']):,}"
    return (f"{runs} instances, a seed each" if row["over"] == "instances" else
            f"instance {row['instance']}, {runs} seeds")


def _draw(axes: Axes, row: dict[Any, Any], share: float) -> None:
    """Draw the runs of a search: a line, marks at some shares, and the tail of PLAIN."""
    name = row["algorithm"]
    colour, marker = LOOKS.get(name, OTHER)
    nodes, left = survival_of_runs(row["lengths"], row["ended"])
    nodes, left = nodes[left > 0], left[left > 0]
    axes.plot(nodes, left, color=colour, drawstyle="steps-post")
    places = sorted({int(np.argmax(left <= mark)) for mark in MARKED if (left <= mark).any()})
    axes.plot(nodes[places], left[places], marker, color=colour, label=name)
    told = pd.DataFrame({"nodes": nodes[places], "share of runs that take more": left[places]})
    tell(axes, name, told, nodes[places], left[places])
    tail = fit_tail(row["lengths"], row["ended"], share)
    if name == PLAIN and tail.known:
        ends = np.array([tail.start, row["limit"]])
        axes.plot(ends, tail.runs / len(row["lengths"]) * (ends / tail.start) ** -tail.alpha,
                  color="#1b1b1b", linestyle="--", linewidth=1)
