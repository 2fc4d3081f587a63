"""How long searches in random orders run: survival, tails, and what restarts save.

    records = nqbench.analysis.load("results")
    found = nqbench.analysis.run_lengths(records)
    nqbench.analysis.tail_indices(found), nqbench.analysis.saved_by_restarts(found)

A run that gave up is censored at its limit, and stays in the data.

Bruce Hill, A simple general approach to inference about the tail of a distribution (1975); Edward
Kaplan and Paul Meier, Nonparametric estimation from incomplete observations (1958); Carla Gomes,
Bart Selman, Nuno Crato and Henry Kautz, Heavy-tailed phenomena in satisfiability and constraint
satisfaction problems (2000); Michael Luby, Alistair Sinclair and David Zuckerman, Optimal speedup
of Las Vegas algorithms (1993).
"""

from collections.abc import Mapping, Sequence
from math import ceil, floor, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from nqbench.analysis.frames import most_sampled
from nqbench.analysis.uncertainty import LEVEL, SEED
from nqbench.estimation import NORMAL

PLAIN = "random_order"  # the search that the others add restarts to
SHARES = (0.05, 0.1, 0.2)  # shares of the runs, the longest ones, that form a tail
RUNS = ["family", "n", "amount", "over", "instance"]
LENGTHS = [*RUNS, "algorithm", "limit", "lengths", "ended"]
TAILS = [*RUNS, "algorithm", "runs", "gave_up", "share", "tail", "known", "start", "alpha", "low",
         "high"]
RESTARTS = [*RUNS, "algorithm", "runs", "gave_up", "gave_up_without", "figure", "nodes",
            "nodes_without", "saved", "low", "high"]
RESAMPLES = 1000
Lengths = npt.NDArray[np.float64]


def run_lengths(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each algorithm and each set of runs: LENGTHS.

    `over` is "seeds" for runs on one instance, and "instances" for one run on each, where
    `instance` is missing. `lengths` are nodes, at most the smallest limit of all algorithms there;
    `ended` says which runs did not give up. If there are several records, the one with the most
    runs counts.
    """
    found = most_sampled(records, "run_length", [*RUNS, "algorithm"])
    rows: list[Any] = []
    for _, group in found.groupby(RUNS, dropna=False, sort=False):
        limit, many = int(group["nodes_allowed"].min()), int(group["samples"].map(len).min())
        for record in group.to_dict("records"):
            samples = record["samples"][:many]
            rows.append((*(record[name] for name in RUNS), record["algorithm"], limit,
                         [min(nodes, limit) for nodes in samples],
                         [answer is not None and nodes <= limit for nodes, answer in zip(
                             samples, record["solvable"], strict=False)]))
    return pd.DataFrame(rows, columns=LENGTHS).astype({"instance": "Int64"}).sort_values(
        [*RUNS, "algorithm"], ignore_index=True)


def survival_of_runs(lengths: Sequence[int], ended: Sequence[bool]) -> tuple[Lengths, Lengths]:
    """Return lengths in rising order, and the share of runs that are longer than each, by Kaplan
    and Meier.

    >>> [part.tolist() for part in survival_of_runs([3, 1, 9, 9], [True, True, False, False])]
    [[1.0, 3.0, 9.0], [0.75, 0.5, 0.5]]
    """
    from scipy.stats import CensoredData, ecdf

    values, known = np.array(lengths, dtype=float), np.array(ended)
    found = ecdf(CensoredData(values[known], right=values[~known])).sf
    return found.quantiles, found.probabilities


class Tail(NamedTuple):
    """The tail of a distribution: how many runs it has, and how many of them did not give up; the
    length at which it starts; alpha, its index, and the 95 % interval, NaN if it is not known.
    """

    runs: int
    known: int
    start: float
    alpha: float
    low: float
    high: float


def fit_tail(lengths: Sequence[float], ended: Sequence[bool], share: float) -> Tail:
    """Return the tail that consists of the longest share of the runs.

    Its index is that of a power law, P(length > x) ~ x^-alpha, by the estimate of Hill, which has
    the maximum likelihood. A run that gave up adds its length, but does not count as an end:
    alpha = ended / sum of log(length / start). The standard error is alpha / sqrt(ended).

    An index of 1 or less means an infinite mean, and of 2 or less an infinite variance.

    >>> fit_tail([1, 2, 4, 8, 16], [True, True, True, True, False], 0.6)[:3]
    (3, 2, 2.0)
    >>> round(fit_tail([1, 2, 4, 8, 16], [True, True, True, True, False], 0.6).alpha, 3)
    0.481
    """
    values, known = np.array(lengths, dtype=float), np.array(ended)
    start = float(np.sort(values)[-floor(len(values) * share) - 1])
    beyond = values > start
    runs, ends = int(beyond.sum()), int((beyond & known).sum())
    if not ends:
        return Tail(runs, 0, start, nan, nan, nan)
    alpha = ends / float(np.log(values[beyond] / start).sum())
    error = NORMAL * alpha / sqrt(ends)
    return Tail(runs, ends, start, alpha, max(0.0, alpha - error), alpha + error)


def tail_indices(found: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each row of `run_lengths` and each of SHARES: TAILS, see `fit_tail`."""
    rows = [(*(row[name] for name in RUNS), row["algorithm"], len(row["ended"]),
             row["ended"].count(False), share, *fit_tail(row["lengths"], row["ended"], share))
            for row in found.to_dict("records") for share in SHARES]
    return pd.DataFrame(rows, columns=TAILS).astype({"instance": "Int64"})


def mean(lengths: Lengths) -> Lengths:
    """Return the mean of the runs of each row up to their common limit: the area under the curve of
    Kaplan and Meier.
    """
    found: Lengths = lengths.mean(axis=-1)
    return found


# The quantiles among the figures, None for the mean.
FIGURES: Mapping[str, float | None] = {"mean": None, "median": 0.5, "99 %": 0.99}


def compute_figures(lengths: Lengths, drawn: npt.NDArray[np.intp]) -> dict[str, Lengths]:
    """Return by name the FIGURES of the runs that each row draws. A quantile is the least length
    that this share of the runs does not exceed.

    >>> runs, drawn = np.array([9.0, 1.0, 3.0]), np.array([[0, 1, 2], [1, 1, 2]])
    >>> {name: each.tolist() for name, each in compute_figures(runs, drawn).items()}
    {'mean': [4.333333333333333, 1.6666666666666667], 'median': [3.0, 1.0], '99 %': [9.0, 3.0]}
    """
    ordered, many = np.sort(lengths), drawn.shape[-1]
    ranks = np.searchsorted(ordered, lengths).astype(np.min_scalar_type(len(lengths)))
    places = np.sort(ranks[drawn], axis=-1, kind="stable")  # numbers of 16 bits are sorted fastest
    return {name: mean(lengths[drawn]) if share is None else
            ordered[places[..., ceil(share * many) - 1]] for name, share in FIGURES.items()}


def saved_by_restarts(found: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each search with restarts and each of the FIGURES mean (up to the limit),
    median and 99 % quantile: RESTARTS.

    `saved` is the figure of PLAIN divided by that of the search, and `low` to `high` its 95 %
    bootstrap interval. Run k of both has the same seed, so both are drawn together. The true saving
    is larger if the quantile of PLAIN is the limit, and for the mean if any of its runs gave up.
    """
    rows: list[Any] = []
    for _, group in found.groupby(RUNS, dropna=False, sort=False):
        known = {row["algorithm"]: row for row in group.to_dict("records")}
        plain = known.pop(PLAIN, None)
        if plain is None:
            continue
        runs = len(plain["lengths"])
        drawn = np.random.RandomState(SEED).randint(runs, size=(RESAMPLES, runs))
        over, of_plain = _figures_of(plain, drawn)
        for name, row in known.items():
            under, resampled = _figures_of(row, drawn)
            for figure in FIGURES:
                quotients = of_plain[figure] / resampled[figure]
                low, high = np.quantile(quotients, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
                rows.append((*(row[each] for each in RUNS), name, runs,
                             row["ended"].count(False), plain["ended"].count(False), figure,
                             float(under[figure]), float(over[figure]),
                             float(over[figure] / under[figure]), float(low), float(high)))
    return pd.DataFrame(rows, columns=RESTARTS).astype({"instance": "Int64"})


def _figures_of(row: Mapping[Any, Any], drawn: npt.NDArray[np.intp],
                ) -> tuple[dict[str, Lengths], dict[str, Lengths]]:
    """Return the figures of the runs of a row, and those of their resamples."""
    lengths = np.array(row["lengths"], dtype=float)
    return compute_figures(lengths, np.arange(len(lengths))), compute_figures(lengths, drawn)
