"""Counts beyond one machine: the schedule of their tasks."""

import pandas as pd
from matplotlib.figure import Figure

from nqbench.engine.executing import LONGEST
from nqbench.report.pointing import tell
from nqbench.report.style import figure

COLOURS = ("#0072b2", "#009e73", "#e69f00", "#d55e00")
MARKERS = "osD^"


def efficiency(found: pd.DataFrame) -> Figure:
    """Draw the share of their time that the workers work against the length of a task, with a line
    for each failure rate.
    """
    with figure(7.2, 4.2) as (made, (axes,)):
        for failures, colour, marker in zip(sorted(found["failures"].unique()), COLOURS, MARKERS,
                                            strict=False):
            rows = found[found["failures"] == failures]
            label = f"once in {1 / failures:,.0f} hours" if failures else "never"
            axes.plot(rows["task_seconds"], 100 * rows["efficiency"], marker=marker, color=colour,
                      linewidth=1.2, label=label)
            tell(axes, label, rows[["workers", "task_seconds", "failures", "efficiency"]],
                 "task_seconds", 100 * rows["efficiency"])
        axes.axvline(LONGEST, color="#8a8a8a", linestyle=(0, (4, 2)), linewidth=0.9)
        axes.annotate(f"tasks of nqbench: up to {LONGEST:g} s", (LONGEST, 4), xytext=(5, 0),
                      textcoords="offset points", fontsize=8, color="#5a5a5a")
        axes.set_xscale("log")
        ticks = sorted(found["task_seconds"].unique())
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.set_ylim(0, 100)
        axes.set_xlabel("mean time of a task, in seconds")
        axes.set_ylabel("% of the workers' time at work")
        axes.legend(title="A worker fails", frameon=False, loc=(0.5, 0.1))
    return made
