"""Estimates of trees as DataFrames."""

from math import copysign, inf

import pandas as pd

from nqbench.problems.published import published
from nqbench.search.estimates import Quantity

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
