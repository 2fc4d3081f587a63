"""How trees and times grow with n, and how much of the time the counters explain.

    run = nqbench.analysis.latest(nqbench.analysis.load("results"))
    nqbench.analysis.growth(run)
    nqbench.analysis.models(run)
    print(nqbench.analysis.time_by_counters(run).sentence)

All fits are of logarithms, by least squares. A growth is that of the last n alone, because it rises
with n itself; a model has to fit all n from FIRST on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, nan
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from nqbench.analysis.frames import pruning, samples
from nqbench.analysis.uncertainty import FEWEST, LEVEL
from nqbench.errors import InvalidValueError

SOLVER = ["solver", "algorithm", "implementation"]
LAST = 5  # n of a growth; an odd number, since a mirror saves more at every other n
FIRST = 6  # n of a fit: the time of a smaller board is mostly that of the call
POINTS = 5  # of a model, at least; AICc needs two more than there are parameters
COUNTERS = ("nodes", "tests", "scans", "comparisons")  # all that say how much work was done
Values = npt.NDArray[np.float64]


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


def models(records: pd.DataFrame) -> pd.DataFrame:
    """Compare models of the growth of each search that prunes, the best one first: b^n and n! b^n,
    for times also c nodes and c nodes^k; each has a constant factor.

    Parameters
    ----------
    records
        those of a run, see `latest`.

    Returns
    -------
    pandas.DataFrame
        solver, algorithm, implementation, metric ("nodes", "seconds"), model, parameter (b or k,
        NaN for c nodes), error (the factor by which the model misses an n that was left out of the
        fit, as the root mean square of its logarithm), delta (AICc above that of the best model)
        and points (the n from FIRST on, at least POINTS). According to Burnham and Anderson, "Model
        Selection and Multimodel Inference" (2002), section 2.6, a model with a delta up to 2 is
        about as good as the best, and one above 10 has no support. Counts have no chance errors:
        there, delta says only which curve is closer.
    """
    from scipy.special import gammaln

    rows = []
    for solver, mine in _points(records).groupby(SOLVER, sort=False):
        for metric in ("nodes", "seconds"):
            known = mine.dropna(subset=["nodes", metric])
            if len(known) < POINTS:
                continue
            n, nodes = known["n"].to_numpy(float), np.log(known["nodes"].to_numpy(float))
            values = np.log(known[metric].to_numpy(float))
            fits = {model: (exp(slope), error, aicc) for model, (slope, error, aicc) in (
                ("b^n", _fit(values, n)), ("n! b^n", _fit(values - gammaln(n + 1), n)))}
            if metric == "seconds":
                fits |= {"c nodes": _fit(values - nodes), "c nodes^k": _fit(values, nodes)}
            best = min(aicc for *_, aicc in fits.values())
            rows += [(*solver, metric, model, slope, error, aicc - best, len(n))
                     for model, (slope, error, aicc) in sorted(
                         fits.items(), key=lambda fit: fit[1][2])]
    return pd.DataFrame(rows, columns=[*SOLVER, "metric", "model", "parameter", "error", "delta",
                                       "points"])


def _fit(values: Values, *fitted: Values) -> tuple[float, float, float]:
    """Return the slope of a model, NaN if it has only a constant, its error, and its AICc."""
    design = np.column_stack([np.ones(len(values)), *fitted])
    slopes, many, free = np.linalg.lstsq(design, values)[0], len(values), len(fitted) + 2
    aicc = many * np.log(np.mean((values - design @ slopes)**2)) + 2 * free * many / (
        many - free - 1)  # free: the slopes and the variance
    missed = _miss(design, values, range(many))
    return (float(slopes[1]) if fitted else nan, float(np.exp(np.sqrt(np.mean(missed**2)))),
            float(aicc))


def _miss(design: Values, values: Values, groups: Sequence[Any]) -> Values:
    """Return the residual of each value in the fit to all other groups."""
    names, missed = np.asarray(groups), np.empty(len(values))
    for name in np.unique(names):
        mine = names == name
        slopes = np.linalg.lstsq(design[~mine], values[~mine])[0]
        missed[mine] = values[mine] - design[mine] @ slopes
    return missed


@dataclass(frozen=True)
class TimeByCounters:
    """A regression of the logarithm of time on the logarithms of counters, over all algorithms.

    Attributes
    ----------
    rows
        solver, algorithm, implementation, n, seconds (median), predicted (by the fit without this
        algorithm) and factor (how far that is off, 1 or more).
    exponents
        the exponent of each counter, in the fit to all.
    explained, explained_left_out
        the share of the variance of the logarithm of time that the counters explain, in the fit to
        all, and for algorithms that are left out of the fit.
    half, most
        the factors within which the predicted time is right for half and for 9 of 10 points.
    sentence
        these numbers in words, to be quoted.
    """

    rows: pd.DataFrame
    exponents: dict[str, float]
    explained: float
    explained_left_out: float
    half: float
    most: float
    sentence: str


def time_by_counters(records: pd.DataFrame,
                     counters: Sequence[str] = COUNTERS) -> TimeByCounters:
    """Return how well counters predict the time of an algorithm that was not measured, over all
    searches in Python that prune, from n = FIRST on.

    Each algorithm is left out of the fit in turn, with all its n. A counter enters as log(1 + x),
    since some are 0.

    Parameters
    ----------
    records
        those of a run, see `latest`.
    counters
        their names.

    Raises
    ------
    InvalidValueError
        if fewer algorithms than the fit needs were both counted and timed.
    """
    points = _points(records).reindex(columns=[*SOLVER, "n", "seconds", *counters])
    points = points[points["implementation"] == "python"].dropna().reset_index(drop=True)
    algorithms = points["algorithm"].nunique()
    if algorithms < len(counters) + 3:
        raise InvalidValueError(f"at least {len(counters) + 3} algorithms in Python must have "
                                f"times and {', '.join(counters)} for n = {FIRST} or more, not "
                                f"{algorithms}")
    design = np.column_stack([np.ones(len(points)), *(
        np.log1p(points[name].to_numpy(float)) for name in counters)])
    values = np.log(points["seconds"].to_numpy(float))
    slopes = np.linalg.lstsq(design, values)[0]
    missed = _miss(design, values, points["algorithm"].to_list())
    explained, left_out = (float(1 - np.mean(each**2) / np.var(values))
                           for each in (values - design @ slopes, missed))
    rows = points[[*SOLVER, "n", "seconds"]].assign(
        predicted=np.exp(values - missed), factor=np.exp(np.abs(missed)))
    names = " and ".join(", ".join(counters).rsplit(", ", 1))
    half, most = map(float, np.quantile(rows["factor"], [0.5, 0.9]))
    sentence = (
        f"Over {len(rows)} points of {algorithms} algorithms in Python, n = {rows['n'].min()} to "
        f"{rows['n'].max()}, {names} explain {100 * explained:.0f} % of the variance of the "
        f"logarithm of time, and {100 * left_out:.0f} % for algorithms that are left out of the "
        f"fit; their predicted time is right within a factor of {half:.1f} at half of the points, "
        f"and of {most:.1f} at 9 of 10.")
    return TimeByCounters(rows, dict(zip(counters, map(float, slopes[1:]), strict=True)), explained,
                          left_out, half, most, sentence)


def _queens(records: pd.DataFrame) -> pd.DataFrame:
    """Return the samples of searches of queens, with values as floats."""
    table = samples(records)
    return table[(table["problem"] == "queens") & (table["implementation"] != "")].astype(
        {"value": float})


def _points(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each solver that prunes and n from FIRST on, with the median of each metric
    in its column.
    """
    table = _queens(pruning(records))
    return table[table["n"] >= FIRST].pivot_table(
        "value", [*SOLVER, "n"], "metric", aggfunc="median", sort=False).reindex(
            columns=["nodes", "seconds", *COUNTERS[1:]]).reset_index()
