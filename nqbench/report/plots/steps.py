"""The steps from brute force to the engine."""

from math import ceil, floor, log10

import pandas as pd
from matplotlib.figure import Figure

from nqbench._text import format_justified, format_seconds
from nqbench.report.pointing import tell
from nqbench.report.style import figure, set_scale, write_times

COLOURS = ("#0072b2", "#009e73", "#d55e00")  # of the steps at each n
ROOM = {"log": 400, "linear": 1.6}  # times the longest bar, for the text at its end
HEIGHT = 0.34  # of a bar; its step is written above it


def steps(table: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw the time of each step, with its factor over the step before, a panel for each n."""
    groups = [rows for _, rows in table.groupby("n")]
    heights = [len(rows) for rows in groups]
    with figure(4.6, 0.46 * sum(heights) + 0.9 * len(groups), rows=len(groups),
                height_ratios=heights) as (made, panels):
        for axes, rows, colour in zip(panels, groups, COLOURS, strict=False):
            axes.barh(range(len(rows)), rows["seconds"], HEIGHT, color=colour)
            tell(axes, list(rows["step"]), rows.drop(columns="step"), "seconds", range(len(rows)))
            for place, row in enumerate(rows.to_dict("records")):
                axes.annotate(row["step"], (0, place - HEIGHT / 2), (3, 2),
                              xycoords=("axes fraction", "data"), textcoords="offset points",
                              va="bottom", fontsize=9)
                factor = "" if pd.isna(row["times"]) else ", {} times as fast".format(
                    format_justified(row["times"], row["times_low"], row["times_high"]))
                axes.annotate(f"{format_seconds(row['seconds'])}{factor}",
                              (row["seconds"], place), (4, 0), textcoords="offset points",
                              va="center", fontsize=9, weight="bold")
            axes.set_yticks(range(len(rows)), rows["step"])
            axes.tick_params("y", left=False, labelleft=False)
            axes.grid(visible=False, axis="y")
            axes.set_ylim(len(rows) - 0.7, -0.8)
            set_scale(axes, "x", scale)
            write_times(axes.xaxis)
            least, most = rows["seconds"].min(), rows["seconds"].max()
            if scale == "log":
                powers = range(ceil(log10(least)), floor(log10(most)) + 1)
                axes.set_xticks([10.0**k for k in powers])
            axes.set_xlim(least / 4 if scale == "log" else 0, most * ROOM[scale])
            axes.set_title(f"{rows['n'].iloc[0]} queens")
        panels[-1].set_xlabel("median time, against the step before")
    return made
