"""What a solution costs each engine."""

from math import hypot
from statistics import median
from typing import Any, cast

import pandas as pd

from nqbench.analysis.frames import one_run
from nqbench.analysis.ratios import ratio
from nqbench.analysis.uncertainty import interval
from nqbench.engine.plans import Sample
from nqbench.problems.published import published

SEARCHES = ("somers", "cross", "join")
COUNTED, SAMPLED = "count", "sample"
NANO = 1e9


def latest_engines(records: pd.DataFrame, machine: str) -> pd.DataFrame:
    """Return the records of the newest run that measured both engines on this machine; if there is
    none, the newest on any machine.
    """
    found = records[((records["metric"] == "cpu_seconds") & (records["algorithm"] == "join"))
                    | ((records["metric"] == "plan") & records["algorithm"].notna())]
    found = found[found["status"] == "measured"]
    here = found[found["machine"] == machine]
    newest = (here if len(here) else found).sort_values("run", kind="stable")
    return one_run(records, newest.tail(1))


def costs(run: pd.DataFrame) -> pd.DataFrame:
    """Return the cost of a solution: n, algorithm, by (a whole count, or a sample of its parts if
    there is none), kernel, seconds, nanoseconds (for each solution), low, high (their 95 %
    interval).
    """
    return _seconds(run).drop_duplicates(["n", "algorithm"]).reset_index(drop=True)


def _seconds(run: pd.DataFrame) -> pd.DataFrame:
    """Return the same, with both the whole count and the sample where there are both."""
    rows = []
    for row in _counts(run).to_dict("records"):
        seconds = (median(row["samples"]), *interval(row["samples"]))
        rows.append((row["n"], row["algorithm"], COUNTED, row["kernel"], *seconds))
    plans = run[(run["metric"] == "plan") & (run["status"] == "measured")]
    for row in plans.to_dict("records"):
        sample = Sample.of(row["samples"][0])
        rows.append((sample.n, row["algorithm"], SAMPLED, sample.kernel, *sample.seconds))
    found = pd.DataFrame(rows, columns=["n", "algorithm", "by", "kernel", "seconds", "low", "high"])
    solutions = found["n"].map(published("A000170").get)
    for name, source in (("nanoseconds", "seconds"), ("low", "low"), ("high", "high")):
        found[name] = (NANO * found[source] / solutions).astype(float)
    found = found[["n", "algorithm", "by", "kernel", "seconds", "nanoseconds", "low", "high"]]
    order = found["algorithm"].map(SEARCHES.index)
    return found.assign(order=order).sort_values(["n", "order", "by"]).drop(columns="order")


def engine_ratios(run: pd.DataFrame) -> pd.DataFrame:
    """Return how many times faster the join counts than the cross and than Somers' program: n, by,
    somers, cross, join (seconds), cross_over_join, low, high (95 % interval), somers_over_join.

    Ratios of whole counts are taken round by round; those of samples, which are independent, have
    the interval of a quotient.
    """
    samples = {(row["n"], row["algorithm"]): row["samples"]
               for row in _counts(run).to_dict("records")}
    rows: dict[int, tuple[Any, ...]] = {}
    for key, group in _seconds(run).groupby(["n", "by"]):  # "count" before "sample"
        n, by = cast("tuple[int, str]", key)
        of = group.set_index("algorithm").to_dict("index")
        if n in rows or not {"cross", "join"} <= of.keys():
            continue
        cross, join = of["cross"], of["join"]
        if by == COUNTED:
            times, low, high, _ = ratio(samples[n, "cross"], samples[n, "join"])
        else:
            times = cross["seconds"] / join["seconds"]
            error = times * hypot(*((each["high"] - each["low"]) / (2 * each["nanoseconds"])
                                    for each in (cross, join)))
            low, high = max(0.0, times - error), times + error
        somers = of["somers"]["seconds"] if "somers" in of else None
        rows[n] = (n, by, somers, cross["seconds"], join["seconds"], times, low, high,
                   somers and somers / join["seconds"])
    found = pd.DataFrame(rows.values(), columns=["n", "by", "somers", "cross", "join",
                                                 "cross_over_join", "low", "high",
                                                 "somers_over_join"])
    return found.astype({"somers": float, "somers_over_join": float})


def _counts(run: pd.DataFrame) -> pd.DataFrame:
    """Return the processor times of whole counts on one core with the fastest kernel, which is
    that of the first record of the join.
    """
    found = run[(run["metric"] == "cpu_seconds") & (run["status"] == "measured")
                & (run["jobs"] == 1) & run["algorithm"].isin(SEARCHES)]
    kernels = found[found["algorithm"] == "join"]["kernel"]
    fastest = kernels.iloc[0] if len(kernels) else None
    return found[(found["kernel"] == fastest) | (found["algorithm"] == "somers")]
