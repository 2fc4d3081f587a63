"""Compare sets of solvers over many problems: performance profiles, cactus plots, PAR2 scores.

All of them read a frame `costs`, with a row for each problem and a column for each solver: the cost
of solving the problem, or NaN if the solver did not solve it. `seconds_by_n` makes it from a study
of queens.

    records = nqbench.analysis.load("results")
    costs = nqbench.analysis.seconds_by_n(nqbench.analysis.latest(records))
    nqbench.analysis.performance_profile(costs)
"""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from nqbench.analysis.frames import outcomes
from nqbench.records.contradictions import WRONG

SOLVER = ["algorithm", "implementation"]


def performance_profile(costs: pd.DataFrame) -> pd.DataFrame:
    """Return for each solver the share of all problems that it solves within `tau` times the
    cost of the best solver: solver, tau, share; a row for each tau at which the share grows, and
    one for tau = 1, the share at which it is the best.

    The definition is that of Dolan and More, "Benchmarking optimization software with performance
    profiles", Mathematical Programming 91 (2002): the ratio r = cost / least cost of all solvers on
    the same problem; share = problems with r <= tau / all problems. A problem that a solver did not
    solve has no tau; one that nobody solved counts among all problems. If the least cost is 0, no
    factor of it reaches a larger one. The solver has its name in `costs`, or the names of the
    levels of its columns.

    >>> costs = pd.DataFrame({"a": [1.0, 4.0], "b": [2.0, 2.0], "c": [8.0, None]})
    >>> print(performance_profile(costs).to_string(index=False))
    solver  tau  share
         a  1.0    0.5
         a  2.0    1.0
         b  1.0    0.5
         b  2.0    1.0
         c  1.0    0.0
         c  8.0    0.5
    """
    least = costs.min(axis=1)
    ratios = costs.div(least, axis=0).mask(costs.eq(least, axis=0), 1.0).replace(np.inf, np.nan)
    rows: list[tuple[Any, ...]] = []
    for solver, column in ratios.items():
        taus, many = np.unique([1.0, *column.dropna()], return_counts=True)
        solved = many.cumsum() - 1  # without the 1 that was added
        rows += [(*_names(solver), float(tau), int(done) / len(costs))
                 for tau, done in zip(taus, solved, strict=True)]
    return pd.DataFrame(rows, columns=[*_levels(costs), "tau", "share"])


def cactus(costs: pd.DataFrame) -> pd.DataFrame:
    """Return for each solver the problems that it solves, the cheapest first: solver, solved (1, 2,
    ...), cost (of that problem) and total (of all so far).

    This is the order of a cactus plot, which Brain, Davenport and Griggio describe in "Benchmarking
    solvers, SAT-style" (SC-Square 2017): with `cost` as the limit of one problem, `solved` problems
    are solved. A solver that solved none has no row.

    >>> costs = pd.DataFrame({"a": [4.0, 1.0, None], "b": [2.0, 2.0, 9.0]})
    >>> print(cactus(costs).to_string(index=False))
    solver  solved  cost  total
         a       1   1.0    1.0
         a       2   4.0    5.0
         b       1   2.0    2.0
         b       2   2.0    4.0
         b       3   9.0   13.0
    """
    rows: list[tuple[Any, ...]] = []
    for solver, column in costs.items():
        ordered = np.sort(column.dropna().to_numpy(dtype=float))
        rows += [(*_names(solver), place, float(cost), float(total)) for place, (cost, total) in
                 enumerate(zip(ordered, ordered.cumsum(), strict=True), 1)]
    return pd.DataFrame(rows, columns=[*_levels(costs), "solved", "cost", "total"])


def par2(costs: pd.DataFrame, limit: float) -> pd.DataFrame:
    """Return the PAR2 score of each solver, the best first: solver, problems, solved, par2.

    The score is the mean cost over all problems, where one that was not solved within `limit`
    counts as twice the limit: the penalised average runtime of Hutter et al., "ParamILS", Journal
    of Artificial Intelligence Research 36 (2009), with the factor 2 of the SAT competitions.

    >>> costs = pd.DataFrame({"a": [4.0, None], "b": [2.0, 2.0]})
    >>> print(par2(costs, 10).to_string(index=False))
    solver  problems  solved  par2
         b         2       2   2.0
         a         2       1  12.0
    """
    rows = [(*_names(solver), len(costs), int((column <= limit).sum()),
             float(column.astype(float).where(column <= limit, 2 * limit).mean()))
            for solver, column in costs.items()]
    found = pd.DataFrame(rows, columns=[*_levels(costs), "problems", "solved", "par2"])
    return found.sort_values("par2", kind="stable").reset_index(drop=True)


def contributions(costs: pd.DataFrame, limit: float) -> "pd.Series[float]":
    """Return for each solver its contribution to the set: its Shapley value, as a share of the
    total; all of them add up to 1.

    The worth of a set is what its virtual best solver, which takes the least cost of the set on
    each problem, saves over twice the limit on all problems. A solver's Shapley value is the mean
    of what it adds to the worth if the solvers join in a random order: Frechette et al., "Using the
    Shapley value to analyze algorithm portfolios" (AAAI 2016). On one problem, what solvers save is
    shared like the cost of a runway: solvers that save as much share each part equally.

    >>> costs = pd.DataFrame({"a": [4.0, None], "b": [2.0, 2.0]})
    >>> contributions(costs, 10).round(3).to_dict()
    {'a': 0.222, 'b': 0.778}
    """
    saved = 2 * limit - costs.astype(float).where(costs <= limit, 2 * limit).to_numpy()
    order = saved.argsort(axis=1)
    steps = np.diff(np.take_along_axis(saved, order, axis=1), axis=1, prepend=0.0)
    shared = (steps / np.arange(len(costs.columns), 0, -1)).cumsum(axis=1)
    values = np.zeros_like(saved)
    np.put_along_axis(values, order, shared, axis=1)
    return pd.Series(values.sum(axis=0) / max(values.sum(), 1e-300), costs.columns)


def _names(solver: Hashable) -> tuple[Any, ...]:
    """Return the names of a solver, one for each level of the columns of costs."""
    return solver if isinstance(solver, tuple) else (solver,)


def _levels(costs: pd.DataFrame) -> list[str]:
    """Return the names of the levels in the name of a solver."""
    return [str(name or "solver") for name in costs.columns.names]


def seconds_by_n(records: pd.DataFrame, first: int = 1) -> pd.DataFrame:
    """Return the costs of one run of queens: a problem is an n from `first` on, a solver an
    algorithm and its implementation, the cost the median of its times in seconds.

    The problems are the n that the study gave to every solver of the run and at which at least one
    was measured: larger n, which the study tried in vain, say nothing about the solvers. A problem
    that timed out or was skipped for any reason is not solved.
    """
    asked = outcomes(records[(records["n"] >= first) & (records["status"] != WRONG)])
    asked = asked.drop_duplicates(["n", *SOLVER])
    solvers = pd.MultiIndex.from_frame(asked[SOLVER].drop_duplicates())
    medians = asked["samples"].map(lambda samples: np.median(samples) if samples else np.nan)
    costs = asked.assign(cost=medians.astype(float)).pivot(
        index="n", columns=SOLVER, values="cost").reindex(columns=solvers)
    everyone = asked.groupby("n").size() == len(solvers)
    return costs[everyone.reindex(costs.index)].dropna(how="all")


def limit_of_search(records: pd.DataFrame, costs: pd.DataFrame) -> float:
    """Return the limit of one search in seconds, for `par2` of the costs of a run of queens: the
    longest time that the study allowed for one search, but at least the longest of `costs`.

    A record of a search that was too long has the seconds that were `allowed` for all its rounds,
    and those that they would have taken, `cost`; `predicted` is the same share of `cost` as the
    limit is of `allowed`. If only time was short, `allowed` is the rest of a budget, not a limit.
    If nothing was skipped, the limit is the longest search that was measured.
    """
    skipped = records[(records["metric"] == "seconds") & (records["status"] == "left out")
                      & (records["reason"] == "too long")]
    allowed = (skipped["allowed"] * skipped["predicted"] / skipped["cost"]).astype(float)
    return float(np.nanmax([0.0, *allowed, *costs.to_numpy(dtype=float).flat]))
