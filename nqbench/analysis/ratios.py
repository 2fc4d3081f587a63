"""Ratios of times, taken round by round.

Sample i of two points of the same run and n was measured in the same process at nearly the same
time, so what slows the machine for a while slows both. The ratio of two medians from different
moments has no such protection, and is not used. A study
with a baseline compares all others with it:

    records = nqbench.analysis.latest(nqbench.analysis.load("results/local"))
    over = nqbench.analysis.baseline(records)
    nqbench.analysis.against_baseline(nqbench.analysis.timings(records),
                                      nqbench.analysis.counters(records), over)
"""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import pandas as pd

from nqbench.analysis.frames import POINT, figures, latest, study
from nqbench.analysis.uncertainty import chance, interval, verdicts_by_n
from nqbench.records.record import Samples

Names = tuple[str, str]  # of a solver: algorithm, implementation


class Ratio(NamedTuple):
    """The median of a ratio of times, its 95 % bootstrap interval, and its p-value (`chance`)."""

    times: float
    low: float
    high: float
    chance: float


def ratio(over: Sequence[float], under: Sequence[float]) -> Ratio:
    """Return the ratio of times over the rounds that both have, process by process.

    >>> ratio([2.0, 4.4, 6.0], [1.0, 2.0, 3.0, 4.0])[:3]
    (2.0, 2.0, 2.2)
    """
    processes = [side.processes if isinstance(side, Samples) else 1 for side in (over, under)]
    each = [len(side) // many for side, many in zip((over, under), processes, strict=True)]
    quotients = Samples([over[process * each[0] + turn] / under[process * each[1] + turn]
                         for process in range(min(processes)) for turn in range(min(each))],
                        min(processes))
    return Ratio(median(quotients), *interval(quotients), chance(quotients))


def kernels(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Compare the kernels of the counting engine with compiled `somers`, from the newest study that
    has both, only of `machine`, if it is given: n, kernel, jobs, seconds (median), ratio (how many
    times faster, median), low, high, verdict, samples and processes (how many), warning.
    """
    run = latest(records, machine, about="engine")
    timed = run[(run["metric"] == "seconds") & (run["status"] == "measured")]
    somers = timed[timed["algorithm"] == "somers"].set_index("n")["samples"].to_dict()
    rows = [(row["n"], row["kernel"], row["jobs"], row["median"],
             *ratio(somers[row["n"]], row["samples"]), len(row["samples"]), row["processes"],
             row["warning"])
            for row in figures(timed).to_dict("records")
            if row["algorithm"] == "cross" and row["n"] in somers]
    found = pd.DataFrame(rows, columns=["n", "kernel", "jobs", "seconds", "times", "low", "high",
                                        "chance", "samples", "processes", "warning"])
    found["chance"] = verdicts_by_n(found, above="faster", below="slower")
    return found.rename(columns={"times": "ratio", "chance": "verdict"})


def ratios(timings: pd.DataFrame, over: Names, under: Names) -> pd.DataFrame:
    """Return the time of `over` divided by that of `under`, for each n that both have: n, ratio
    (median), low, high, chance, over_seconds, under_seconds (medians).
    """
    sides = []
    for side, (algorithm, implementation) in (("over", over), ("under", under)):
        mine = timings[(timings["algorithm"] == algorithm)
                       & (timings["implementation"] == implementation)]
        sides.append(mine.set_index("n")[["samples", "median"]].add_prefix(f"{side}_"))
    both = sides[0].join(sides[1], how="inner").sort_index()
    rows = [(n, *ratio(row.over_samples, row.under_samples), row.over_median, row.under_median)
            for n, row in both.iterrows()]
    return pd.DataFrame(rows, columns=["n", "ratio", "low", "high", "chance", "over_seconds",
                                       "under_seconds"])


def baseline(records: pd.DataFrame) -> Names | None:
    """Return the baseline that the study of these records names, NAME or NAME@IMPLEMENTATION, if
    it was timed: algorithm and implementation; without one, Python or the first that was measured.
    """
    named = study(records).get("baseline")
    timed = records[(records["metric"] == "seconds") & (records["status"] == "measured")]
    solvers = list(dict.fromkeys(zip(timed["algorithm"], timed["implementation"], strict=True)))
    fitting = [(name, way) for name, way in solvers if named in (name, f"{name}@{way}")]
    return min(fitting, key=lambda solver: solver[1] != "python", default=None)


def against_baseline(timings: pd.DataFrame, counters: pd.DataFrame, over: Names) -> pd.DataFrame:
    """Compare the solvers with a baseline, for each n that both have: POINT, ratio (the time of the
    baseline divided by that of the solver, round by round), low, high, verdict, and nodes (the same
    ratio for the nodes; missing unless both have counted the nodes of a tree).

    Above 1 is a gain: the solver is faster, or has fewer nodes.
    """
    solvers = timings[POINT[:2]].drop_duplicates().itertuples(index=False, name=None)
    parts = [ratios(timings, over, (name, way)).assign(algorithm=name, implementation=way)
             for name, way in solvers if (name, way) != over]
    columns = [*POINT, "ratio", "low", "high", "chance"]
    found = pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
    found["chance"] = verdicts_by_n(found.rename(columns={"ratio": "times"}), "faster", "slower")
    nodes = {(*point,): nodes for *point, nodes in zip(
        *(counters[name] for name in [*POINT, "nodes"]), strict=True)
        if nodes is not None and nodes > 1}  # without a tree there is only the root
    found["nodes"] = [nodes[*over, n] / nodes[name, way, n]
                      if {(*over, n), (name, way, n)} <= nodes.keys() else None
                      for name, way, n in zip(*(found[name] for name in POINT), strict=True)]
    return found.astype({"nodes": float}).rename(columns={"chance": "verdict"})
