"""Exact trees, what they say about the estimates, and the squares tried before a first solution."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, MultipleLocator

from nqbench.estimation import NORMAL
from nqbench.reference.profiles import Profile
from nqbench.report.plots.estimating import METHOD
from nqbench.report.pointing import tell
from nqbench.report.series import series
from nqbench.report.style import figure, set_scale

EVERY = 6  # one in this many exact trees has a line, including the largest
LINES = (("#1b1b1b", "D"), ("#d55e00", "s"), ("#0072b2", "o"))
ROWS_LEFT = 6  # of the children by rows left
PARITY = {0: ("#d55e00", "s", "even n"), 1: ("#0072b2", "o", "odd n")}
FIRST_N = 4  # 2 and 3 queens have no solution
GREY = "#8a8a8a"


def exact_profiles(trees: Mapping[int, Profile]) -> Figure:
    """Draw the shapes of exact trees: the nodes of each level divided by those of the widest, which
    has a marker, and the mean number of children by the number of rows left.
    """
    with figure(10.4, 3.8, 2) as (made, (left, right)):
        for tree, (colour, marker) in reversed([*zip(drawn(trees), LINES, strict=False)]):
            n, top, label = tree.n, max(tree.levels), f"n = {tree.n}"
            left.plot([level / n for level in range(n + 1)], [x / top for x in tree.levels],
                      color=colour, marker=marker, markevery=[tree.widest], markersize=6,
                      label=label)
            levels = pd.DataFrame({"n": n, "level": range(n + 1), "nodes": tree.levels},
                                  dtype=object)
            tell(left, label, levels, levels["level"] / n, [x / top for x in tree.levels])
            rows = range(1, min(ROWS_LEFT, n) + 1)
            below = pd.DataFrame({"n": n, "level": [n - m for m in rows],
                                  "children": [tree.children(m) for m in rows]})
            tell(right, label, below, rows, "children")
            right.plot(rows, [tree.children(m) for m in rows], color=colour, marker=marker,
                       label=label)
        left.set_title("Levels")
        left.set_xlabel("k / n\nk queens on k rows")
        left.set_ylabel("share\nnodes / nodes of the widest level")
        left.xaxis.set_major_locator(MultipleLocator(0.5))
        left.yaxis.set_major_locator(MultipleLocator(0.5))
        left.legend(frameon=False, loc="upper left")
        right.axhline(1, color=GREY, linewidth=0.8)
        right.set_title("Children")
        right.set_xlabel("rows left\nn - k")
        right.set_ylabel("mean\nchildren of a placement")
        right.set_yscale("log", base=2)
        right.yaxis.set_major_locator(LogLocator(base=2, numticks=4))
        right.yaxis.set_major_formatter("{x:g}")
        right.xaxis.set_major_locator(MaxNLocator(integer=True))
        right.invert_xaxis()
        for axes in (left, right):
            axes.grid(visible=False)
    return made


def drawn(trees: Mapping[int, Profile]) -> list[Profile]:
    """Return the trees that have a line, the largest first."""
    return [trees[n] for n in sorted(trees, reverse=True)[::EVERY][:len(LINES)]]


def estimate_errors(found: pd.DataFrame) -> Figure:
    """Draw how far each estimate of the nodes is from the exact number, in standard errors."""
    with figure(7.2, 3.6) as (made, (axes,)):
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.axhspan(-NORMAL, NORMAL, color="#7f7f7f", alpha=0.15, linewidth=0)
        for method, (colour, marker, name) in METHOD.items():
            rows = found[found["method"] == method]
            with series(axes, method):
                axes.plot(rows["n"], rows["off"], marker, color=colour, label=name)
            tell(axes, name, rows[["n", "probes", "exact", "mean", "off"]], "n", "off")
        axes.set_title("Estimated nodes against the exact tree")
        axes.set_xlabel("n")
        axes.set_ylabel("off\nin standard errors; band: 95 % interval")
        most = max(3.0, *found["off"].abs()[np.isfinite(found["off"])])
        axes.set_ylim(-1.3 * most, 1.3 * most)
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.grid(visible=False)
        axes.legend(frameon=False, loc="upper left", ncols=2)
    return made


def squares_tried(found: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw the squares that the plain search tries before the first solution, even and odd n apart.
    """
    with figure(7.2, 3.8) as (made, (axes,)):
        known = found.set_index("n")["squares_tried"].astype(float)
        known = known.reindex(range(FIRST_N, max(known.dropna().index) + 1))
        axes.plot(known.index, known, color=GREY, linewidth=0.7)
        for parity, (colour, marker, label) in PARITY.items():
            rows = known[known.index % 2 == parity].dropna()
            axes.plot(rows.index, rows, marker, color=colour, label=label)
            told = found[found["n"].isin(rows.index)]
            tell(axes, label, told[["n", "squares_tried"]], "n", "squares_tried")
        axes.set_title("Squares tried before the first solution")
        axes.set_xlabel("n")
        axes.set_ylabel("squares tried")
        set_scale(axes, "y", scale)
        axes.xaxis.set_major_locator(MultipleLocator(8))
        if scale == "log":
            axes.yaxis.set_major_locator(LogLocator(numticks=5))
        axes.grid(visible=False)
        axes.legend(frameon=False, loc="upper left")
    return made
