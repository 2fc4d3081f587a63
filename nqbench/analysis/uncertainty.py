"""The uncertainty of a figure: the interval of a median, verdicts, and warnings.

A sample is the seconds that one search took in one round of one process. Samples of one process are
alike for every search; processes differ by several per cent. So the interval of a median comes from
a hierarchical percentile bootstrap (Efron, 1979; Davison and Hinkley, 1997, section 3.8): RESAMPLES
times, it draws the same number of processes with replacement, and from each process the same number
of samples. The interval is the middle 95 % of the medians. The draws use a fixed seed and a
generator that numpy has frozen, so the same samples have the same interval.

An interval from few processes is too narrow. If they differ only by chance, it contains the true
median in 75 % of all cases with 3 processes or samples, 94 % with 5, 88 % with 7, and 96 % with 9
or 15. Two would give 50 %, so fewer than three have no interval and no verdict.

Among many comparisons, some seem significant by chance. So verdicts are corrected by the method of
Holm (1979), over all solvers that are compared at one n. This needs p-values far below 5 %, which a
bootstrap of five processes cannot give: all five lie on the same side of 1 by chance in 6 % of all
cases, and then every resample does, too. So a p-value is at least that of Student's t test of the
logarithms, with one value for each process.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import nan, sqrt
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from nqbench.records.record import Samples

LEVEL = 0.95
RESAMPLES = 10_000
TOGETHER = 2_000  # resamples of a geometric mean
SEED = 1
SPREAD = 0.1  # from the fastest to the slowest sample, as a part of the median
SHORT = 1e-3  # seconds; in a shorter sample the clock matters as much as the search
FEWEST = 3  # processes, or samples of the only process, that have an interval
SIDE = 3  # samples on each side of a gap between two modes
NOT_SIGNIFICANT = "not significant"
NOT_KNOWN = "not known"


def interval(samples: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the median, in the unit of the samples; two NaN for
    fewer than 3 processes, or fewer than 3 samples of one process.

    Samples of several processes are `nqbench.study.Samples`.

    >>> interval([3.0, 1.0, 2.0, 9.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    (2.0, 8.0)
    >>> interval(Samples([1.0, 1.1, 1.0, 2.0, 2.1, 2.0, 1.5, 1.6, 1.4], processes=3))
    (1.0, 2.0)
    >>> interval([1.0, 2.0])
    (nan, nan)
    """
    if _too_few(samples):
        return nan, nan
    return _resampled(*_key(samples))[:2]


def chance(quotients: Sequence[float]) -> float:
    """Return the two-sided p-value of a ratio, if the true ratio is 1: that of the bootstrap or of
    Student's t test, whichever is larger; NaN where there is no `interval`.

    It is at most 5 % only if the interval does not contain 1.

    >>> round(chance([1.02, 1.1, 1.05, 1.07, 1.04]), 4)
    0.0136
    >>> chance([0.9, 1.1, 0.95, 1.05, 1.0])
    1.0
    """
    if _too_few(quotients):
        return nan
    return _chance(*_key(quotients))


def student(values: Sequence[float] | npt.NDArray[np.float64]) -> float:
    """Return the two-sided p-value of the t test that the mean of two values or more is 0.

    >>> [round(student([t - 1, t + 1]), 3) for t in (0, 1, 12.706)]
    [1.0, 0.5, 0.05]
    """
    from scipy.special import stdtr

    many, mean, spread = len(values), abs(float(np.mean(values))), float(np.std(values, ddof=1))
    if spread == 0:
        return float(mean == 0)
    return 2 * float(stdtr(many - 1, -mean * sqrt(many) / spread))


class Ratio(NamedTuple):
    """The median of a ratio of times, its 95 % bootstrap interval, and its p-value (`chance`)."""

    times: float
    low: float
    high: float
    chance: float


def ratio(over: Sequence[float], under: Sequence[float]) -> Ratio:
    """Return the ratio of times over the rounds that both have, process by process.

    >>> ratio([2.0, 4.4, 6.0], [1.0, 2.0, 3.0, 4.0])[:3]
    (2.0, 2.0, 2.2)
    """
    processes = [side.processes if isinstance(side, Samples) else 1 for side in (over, under)]
    each = [len(side) // many for side, many in zip((over, under), processes, strict=True)]
    quotients = Samples([over[process * each[0] + turn] / under[process * each[1] + turn]
                         for process in range(min(processes)) for turn in range(min(each))],
                        min(processes))
    return Ratio(median(quotients), *interval(quotients), chance(quotients))


def against(over: Sequence[float], under: Sequence[float]) -> Ratio:
    """Return the ratio of two medians whose samples were not taken in turns: the ratio, its 95 %
    interval, and its p-value as in `chance`; NaN if either side has no `interval`.

    The resamples of both sides are drawn independently; Welch's t test takes the place of
    Student's.

    >>> [round(x, 3) for x in against([2.0, 2.1, 2.2, 1.9, 1.8], [1.0, 1.01, 0.99, 1.02, 0.98])]
    [2.0, 1.8, 2.2, 0.0]
    >>> against([2.0], [1.0])[:3]
    (2.0, nan, nan)
    """
    times = float(np.median(over) / np.median(under))
    if _too_few(over) or _too_few(under):
        return Ratio(times, nan, nan, nan)
    shuffled = np.random.RandomState(SEED).permutation(_medians(*_key(under)))
    low, high, resampled = percentiles(np.sort(_medians(*_key(over)) / shuffled))
    return Ratio(times, low, high, max(resampled, welch(_logarithms(over), _logarithms(under))))


def geometric_mean(
        ratios: Sequence[float], points: Sequence[tuple[Sequence[float], Sequence[float], bool]]
        ) -> tuple[float, float, float]:
    """Return the geometric mean of ratios, and its 95 % interval; NaN for what is not known.

    Each ratio has a point: the samples over and under it, and whether they were taken in turns. In
    each resample, all points draw the same processes. Without enough processes at each point there
    is no interval.

    >>> geometric_mean([2.0, 8.0], [([2.0], [1.0], True), ([8.0], [1.0], True)])
    (4.0, nan, nan)
    """
    if not ratios:
        return nan, nan, nan
    center = float(np.exp(np.mean(np.log(ratios))))
    if any(_too_few(side) for *sides, _ in points for side in sides):
        return center, nan, nan
    drawn = np.zeros(TOGETHER)
    for over, under, in_turns in points:
        drawn += _drawn(over, 0) - _drawn(under, 0 if in_turns else 1)
    return center, *percentiles(np.sort(np.exp(drawn / len(points))))[:2]


def _drawn(samples: Sequence[float], side: int) -> npt.NDArray[np.float64]:
    """Return the logarithm of the median of the processes of each resample."""
    medians = np.median(units(samples), axis=1)
    random = np.random.RandomState((SEED, side, len(medians)))
    places = random.randint(len(medians), size=(TOGETHER, len(medians)))
    found: npt.NDArray[np.float64] = np.log(np.median(medians[places], axis=1))
    return found


def welch(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return the two-sided p-value of Welch's t test that two means are equal.

    >>> round(welch(np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0])), 4)
    0.2879
    """
    from scipy.special import stdtr

    parts = [float(np.var(side, ddof=1)) / len(side) for side in (one, other)]
    distance, spread = abs(float(np.mean(one) - np.mean(other))), sum(parts)
    if spread == 0:
        return float(distance == 0)
    freedom = spread**2 / sum(part**2 / (len(side) - 1)
                              for part, side in zip(parts, (one, other), strict=True))
    return 2 * float(stdtr(freedom, -distance / sqrt(spread)))


def _logarithms(samples: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return the logarithm of the median of each process; if there is only one process, of each
    sample.
    """
    found: npt.NDArray[np.float64] = np.log(np.median(units(samples), axis=1))
    return found


def units(samples: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return the samples as rows, which a resample draws: processes, or the samples of a single
    process.

    >>> units([1.0, 2.0]).shape, units(Samples([1.0, 2.0, 3.0, 4.0], processes=2)).shape
    ((2, 1), (2, 2))
    """
    values, processes = _key(samples)
    return np.reshape(values, (len(values) if processes == 1 else processes, -1))


def _too_few(samples: Sequence[float]) -> bool:
    """Return whether samples are of too few processes, or too few of one, for an interval."""
    return not samples or len(units(samples)) < FEWEST


def holm(chances: Sequence[float]) -> list[bool]:
    """Return which of several comparisons are significant at 5 % overall, by the method of Holm;
    NaN is not significant, and does not count as a comparison.

    >>> holm([0.03, 0.01, 0.04, 0.013])  # 0.01 <= 0.05 / 4, 0.013 <= 0.05 / 3, 0.03 > 0.05 / 2
    [False, True, False, True]
    >>> holm([0.01, nan])
    [True, False]
    """
    known = sorted((p, place) for place, p in enumerate(chances) if p == p)
    found = [False] * len(chances)
    for rank, (p, place) in enumerate(known):
        if p > (1 - LEVEL) / (len(known) - rank):
            break
        found[place] = True
    return found


def verdicts(times: Sequence[float], chances: Sequence[float],
             above: str = "slower", below: str = "faster") -> list[str]:
    """Return the verdict on each of several ratios by its `chance`: `above` or `below` 1, "not
    significant", or "not known" if its chance is NaN. The verdicts are corrected for the number of
    ratios.

    >>> verdicts([1.2, 0.6, 1.1, 2.0], [0.001, 0.001, 0.04, nan])
    ['slower', 'faster', 'slower', 'not known']
    >>> verdicts([1.2, 0.6, 1.1], [0.04, 0.04, 0.04])
    ['not significant', 'not significant', 'not significant']
    """
    return [NOT_KNOWN if p != p else NOT_SIGNIFICANT if not sure else above if one > 1 else below
            for one, p, sure in zip(times, chances, holm(chances), strict=True)]


def verdicts_by_n(rows: pd.DataFrame, above: str = "slower",
                  below: str = "faster") -> "pd.Series[Any]":
    """Return the verdict of each row with `times` and its `chance`, corrected for all rows of the
    same `n`.
    """
    found = {place: verdict for _, group in rows.groupby("n") for place, verdict in zip(
        group.index, verdicts(list(group["times"]), list(group["chance"]), above, below),
        strict=True)}
    return pd.Series(found, dtype=object)


def _key(samples: Sequence[float]) -> tuple[tuple[float, ...], int]:
    """Return samples and the number of their processes, which the cache compares."""
    return tuple(samples), samples.processes if isinstance(samples, Samples) else 1


@lru_cache(maxsize=1 << 16)
def _resampled(samples: tuple[float, ...], processes: int) -> tuple[float, float, float]:
    """Return the interval of the median, and its p-value, if it is a ratio whose true value is 1.
    """
    return percentiles(_medians(samples, processes))


def percentiles(medians: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the middle 95 % of sorted resamples, and the p-value of their distance from 1.

    >>> percentiles(np.arange(1.0, 201.0))
    (6.0, 195.0, 0.01)
    """
    ends = round(len(medians) * (1 - LEVEL) / 2)  # medians on each side of the interval
    beside = min(int((medians <= 1).sum()), int((medians >= 1).sum()))
    chance = min(1.0, 2 * max(1, beside) / len(medians))
    return float(medians[ends]), float(medians[-1 - ends]), chance


@lru_cache(maxsize=1 << 16)
def _chance(quotients: tuple[float, ...], processes: int) -> float:
    """Return the `chance` of two quotients or more."""
    return max(_resampled(quotients, processes)[2],
               student(_logarithms(Samples(quotients, processes))))


def _medians(samples: tuple[float, ...], processes: int) -> npt.NDArray[np.float64]:
    """Return the median of each resample, sorted."""
    each = len(samples) // processes
    groups = np.sort(np.reshape(samples, (processes, each)), axis=1)
    ordered = groups[np.argsort(np.median(groups, axis=1), kind="stable")].ravel()
    # The median of small integers takes half the time of that of floats.
    many, places = len(ordered), np.argsort(ordered, kind="stable")
    ranks = np.empty(many, np.min_scalar_type(many))
    ranks[places] = np.arange(many)
    middle = [(many - 1) // 2, many // 2]
    drawn = ranks[_draws(processes, each)]
    drawn.partition(middle, axis=1)
    found: npt.NDArray[np.float64] = np.sort(ordered[places][drawn[:, middle]].mean(axis=1))
    return found


@cache
def _draws(processes: int, each: int) -> npt.NDArray[np.intp]:
    """Return for each resample the positions of its samples; the processes are sorted by their
    medians.
    """
    random = np.random.RandomState(SEED)
    drawn = random.randint(processes, size=(RESAMPLES // 2, processes, 1))
    within = random.randint(each, size=(RESAMPLES // 2, processes, each))
    places = (drawn * each + within).reshape(RESAMPLES // 2, processes * each)
    # Each draw comes with its mirror image, so both sides of the interval are treated alike.
    return np.concatenate([places, processes * each - 1 - places])


def warnings(samples: Sequence[float], loops: int, disturbed: float | None = None) -> list[str]:
    """Return the reasons to doubt the median of these samples, in words; each is of `loops`
    searches timed together, and is the seconds of one search; so many were `disturbed`, if that is
    known.

    The spread is from the fastest to the slowest sample, relative to the median. There are two
    modes if the widest gap between neighbours is more than half of it.

    >>> warnings([1.0, 1.01, 1.02, 1.4, 1.41, 1.42], 1)
    ['spread 35 %', 'two modes']
    >>> warnings([1e-6], 100, disturbed=1)
    ['one sample', 'sample under 1 ms', '1 disturbed']
    """
    ordered = sorted(samples)
    middle, span = median(ordered), ordered[-1] - ordered[0]
    gaps = [above - below for below, above in pairwise(ordered)]
    gap = max(gaps, default=0.0)
    below = gaps.index(gap) + 1 if gaps else 0
    return [text for text, true in (
        ("one sample", len(ordered) == 1),
        ("two processes or samples: no interval", len(ordered) > 1 and _too_few(samples)),
        ("sample under 1 ms", middle * loops < SHORT),  # all its loops together
        (f"spread {100 * span / middle:.0f} %", span > SPREAD * middle),
        ("two modes", gap > span / 2 and SIDE <= below <= len(ordered) - SIDE),
        (f"{disturbed or 0:.0f} disturbed", (disturbed or 0) > 0),
    ) if true]
