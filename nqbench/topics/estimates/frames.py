"""Estimates of trees as DataFrames, and the law of the number of solutions."""

from math import copysign, exp, inf, log

import numpy as np
import pandas as pd

from nqbench.engine.estimation import LAW
from nqbench.problems.published import published
from nqbench.records.record import LARGEST_ESTIMATE
from nqbench.search.estimates import Quantity

FITTED = 8  # published values that the law is fitted to
TRIALS = 8  # earlier fits, which show the error of the law
QUANTITIES = {"nodes": "A319283", "solutions": "A000170"}


def _most_probes(records: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates with the most probes for each method and n, the newest of equals.

    They depend only on method, n, probes and seed, not on the machine.
    """
    found = records[(records["metric"] == "estimate") & (records["status"] == "measured")]
    found = found.sort_values(["probes", "run"], kind="stable")
    found = found.drop_duplicates(["method", "n"], keep="last")
    return found.sort_values(["n", "method"], kind="stable")


def _errors(distance: float, error: float) -> float:
    """Return a distance in standard errors.

    >>> _errors(-3.0, 2.0), _errors(0.0, 0.0), _errors(-1.0, 0.0)
    (-1.5, 0.0, -inf)
    """
    return distance / error if error else copysign(inf, distance) if distance else 0.0


def estimates(records: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates: quantity (nodes, solutions), n, method, probes, seed, reached (probes
    that came to a solution), mean, error (the standard error), low, high (95 % interval), known
    (the published value, else missing) and off (mean - known, in standard errors).
    """
    rows = []
    for record in _most_probes(records).to_dict("records"):
        (sample,) = record["samples"]
        for name, figures in (("nodes", sample["nodes"]), ("solutions", sample["levels"][-1])):
            x, n = Quantity(*figures), record["n"]
            known = published(QUANTITIES[name]).get(n)
            off = None if known is None else _errors(x.mean - known, x.error)
            rows.append((name, n, record["method"], record["probes"], record["seed"],
                         sample["reached"], x.mean, x.error, *x.interval, known, off))
    found = pd.DataFrame(rows, columns=["quantity", "n", "method", "probes", "seed", "reached",
                                        "mean", "error", "low", "high", "known", "off"],
                         dtype=object)
    measured = dict.fromkeys(["mean", "error", "low", "high", "off"], float)
    return found.astype({"n": int, **measured}).sort_values(
        "quantity", kind="stable").reset_index(drop=True)


def law(known: dict[int, int], n: int) -> float:
    """Return ln Q(n) by the law Q(n) = C n^b (n / e^1.944)^n, with b and C fitted by least squares
    to the last FITTED of the `known` values.

    The law gives the last factor; the others are empirical.
    """
    sizes = sorted(known)[-FITTED:]
    excess = [log(known[m]) - m * (log(m) - LAW) for m in sizes]
    b, c = np.polyfit(np.log(sizes), excess, 1)
    return float(b * log(n) + c + n * (log(n) - LAW))


def extrapolation() -> pd.DataFrame:
    """Return Q(n) from the first value that is not published to that of LARGEST_ESTIMATE by the
    law: n, solutions, uncertainty (relative), low, high.

    The uncertainty is the largest relative error of the last TRIALS fits to fewer values, at a
    published value as many rows ahead of these values.
    """
    known = dict(published("A000170").up_to(LARGEST_ESTIMATE))
    largest = max(known)
    rows = []
    for n in range(largest + 1, LARGEST_ESTIMATE + 1):
        ahead = n - largest
        wrong = []
        for target in range(largest - TRIALS + 1, largest + 1):
            less = {m: q for m, q in known.items() if m <= target - ahead}
            wrong.append(abs(exp(law(less, target) - log(known[target])) - 1))
        value = exp(law(known, n))
        rows.append((n, value, max(wrong), value * (1 - max(wrong)), value * (1 + max(wrong))))
    return pd.DataFrame(rows, columns=["n", "solutions", "uncertainty", "low", "high"])
