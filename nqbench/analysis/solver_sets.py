"""Compare sets of solvers over many problems: performance profiles, cactus plots, PAR2 scores.

All of them read a frame `costs`, with a row for each problem and a column for each solver: the cost
of solving the problem, or NaN if the solver did not solve it. `seconds_by_n` makes it from a study
of queens, `nodes_by_puzzle` from ratings of Sudoku, `nodes_by_instance` from random instances of
queens.

    records = nqbench.analysis.load("results")
    costs = nqbench.analysis.seconds_by_n(nqbench.analysis.latest(records))
    nqbench.analysis.performance_profile(costs)
"""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from nqbench.analysis.frames import most_sampled, outcomes, pruning
from nqbench.records.contradictions import WRONG

SOLVER = ["algorithm", "implementation"]
POINT = ["n", "amount", "seed"]  # of random instances of a family


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


def nodes_by_puzzle(rates: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the costs of ratings by data set: a problem is a puzzle, by its number, a solver an
    algorithm, the cost the nodes of its search.

    Records have no times of single puzzles, except the slowest. The nodes are exact, and the same
    on every machine and in every implementation. A puzzle is not solved if the search used up the
    allowed nodes, or if the algorithm was skipped in all implementations.
    """
    found: dict[str, dict[str, Any]] = {}
    sizes: dict[str, int] = {}
    for record in rates[rates["status"] != WRONG].to_dict("records"):
        name = record["data_set"]
        if record["status"] == "measured" and not isinstance(record["nodes"], list):
            continue  # a program
        trees = found.setdefault(name, {})
        sizes[name] = record["puzzles"]
        trees.setdefault(record["algorithm"], None)
        if record["status"] == "measured" and trees[record["algorithm"]] is None:
            trees[record["algorithm"]] = record["nodes"]
    return {name: pd.DataFrame({
        algorithm: pd.Series(nodes if nodes is not None else [np.nan] * sizes[name], dtype=float)
        for algorithm, nodes in trees.items()}).rename_axis(columns="algorithm").set_axis(
            pd.RangeIndex(1, sizes[name] + 1, name="puzzle")) for name, trees in found.items()}


def decided_together(records: pd.DataFrame) -> pd.DataFrame:
    """Return the records of random instances that can be compared: for each family, those of the
    algorithms that most searches have in common, at each n, amount and seed that all of them have
    decided. If there are several records of the same, the one with the most instances counts. An
    algorithm without a tree has no nodes to compare.
    """
    found = most_sampled(pruning(records), "transition", ["family", *POINT, "algorithm"])
    chosen = [found[:0]]
    for _, rows in found.groupby("family"):
        asked = rows.groupby(POINT)["algorithm"].agg(frozenset)
        together = max(asked, key=lambda algorithms: (
            (len(algorithms) > 1) * len(algorithms) * asked.map(algorithms.issubset).sum(),
            sorted(algorithms)))
        points = asked.index[asked.map(together.issubset)]
        if len(together) > 1:
            chosen.append(rows[rows["algorithm"].isin(together)
                               & rows.set_index(POINT).index.isin(points)])
    return pd.concat(chosen).sort_values(["family", "algorithm", *POINT])


def nodes_by_instance(records: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the costs of random instances of queens by family: a problem is an instance, by its
    n, amount, seed and number, a solver an algorithm, the cost the nodes until it was decided.

    The records are those of `decided_together`. An instance is not solved if it took more nodes
    than the smallest limit of any of them.
    """
    found = {}
    for family, rows in decided_together(records).groupby("family"):
        allowed = rows["nodes_allowed"].min()
        columns = {algorithm: pd.Series({
            (*point, number): nodes if answer is not None and nodes <= allowed else np.nan
            for *point, answers, counts in mine[[*POINT, "solvable", "samples"]].to_numpy()
            for number, (answer, nodes) in enumerate(zip(answers, counts, strict=True), 1)},
            dtype=float) for algorithm, mine in rows.groupby("algorithm")}
        found[str(family)] = pd.concat(columns, axis=1, join="inner").rename_axis(
            index=[*POINT, "instance"], columns="algorithm")
    return found
