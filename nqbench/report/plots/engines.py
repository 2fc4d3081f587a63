"""The cost of a solution for the counting engines."""

import pandas as pd
from matplotlib.figure import Figure

from nqbench.report.pointing import tell
from nqbench.report.series import series
from nqbench.report.style import COLOUR, figure, label_lines, one_two_five, set_scale, sizes

MARKERS = {"somers": "o", "cross": "s", "join": "D"}  # each can be hollow
LABELS = {"somers": "Somers (Cython)", "cross": "cross", "join": "join"}
SERIES = {"somers": "somers/cython", "cross": "cross/cython", "join": "join"}


def solution_costs(costs: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw the nanoseconds of one core for a solution against n, with a line for each search;
    samples have hollow markers, and the bars are 95 % intervals.
    """
    with figure(7.2, 4.2) as (made, (axes,)):
        ends = []
        for name, rows in costs.groupby("algorithm", sort=False):
            colour, label = COLOUR[str(name)], LABELS[str(name)]
            sampled = rows[rows["by"] == "sample"]
            with series(axes, SERIES[str(name)]):
                axes.plot(rows["n"], rows["nanoseconds"], color=colour, marker=MARKERS[str(name)],
                          label=label)
                axes.vlines(rows["n"], rows["low"], rows["high"], color=colour, linewidth=1.0)
                axes.plot(sampled["n"], sampled["nanoseconds"], color=colour, linestyle="none",
                          marker=MARKERS[str(name)], markerfacecolor="white", zorder=3)
            tell(axes, label, rows[["n", "by", "nanoseconds", "low", "high"]], "n", "nanoseconds")
            last = rows.iloc[-1]
            ends.append((last["n"], last["nanoseconds"], label, colour))
        set_scale(axes, "y", scale)
        if scale == "log":
            one_two_five(axes.yaxis)
        axes.set_ylabel("nanoseconds of one core for a solution\n(hollow: from a sample; 95 %)")
        label_lines(axes, ends, 0.2)
        sizes(axes, costs["n"])
    return made
