"""Ratios of times, taken round by round.

Sample i of two points of one run and n were measured shortly after one another, so
what slows the machine for a while slows both. The ratio of two medians from
different moments has no such protection, and is not used.
"""

from statistics import median

import pandas as pd

from nqbench.analysis.frames import figures, latest
from nqbench.analysis.uncertainty import interval, verdict

Solver = tuple[str, str]  # algorithm, implementation


def ratio(over: list[float], under: list[float]) -> tuple[float, float, float]:
    """Return the median of over[i] / under[i] over the rounds i that both have, and its 95 %
    bootstrap interval.

    >>> ratio([2.0, 4.4, 6.0], [1.0, 2.0, 3.0, 4.0])
    (2.0, 2.0, 2.2)
    """
    quotients = [a / b for a, b in zip(over, under, strict=False)]
    return median(quotients), *interval(quotients)


def kernels(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Return the kernels of the counting engine against compiled `somers`, from the newest
    study that compared them, on one machine, if it is named: n, kernel, jobs, seconds (median),
    ratio (how many times faster, median), low, high, verdict, samples (how many), warning.
    """
    run = latest(records, machine, about="engine")
    timed = run[(run["metric"] == "seconds") & (run["status"] == "measured")]
    somers = timed[timed["algorithm"] == "somers"].set_index("n")["samples"].to_dict()
    rows = []
    for row in figures(timed).to_dict("records"):
        if row["algorithm"] == "cross" and row["n"] in somers:
            times = ratio(somers[row["n"]], row["samples"])
            rows.append((row["n"], row["kernel"], row["jobs"], row["median"], *times,
                         verdict(*times[1:], above="faster", below="slower"),
                         len(row["samples"]), row["warning"]))
    return pd.DataFrame(rows, columns=["n", "kernel", "jobs", "seconds", "ratio", "low", "high",
                                       "verdict", "samples", "warning"])


def ratios(timings: pd.DataFrame, over: Solver, under: Solver) -> pd.DataFrame:
    """Return the time of `over` as a multiple of that of `under`, for each n that both
    have: n, ratio (median), low, high, over_seconds, under_seconds (medians).
    """
    sides = []
    for side, (algorithm, implementation) in (("over", over), ("under", under)):
        mine = timings[(timings["algorithm"] == algorithm)
                       & (timings["implementation"] == implementation)]
        sides.append(mine.set_index("n")[["samples", "median"]].add_prefix(f"{side}_"))
    both = sides[0].join(sides[1], how="inner").sort_index()
    rows = [(n, *ratio(row.over_samples, row.under_samples), row.over_median, row.under_median)
            for n, row in both.iterrows()]
    return pd.DataFrame(rows, columns=["n", "ratio", "low", "high", "over_seconds",
                                       "under_seconds"])
