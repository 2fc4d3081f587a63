"""From solvable to unsolvable: random instances of queens.

    records = nqbench.analysis.load("results")
    nqbench.analysis.transitions(records)
"""

from functools import cache
from math import inf, log, nan, sqrt
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

from nqbench.analysis.frames import most_sampled
from nqbench.estimation import NORMAL
from nqbench.instances.families import FAMILIES
from nqbench.reference import published

ALGORITHM = "fewest_lines"
COLUMNS = ["family", "n", "amount", "density", "instances", "solvable", "gave_up", "share", "low",
           "high", "nodes"]
POINTS = ["family", "n", "density", "low", "high", "kappa", "kappa_low", "kappa_high"]


def transitions(records: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each family, n and amount, from the record of the most instances that
    ALGORITHM decided: COLUMNS.

    `share` is the share of solvable instances among those that were decided, and `low` to `high`
    its 95 % interval (Wilson, 1927). If a search gave up, its instance counts as unsolvable for
    `low` and as solvable for `high`. `nodes` is the median over all instances: infinite if half of
    the searches gave up.

    The figures depend only on family, n, amount, seed and the allowed nodes, not on the machine.
    """
    found = most_sampled(records[records["algorithm"] == ALGORITHM], "transition",
                         ["family", "n", "amount"])
    rows = []
    for record in found[found["family"].isin(FAMILIES)].to_dict("records"):
        n, amount, answers = record["n"], record["amount"], record["solvable"]
        many, solvable, gave_up = len(answers), answers.count(True), answers.count(None)
        low, high = _wilson(solvable, many)[0], _wilson(solvable + gave_up, many)[1]
        nodes = median(inf if answer is None else count for answer, count in zip(
            answers, record["samples"], strict=True))
        rows.append((record["family"], n, amount, FAMILIES[record["family"]].density(n, amount),
                     many, solvable, gave_up, solvable / max(1, many - gave_up), low, high, nodes))
    return pd.DataFrame(rows, columns=COLUMNS).sort_values(
        ["family", "n", "density"], kind="stable").reset_index(drop=True)


@cache
def _wilson(many: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by the method of Wilson."""
    from scipy.stats import binomtest

    low, high = binomtest(many, of).proportion_ci(method="wilson")
    return float(low), float(high)


def half_points(found: pd.DataFrame) -> pd.DataFrame:
    """Return the density at which half of the instances have a solution: POINTS, a row for each
    family and n where the share crosses one half. Too few points give an interval that leaves the
    densities of instances with a solution: such a row is omitted.

    A logistic curve is fitted to the decided instances by maximum likelihood; the 95 % interval
    comes from the delta method. `kappa`, with the same interval, is that density as a
    `constrainedness`.
    """
    rows: list[Any] = []
    for _, points in found.groupby(["family", "n"], sort=False):
        family, n = points["family"].iloc[0], int(points["n"].iloc[0])
        if points["share"].max() > 0.5 > points["share"].min():
            middle, error = _fit(points)
            ends = (middle - NORMAL * error, middle + NORMAL * error)
            of = FAMILIES[family]
            low, high = sorted(of.density(n, amount) for amount in (0, of.most(n)))
            if low <= ends[0] <= ends[1] <= high:
                kappas = [constrainedness(family, n, density) for density in (middle, *ends)]
                rows.append((family, n, middle, *ends, kappas[0], *sorted(kappas[1:])))
    return pd.DataFrame(rows, columns=POINTS)


def constrainedness(family: str, n: int, density: float) -> float:
    """Return kappa: 0 on the empty board, 1 where one solution is expected; NaN if the probability
    that a solution survives has no simple form for the family, or if Q(n) is not published.

    kappa = -log P / log Q(n), where Q(n) counts the solutions of the empty board, and P is the
    probability that one of them is a solution of a random instance. Gent, MacIntyre, Prosser and
    Walsh, The constrainedness of search (1996); Gent, Jefferson and Nightingale (2017) write n! /
    2.54^n for Q(n).

    >>> round(constrainedness("blocked", 8, 5.0), 3)  # 92 * (5/8)^8 = 2.14 are expected
    0.832
    """
    survives, solutions = FAMILIES[family].survives, published("A000170").get(n)
    if survives is None or solutions is None or solutions < 2:
        return nan
    return abs(survives(n, density)) / log(solutions)


def _fit(points: pd.DataFrame, steps: int = 50) -> tuple[float, float]:
    """Return where a logistic curve through shares is one half, and its standard error, by Newton's
    method.
    """
    at = points["density"].to_numpy(float)
    centre, scale = at.mean(), at.std() or 1.0
    x = np.column_stack([np.ones(len(at)), (at - centre) / scale])
    decided = (points["instances"] - points["gave_up"]).to_numpy(float)
    solvable = points["solvable"].to_numpy(float)
    a = np.zeros(2)
    for _ in range(steps):
        share = 1 / (1 + np.exp(-np.clip(x @ a, -30, 30)))
        information = x.T @ (x * (decided * share * (1 - share))[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(information, x.T @ (solvable - decided * share))
        a += np.clip(step, -5, 5)
        if np.abs(step).max() < 1e-10:
            break
    covariance = np.linalg.inv(information)
    slope = np.array([-1 / a[1], a[0] / a[1] ** 2])
    return (float(centre - scale * a[0] / a[1]),
            float(scale * sqrt(max(0.0, slope @ covariance @ slope))))
