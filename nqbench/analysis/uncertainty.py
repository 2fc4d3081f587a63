"""The uncertainty of a time: its interval, ratios and their verdicts, and warnings.

A sample is what one search took in one round of one process. Samples of one process are alike for
every search; processes differ by several per cent, as they place code and data at other addresses.
So a process counts once, by the median of its rounds. The time of a search is the geometric mean of
these medians, and everything is said of their logarithms: the interval is that of Student's t, and
so is the p-value of a ratio, so that they never disagree. Student's t is the exact answer to "how
far may the mean of a few values be from the true one" if processes differ by chance alone
(docs/metrics.md has the coverage). If there is only one process, its samples take the place of the
medians, and what is said holds within this process.

If two searches took turns, their ratio is taken round by round: a process counts by the median of
the quotients of its rounds (paired t test). What the machine did to both in a round cancels out, so
the ratio may differ a little from the quotient of the two times. Else each side has its own
processes (Welch, 1947). Samples by the processor are compared with each other; if one
side has none, both are compared by the time that passed, and if that was often disturbed, there is
no verdict.

A verdict needs a difference of more than half a per cent: the addresses of equal code make less.
Among many comparisons, some seem significant by chance. So the verdicts of one table are one
family, corrected by the method of Holm (1979).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import exp, log, nan, sqrt
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from nqbench.records.record import FEWEST, Samples
from nqbench.search.estimates import quantile

LEVEL = 0.95
MARGIN = log(1.005)  # of a ratio: what equal code may differ by
POWER = 0.8  # of a difference that a run can see: it would find it in so many cases
SPREAD = 0.1  # from the fastest to the slowest sample, as a part of the median
SHORT = 1e-3  # seconds; in a shorter sample the clock matters as much as the search
SIDE = 3  # samples on each side of a gap between two modes
DOUBTFUL = 0.25  # of the samples: more that were disturbed allow no verdict by the time that passed
MOST_PROCESSES = 1000  # processes that anybody would take
NOT_SIGNIFICANT = "not significant"
NOT_KNOWN = "not known"
Numbers = npt.NDArray[np.float64]


def units(samples: Sequence[float], wall: bool = False) -> Numbers:
    """Return the median of each process, in its order; of a single process, its samples. The
    seconds that passed, if `wall`, of samples that have both.

    >>> units([1.0, 2.0]).tolist(), units(Samples([1.0, 2.0, 3.0, 5.0], processes=2)).tolist()
    ([1.0, 2.0], [1.5, 4.0])
    """
    values = _rounds(samples, wall)
    return np.median(values, axis=1) if len(values) > 1 else values[0]


def _rounds(samples: Sequence[float], wall: bool) -> Numbers:
    """Return the samples as an array of processes and rounds."""
    processes = samples.processes if isinstance(samples, Samples) else 1
    known = getattr(samples, "wall", None) if wall else None
    return np.array(samples if known is None else known, float).reshape(processes, -1)


def typical(samples: Sequence[float]) -> float:
    """Return the time of a search: the geometric mean of its processes, or of its samples if there
    is one process; the mean where a value is not above 0.

    >>> typical([1.0, 4.0]), typical([0.0, 4.0])
    (2.0, 2.0)
    """
    values = units(samples)
    if (values == values[0]).all():
        return float(values[0])
    return float(np.exp(np.log(values).mean()) if (values > 0).all() else values.mean())


def interval(samples: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of `typical`; two NaN for fewer than 3 processes, or fewer than 3
    samples of one process.

    >>> [round(end, 3) for end in interval([1.0, 1.1, 0.9])]
    [0.777, 1.279]
    >>> interval([1.0, 2.0])
    (nan, nan)
    """
    values = units(samples)
    if (values > 0).all():
        return _ratio(*_mean(np.log(values)))[1:3]
    mean, error, freedom = _mean(values)
    reach = error * quantile(freedom)
    return mean - reach, mean + reach


class Ratio(NamedTuple):
    """The ratio of two times, its 95 % interval, its two-sided p-value if the true ratio differs
    from 1 by no more than MARGIN, and the standard error and the degrees of freedom of its
    logarithm; NaN for what is not known.

    The p-value is at most 5 % exactly if no ratio in the interval is so close to 1.
    """

    times: float
    low: float
    high: float
    chance: float
    error: float
    freedom: float

    def chance_below(self, limit: float) -> float:
        """Return the one-sided p-value of a ratio above a limit, if the true one is at most that.

        >>> tie = ratio([1.02, 1.1, 1.05, 1.07, 1.04], [1.0] * 5)
        >>> round(tie.chance, 4), round(tie.chance_below(1), 4), round(tie.chance_below(1.05), 2)
        (0.0187, 0.0068, 0.35)
        """
        from scipy.special import stdtr

        if self.chance != self.chance:
            return nan
        distance = log(self.times / limit)
        return float(stdtr(self.freedom, -distance / self.error) if self.error else distance <= 0)


def ratio(over: Sequence[float], under: Sequence[float]) -> Ratio:
    """Return the ratio of two times that were measured in turns, over the rounds that both have.

    >>> ratio([2.0, 4.0, 6.0], [1.0, 2.0, 3.0, 4.0])[:4]
    (2.0, 2.0, 2.0, 0.0)
    """
    return _ratio(*_mean(_quotients(over, under)), doubtful(over, under))


def _quotients(over: Sequence[float], under: Sequence[float]) -> Numbers:
    """Return the logarithm of the median quotient of the rounds of each process, or of each round
    of a single process.
    """
    wall = _by_wall(over, under)
    sides = [_rounds(side, wall) for side in (over, under)]
    processes, rounds = (min(sizes) for sizes in zip(*(side.shape for side in sides), strict=True))
    found = np.log(sides[0][:processes, :rounds] / sides[1][:processes, :rounds])
    return np.median(found, axis=1) if processes > 1 else found[0]


def against(over: Sequence[float], under: Sequence[float]) -> Ratio:
    """Return the ratio of two times that were not measured in turns.

    >>> [round(x, 3) for x in against([2.0, 2.1, 2.2, 1.9, 1.8], [1.0, 1.01, 0.99, 1.02, 0.98])][:4]
    [1.995, 1.81, 2.2, 0.0]
    >>> against([2.0], [1.0])[:3]
    (2.0, nan, nan)
    """
    wall = _by_wall(over, under)
    sides = np.log(units(over, wall)), np.log(units(under, wall))
    return _ratio(*_difference(*sides), doubtful(over, under))


def geometric_mean(points: Sequence[tuple[Sequence[float], Sequence[float], bool]]) -> Ratio:
    """Return the geometric mean of the ratios of points: the samples over and under each, and
    whether they were taken in turns. A process counts once, by its mean over all points.

    >>> geometric_mean([([2.0], [1.0], True), ([8.0], [1.0], True)])[:2]
    (4.0, nan)
    """
    if not points:
        return Ratio(*[nan] * 6)
    doubt = any(doubtful(over, under) for over, under, _ in points)
    if all(in_turns for *_, in_turns in points):
        quotients = [_quotients(over, under) for over, under, _ in points]
        return _ratio(*_mean(_average(quotients)), doubt)
    sides = [[np.log(units(each, _by_wall(over, under))) for each in (over, under)]
             for over, under, _ in points]
    return _ratio(*_difference(*map(_average, zip(*sides, strict=True))), doubt)


def _average(points: Sequence[Numbers]) -> Numbers:
    """Return the mean over points of each process that all of them have."""
    least = min(map(len, points))
    found: Numbers = np.mean([each[:least] for each in points], axis=0)
    return found


def _by_wall(*sides: Sequence[float]) -> bool:
    """Return whether samples are compared by the time that passed, which is all that one has."""
    return any(getattr(side, "wall", None) is None for side in sides)


def doubtful(*sides: Sequence[float]) -> bool:
    """Return whether sides that are compared by the time that passed were disturbed too often.

    >>> passed, spent = Samples([1.0] * 3, disturbed=2), Samples([1.0] * 3, 1, [1.5] * 3, 3)
    >>> doubtful(passed), doubtful(spent), doubtful(spent, passed)
    (True, False, True)
    """
    return _by_wall(*sides) and any(
        getattr(side, "disturbed", 0) > DOUBTFUL * len(side) for side in sides)


def _mean(values: Numbers) -> tuple[float, float, float]:
    """Return a mean, its standard error, and its degrees of freedom; NaN for too few values."""
    many, mean = len(values), float(values.mean())
    if many < FEWEST:
        return mean, nan, nan
    return mean, float(values.std(ddof=1)) / sqrt(many), float(many - 1)


def _difference(one: Numbers, other: Numbers) -> tuple[float, float, float]:
    """Return the difference of two means, as `_mean` returns one (Welch, 1947)."""
    distance = float(one.mean() - other.mean())
    if min(len(one), len(other)) < FEWEST:
        return distance, nan, nan
    parts = [(float(side.var(ddof=1)) / len(side), len(side) - 1) for side in (one, other)]
    whole = sum(part for part, _ in parts)
    each = sum(part**2 / freedom for part, freedom in parts)
    return distance, sqrt(whole), whole**2 / each if each else float(parts[0][1])


def _ratio(mean: float, error: float, freedom: float, doubt: bool = False) -> Ratio:
    """Return a ratio from the mean of its logarithm, without a p-value where there is a doubt."""
    from scipy.special import stdtr

    reach = error * quantile(freedom)
    beyond = max(0.0, abs(mean) - MARGIN)
    chance = nan if doubt or error != error else float(beyond == 0) if error == 0 else (
        2 * float(stdtr(freedom, -beyond / error)))
    return Ratio(exp(mean), exp(mean - reach), exp(mean + reach), chance, error, freedom)


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


def verdicts_of(rows: pd.DataFrame, above: str = "slower",
                below: str = "faster") -> "pd.Series[str]":
    """Return the verdict of each row of a table with `times` and their `chance`; the whole table is
    one family.
    """
    return pd.Series(verdicts(list(rows["times"]), list(rows["chance"]), above, below), rows.index,
                     dtype=object)


def smallest_difference(error: float, freedom: float, comparisons: int = 1) -> float:
    """Return the smallest difference that a ratio with this error would show in `POWER` of all
    cases, among so many comparisons, as a part of 1; NaN if the error is not known.

    >>> round(smallest_difference(0.01, 4), 4)
    0.0431
    """
    sure = quantile(freedom, 1 - (1 - LEVEL) / 2 / comparisons)
    return exp(MARGIN + error * (sure + quantile(freedom, POWER))) - 1


def needed_processes(spread: float, difference: float) -> int | None:
    """Return how many processes would show such a difference, if the logarithm of a ratio has this
    standard deviation from process to process; None if more than `MOST_PROCESSES`.

    >>> needed_processes(0.01, 0.01), needed_processes(0.01, 0.1), needed_processes(1.0, 0.01)
    (34, 3, None)
    """
    return next((many for many in range(FEWEST, MOST_PROCESSES + 1) if smallest_difference(
        spread / sqrt(many), many - 1) <= difference), None)


class Components(NamedTuple):
    """How much times vary, as standard deviations of their logarithms (Kalibera and Jones, 2013).

    Attributes
    ----------
    process
        of the difference between two searches, divided by the square root of 2, from process to
        process.
    round
        of what a round of a process does to all searches alike, which no ratio contains.
    sample
        of the rest.
    """

    process: float
    round: float
    sample: float


def components(tables: Iterable[Sequence[Sequence[float]]]) -> Components | None:
    """Return the components of variance of tables: in each, the samples of searches that took turns
    at one n, all in the same number of processes and rounds; None where there are not two of each.

    They come from the means of squares of logarithms (Searle, Casella and McCulloch, Variance
    Components, 1992, chapter 4), averaged over the tables.
    """
    found: list[tuple[float, float, float]] = []
    for table in tables:
        shapes = {(each.processes, len(each)) for each in table if isinstance(each, Samples)}
        if len(shapes) != 1 or len(table) < 2:
            continue
        ((processes, many),) = shapes
        rounds = many // processes
        if processes < 2 or rounds < 2:
            continue
        y = np.log(np.reshape([*table], (len(table), processes, rounds)))
        cells, turns = y.mean(axis=2, keepdims=True), y.mean(axis=0, keepdims=True)
        means = cells.mean(axis=0, keepdims=True)
        searches, rest = len(table) - 1, y - cells - turns + means
        sample = (rest**2).sum() / (searches * processes * (rounds - 1))
        shared = len(table) * ((turns - means)**2).sum() / (processes * (rounds - 1))
        own = cells - cells.mean(axis=1, keepdims=True) - means + cells.mean()
        between = rounds * (own**2).sum() / (searches * (processes - 1))
        found.append((max(0.0, (between - sample) / rounds),
                      max(0.0, (shared - sample) / len(table)), sample))
    if not found:
        return None
    return Components(*np.sqrt(np.mean(found, axis=0)).tolist())


def warnings(samples: Sequence[float], loops: int, disturbed: float | None = None) -> list[str]:
    """Return the reasons to doubt the time of these samples, in words; each is of `loops`
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
    below, few = gaps.index(gap) + 1 if gaps else 0, len(units(samples)) < FEWEST
    return [text for text, true in (
        ("one sample", len(ordered) == 1),
        ("two processes or samples: no interval", len(ordered) > 1 and few),
        ("sample under 1 ms", middle * loops < SHORT),  # all its loops together
        (f"spread {100 * span / middle:.0f} %", span > SPREAD * middle),
        ("two modes", gap > span / 2 and SIDE <= below <= len(ordered) - SIDE),
        (f"{disturbed or 0:.0f} disturbed", (disturbed or 0) > 0),
    ) if true]
