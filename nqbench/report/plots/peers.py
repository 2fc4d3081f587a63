"""The peers beside the searches of nqbench."""

import pandas as pd
from matplotlib.figure import Figure

from nqbench.report.pointing import tell
from nqbench.report.series import name as named
from nqbench.report.series import series
from nqbench.report.style import (
    COLOUR,
    MEDIAN,
    figure,
    foreign,
    plain,
    set_scale,
    sizes,
    write_times,
)

LOOK = {
    "cross (Cython)": (COLOUR["cross"], "*", "--"), "bitmask (Cython)": ("#7f7f7f", "s", "--"),
    "bitmask (Python)": ("#1b1b1b", "X", "-"), "CP-SAT": ("#d55e00", "o", "-"),
    "python-sat": ("#cc79a7", "D", "-"), "clingo": ("#0072b2", "^", "-"),
    "exact-cover": ("#009e73", "v", "-"), "dlx-cython": ("#117733", "<", "-"),
    "numba": ("#e69f00", "P", "-"),
}
# The looks of the searches of nqbench.
SERIES = {"cross (Cython)": "cross/cython", "bitmask (Cython)": "bitmask/cython",
          "bitmask (Python)": "bitmask/python"}


def peers(found: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw seconds for all solutions against n: median, and its 95 % bootstrap interval."""
    measured = found[found["status"] == "measured"]
    with figure(7.2, 5.0) as (made, (axes,)):
        for name, rows in measured.groupby("peer", sort=False):
            colour, marker, line = LOOK.get(str(name)) or (*foreign(str(name)), "-")
            with series(axes, SERIES.get(str(name)) or named(str(name))):
                axes.fill_between(rows["n"], rows["low"], rows["high"], color=colour, alpha=0.18,
                                  linewidth=0)
                axes.plot(rows["n"], rows["seconds"], color=colour, linestyle=line, marker=marker,
                          label=plain(str(name)))
            tell(axes, plain(str(name)), rows[["n", "seconds", "low", "high"]], "n", "seconds")
        set_scale(axes, "y", scale)
        axes.set_title("Counting all solutions, one thread each")
        write_times(axes.yaxis)
        axes.set_ylabel(f"time for all solutions\n{MEDIAN}")
        # Lines end at different n, close together: labels at their ends would cross them.
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
        sizes(axes, measured["n"])
    return made
