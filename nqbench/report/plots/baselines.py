"""The solvers of a study against its baseline."""

from typing import cast

import pandas as pd
from matplotlib.figure import Figure

from nqbench.report.pointing import tell
from nqbench.report.series import name as named
from nqbench.report.series import series
from nqbench.report.style import (
    COLOUR,
    MARKER,
    MEDIAN,
    dashes,
    figure,
    label_lines,
    one_two_five,
    sizes,
    solver,
)

GREY = "#6e6e6e"
ROOM = 0.28  # room for the labels, as a part of the width


def against_baseline(found: pd.DataFrame, over: str) -> Figure:
    """Draw the time of the baseline over that of each solver against n: median, and its 95 %
    bootstrap interval.
    """
    with figure(7.2, 4.6) as (made, (axes,)):
        axes.axhline(1, xmax=1 - ROOM, color=GREY, linewidth=0.8)
        ends = [(float(found["n"].max()), 1.0, over, GREY)]
        for key, rows in found.groupby(["algorithm", "implementation"], sort=False):
            name, way = map(str, cast("tuple[str, str]", key))
            colour, label = COLOUR[name], solver(name, way)
            with series(axes, named(name, way)):
                axes.fill_between(rows["n"], rows["low"], rows["high"], color=colour, alpha=0.18,
                                  linewidth=0)
                if len(rows) == 1:  # a band without a width
                    axes.vlines(rows["n"], rows["low"], rows["high"], color=colour, linewidth=3,
                                alpha=0.35)
                axes.plot(rows["n"], rows["ratio"], color=colour, linestyle=dashes(way),
                          marker=MARKER[name], label=label)
            tell(axes, label, rows[["n", "ratio", "low", "high"]], "n", "ratio")
            last = rows.iloc[-1]
            ends.append((last["n"], last["ratio"], label, colour))
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, 0.5), max(high, 2.0))  # three marks of the scale, even in a close-up
        one_two_five(axes.yaxis)
        axes.set_title(f"Times faster than {over}")
        axes.set_ylabel(f"time of {over} / own time\n{MEDIAN}")
        label_lines(axes, ends, ROOM)
        sizes(axes, found["n"])
    return made
