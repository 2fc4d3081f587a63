"""How trees and times grow with n.

    run = nqbench.analysis.latest(nqbench.analysis.load("results"))
    nqbench.analysis.growth(run)

All fits are of logarithms, by least squares. A growth is that of the last n alone, because it rises
with n itself.
"""

from math import nan

import numpy as np
import pandas as pd

from nqbench.analysis.frames import samples
from nqbench.analysis.uncertainty import FEWEST, LEVEL

SOLVER = ["solver", "algorithm", "implementation"]
LAST = 5  # n of a growth; an odd number, since a mirror saves more at every other n


def growth(records: pd.DataFrame) -> pd.DataFrame:
    """Return the factor by which nodes and times grow from one n to the next, over the last LAST
    measured n: the slope of the line through the logarithms.

    Parameters
    ----------
    records
        those of a run, see `latest`.

    Returns
    -------
    pandas.DataFrame
        solver, algorithm, implementation, metric ("nodes", "seconds"), first_n, last_n, factor, low
        and high. Of seconds, each process has its own line, through the medians of its samples; low
        and high are the 95 % interval by Student's t of what many processes on this machine would
        give, and NaN for fewer than three. Nodes are exact: low and high are the smallest and the
        largest factor from one n to the next. Neither says how the growth goes on.
    """
    from scipy.special import stdtrit

    table, rows = _queens(records), []
    table = table[table["metric"].isin(["nodes", "seconds"])]
    for (*solver, metric), mine in table.groupby([*SOLVER, "metric"], sort=False):
        wide = mine.pivot_table("value", "n", "process", aggfunc="median").tail(LAST)
        wide = wide.dropna(axis="columns").apply(np.log)  # of processes that measured all of them
        if len(wide) < 2 or (metric == "nodes" and not wide.any(axis=None)):
            continue  # without a tree, there is only the root
        slopes = np.polyfit(wide.index, wide, 1)[0]
        many, middle = len(slopes), float(np.mean(slopes))
        if metric == "nodes":
            steps = np.diff(wide[0]) / np.diff(wide.index)
            low, high = min(steps), max(steps)
        else:
            half = nan if many < FEWEST else float(
                stdtrit(many - 1, (1 + LEVEL) / 2) * np.std(slopes, ddof=1) / many**0.5)
            low, high = middle - half, middle + half
        rows.append((*solver, metric, wide.index[0], wide.index[-1],
                     *map(float, np.exp([middle, low, high]))))
    return pd.DataFrame(rows, columns=[*SOLVER, "metric", "first_n", "last_n", "factor", "low",
                                       "high"])


def _queens(records: pd.DataFrame) -> pd.DataFrame:
    """Return the samples of searches of queens, with values as floats."""
    table = samples(records)
    return table[(table["problem"] == "queens") & (table["implementation"] != "")].astype(
        {"value": float})
