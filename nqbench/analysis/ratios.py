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
from math import nan
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


def ratios(timings: pd.DataFrame, over: Names | None = None,
           under: Names | None = None) -> pd.DataFrame:
    """Return the time of a solver at the same n, `over` that of each point or `under` it, with the
    index of the timings: times (median), low, high, chance; NaN where the solver was not timed.
    """
    samples = timings[is_solver(timings, over or under)].set_index("n")["samples"].to_dict()
    sides = [(samples.get(n), own) if over else (own, samples.get(n))
             for n, own in zip(timings["n"], timings["samples"], strict=True)]
    return pd.DataFrame([ratio(*pair) if all(pair) else [nan] * 4 for pair in sides],
                        timings.index, columns=["times", "low", "high", "chance"], dtype=float)


def is_solver(rows: pd.DataFrame, solver: Names | None) -> "pd.Series[bool]":
    """Return which rows are of this algorithm in this implementation."""
    return pd.Series([key == solver for key in zip(
        rows["algorithm"], rows["implementation"], strict=True)], rows.index, bool)


def gained(found: pd.DataFrame) -> pd.DataFrame:
    """Return rows with `times`, those of another time over their own, as `ratio`, and with the
    verdict on it in place of its chance.
    """
    return found.assign(chance=verdicts_by_n(found, "faster", "slower")).rename(
        columns={"times": "ratio", "chance": "verdict"})


def kernels(records: pd.DataFrame, machine: str | None = None) -> pd.DataFrame:
    """Compare the kernels of the counting engine with compiled `somers`, from the newest study that
    has both, only of `machine`, if it is given: n, kernel, jobs, seconds (median), ratio (how many
    times faster, median), low, high, verdict, samples and processes (how many), warning.
    """
    run = latest(records, machine, about="engine")
    timed = figures(run[(run["metric"] == "seconds") & (run["status"] == "measured")])
    timed = timed.drop(columns=["low", "high"]).join(ratios(timed, ("somers", "cython")))
    found = timed[(timed["algorithm"] == "cross") & timed["times"].notna()]
    found = gained(found.assign(seconds=found["median"], samples=found["samples"].map(len)))
    return found[["n", "kernel", "jobs", "seconds", "ratio", "low", "high", "verdict", "samples",
                  "processes", "warning"]].infer_objects().reset_index(drop=True)


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
    found = timings[POINT].join(ratios(timings, over))[~is_solver(timings, over)]
    found = gained(found.dropna(subset="times"))
    nodes = {(*point,): nodes for *point, nodes in zip(
        *(counters[name] for name in [*POINT, "nodes"]), strict=True)
        if nodes is not None and nodes > 1}  # without a tree there is only the root
    found["nodes"] = [nodes[*over, n] / nodes[name, way, n]
                      if {(*over, n), (name, way, n)} <= nodes.keys() else None
                      for name, way, n in zip(*(found[name] for name in POINT), strict=True)]
    return found.astype({"nodes": float}).reset_index(drop=True)
