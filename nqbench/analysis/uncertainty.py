"""How sure a figure is: the interval of a median, what it lets one say, and warnings.

A sample is the seconds that one search took in one round. The interval of a median is its
percentile bootstrap (Efron, 1979): of RESAMPLES draws of as many samples, with replacement,
the medians are taken, and what the middle 95 % of them span is the interval. The draws
come from one seed of a generator that numpy has frozen: the same samples have the same interval.

An interval from few samples promises more than it holds. If nothing but chance moves the
samples, it holds the true median in 75 % of all cases with 3 samples, 94 % with 5, 88 % with 7,
and 96 % with 9 or 15.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import nan
from statistics import median

import numpy as np
import numpy.typing as npt

LEVEL = 0.95
RESAMPLES = 10_000
SEED = 1
SPREAD = 0.1  # from the fastest to the slowest sample, as a part of the median
SHORT = 1e-3  # seconds: a sample that was over sooner is as much the clock's as the search's
SIDE = 3  # samples on each side of a gap between two modes
NOT_SIGNIFICANT = "not significant"
NOT_KNOWN = "not known"


def interval(samples: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the median, in the unit of the samples; two
    NaN for a single sample, which says nothing of its own spread, or for none.

    >>> interval([3.0, 1.0, 2.0, 9.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    (2.0, 8.0)
    >>> interval([1.0])
    (nan, nan)
    """
    if len(samples) < 2:
        return nan, nan
    medians = np.sort(np.sort(samples)[_middles(len(samples))].mean(axis=1))
    beside = round(RESAMPLES * (1 - LEVEL) / 2)  # medians on each side of the interval
    return float(medians[beside]), float(medians[-1 - beside])


@cache
def _middles(many: int) -> npt.NDArray[np.intp]:
    """For each resample of `many` sorted samples, the places of the two in its middle, which
    are one if `many` is odd.
    """
    draws = np.random.RandomState(SEED).randint(many, size=(RESAMPLES // 2, many))
    # Each with its mirror image: no side of the interval has more luck than the other.
    both = np.concatenate([draws, many - 1 - draws])
    return np.sort(both, axis=1)[:, [(many - 1) // 2, many // 2]]


def verdict(low: float, high: float, above: str = "slower", below: str = "faster") -> str:
    """Return what a ratio with this interval is: `above` or `below` 1, "not significant" if the
    interval holds 1, "not known" if there is none.

    >>> verdict(1.02, 1.3), verdict(0.5, 0.9), verdict(0.98, 1.01), verdict(nan, nan)
    ('slower', 'faster', 'not significant', 'not known')
    """
    if low != low:
        return NOT_KNOWN
    return above if low > 1 else below if high < 1 else NOT_SIGNIFICANT


def warnings(samples: Sequence[float], loops: int) -> list[str]:
    """Return what makes the median of these samples doubtful, each of `loops` searches timed
    together; samples are the seconds of one search.

    "one sample"; "sample under 1 ms": loops searches took less; "spread 34 %": from the fastest to
    the slowest sample it is more than a tenth of the median; "two modes": the widest gap
    between neighbours is more than half of that, with three samples or more on each side.

    >>> warnings([1.0, 1.01, 1.02, 1.4, 1.41, 1.42], 1)
    ['spread 35 %', 'two modes']
    >>> warnings([1e-6], 100)
    ['one sample', 'sample under 1 ms']
    """
    ordered = sorted(samples)
    middle, span = median(ordered), ordered[-1] - ordered[0]
    gaps = [above - below for below, above in pairwise(ordered)]
    gap = max(gaps, default=0.0)
    below = gaps.index(gap) + 1 if gaps else 0
    return [text for text, true in (
        ("one sample", len(ordered) == 1),
        ("sample under 1 ms", middle * loops < SHORT),
        (f"spread {span / middle:.0%}".replace("%", " %"), span > SPREAD * middle),
        ("two modes", gap > span / 2 and SIDE <= below <= len(ordered) - SIDE),
    ) if true]
