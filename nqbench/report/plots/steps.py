"""The steps from brute force to the engine."""

import pandas as pd
from matplotlib.figure import Figure

from nqbench._text import format_justified, format_seconds
from nqbench.report.style import figure, set_scale

COLOURS = ("#0072b2", "#d55e00")  # of the steps at each n
ROOM = 1.35  # times the longest bar, on a linear scale: for the text at its end


def steps(table: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw the time of each step, with its factor over the previous step, with a panel for each n.
    """
    groups = [rows for _, rows in table.groupby("n")]
    heights = [len(rows) for rows in groups]
    with figure(5.6, 0.42 * sum(heights) + 0.9 * len(groups), rows=len(groups),
                height_ratios=heights) as (made, panels):
        for axes, rows, colour in zip(panels, groups, COLOURS, strict=False):
            axes.barh(range(len(rows)), rows["seconds"], 0.62, color=colour, label="seconds")
            for place, row in enumerate(rows.to_dict("records")):
                factor = "" if pd.isna(row["times"]) else " ({}×)".format(format_justified(
                    row["times"], row["times_low"], row["times_high"]))
                axes.annotate(f"{format_seconds(row['seconds'])}{factor}",
                              (row["seconds"], place), (4, 0), textcoords="offset points",
                              va="center", fontsize=8)
            axes.set_yticks(range(len(rows)), rows["step"])
            axes.invert_yaxis()
            set_scale(axes, "x", scale)
            if scale == "log":
                axes.set_xlim(rows["seconds"].min() / 4, rows["seconds"].max() * 60)
            else:
                axes.set_xlim(0, rows["seconds"].max() * ROOM)
            axes.set_title(f"{rows['n'].iloc[0]} queens")
        panels[-1].set_xlabel("seconds, median (times as fast as the step before)")
    return made
