"""Compare the times and the counts of two runs, or of two sets of runs, and their answers about
instances of queens.

    nqbench.analysis.compare("2026-11-21T14", "2026-11-22")

Each side is one machine; of several runs, the newest that measured a point counts. Points of one
run are compared process by process. Two runs have no processes in common: intervals and verdicts
hold within one run of each side. They do not include what affects all processes of a run in the
same way.

Instance k of a family, n, amount and seed is the same everywhere. So any two answers about it must
agree, whichever algorithms gave them.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, starmap
from math import isclose, nan, sqrt
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

from nqbench.analysis import uncertainty
from nqbench.problems.plugins.limits import ENDED, STOPPED
from nqbench.records import judge
from nqbench.records.contradictions import (
    MEASURED,
    WrongCount,
    compare_answers,
    contradictions,
    summary,
    suspicions,
)
from nqbench.records.record import SMALL, Record, Samples
from nqbench.records.runs import PLACE, Place, Run, describe, find_sides
from nqbench.search.metrics import Kind, of_record
from nqbench.util.clocks import WALL
from nqbench.util.text import format_seconds, spaced

TOTAL = "total"  # of a check
WANTED = 0.01  # a difference for which the processes are told
Counts = dict[tuple[str, Place], Any]  # by metric


@dataclass(frozen=True)
class Difference:
    """A count that is not the same on both sides."""

    metric: str
    what: str
    n: int
    a: Any
    b: Any

    def __str__(self) -> str:
        return (f"{self.metric} of {self.what} at n = {self.n}: {spaced(self.a)} in A, "
                f"{spaced(self.b)} in B")


@dataclass(frozen=True)
class Lost:
    """A point that A has measured, and whose search was stopped or failed in B.

    >>> print(Lost(("bitmask", "python", None, 1, 9), "timed out", 1.2))
    n = 9, bitmask (python): timed out in B, 1.2 s in A
    """

    place: Place
    status: str
    seconds: float

    def __str__(self) -> str:
        return (f"n = {self.place[-1]}, {describe(self.place)}: {self.status} in B, "
                f"{format_seconds(self.seconds)} in A")


@dataclass(frozen=True)
class Comparison:
    """How B differs from A.

    Attributes
    ----------
    a, b
        the runs of each side, the oldest first.
    rows
        one for each point that both have measured: see `compare`.
    ratios
        the ratio of the times of each.
    lost
        the points that A has measured, and whose searches were stopped or failed in B.
    only_a, only_b
        the other points that one side alone has measured, as PLACE.
    differing
        the counts and the totals that differ.
    sources, same
        the external algorithms whose source is not the same on both sides, and those whose is.
    mean
        the geometric mean of the ratios; NaN without points.
    doubts
        what makes these times doubtful, in words.
    precision
        of the runs, if they have several searches, processes and rounds.
    wrong
        the counts of both sides that are wrong; these searches are not compared.
    strange
        what is strange about searches of both sides, without being wrong, in words.
    """

    a: list[Run]
    b: list[Run]
    rows: pd.DataFrame
    ratios: list[uncertainty.Ratio]
    lost: list[Lost]
    only_a: list[Place]
    only_b: list[Place]
    differing: list[Difference]
    sources: list[str]
    same: list[str]
    mean: uncertainty.Ratio
    doubts: list[str]
    precision: "Precision | None"
    wrong: list[WrongCount]
    strange: list[str]

    @property
    def order(self) -> str:
        """How both were measured, and what the intervals and verdicts contain."""
        if not self.rows["interleaved"].all():
            return ("A and B were not measured in turns: intervals and verdicts hold within one "
                    "run of each, and do not include how much whole runs differ")
        runs = {run.started for run in (*self.a, *self.b)}
        return ("A and B were measured in turns, " + (
            "round by round in the same processes" if len(runs) == 1 else "process by process: the "
            "ratio of each pair counts once, so intervals contain how much processes differ"))

    @property
    def machines(self) -> list[str]:
        """The machines of both sides."""
        return sorted({run.machine for run in (*self.a, *self.b)})

    @property
    def verdicts(self) -> int:
        """How many points have a verdict."""
        return int((self.rows["verdict"] != uncertainty.NOT_KNOWN).sum())

    def find_slower(self, limit: float) -> pd.DataFrame:
        """Return the rows in which B takes longer than `limit` times as long as A beyond chance;
        all rows are one family (Holm).
        """
        return self.rows[uncertainty.holm([each.chance_below(limit) for each in self.ratios])]


@dataclass(frozen=True)
class Precision:
    """How exactly times were measured.

    Attributes
    ----------
    samples, disturbed
        their number, and that of those that were disturbed.
    processes
        the fewest that took the samples of a point.
    smallest
        the smallest difference between two searches that such a run would show, as a part of 1.
    needed
        how many processes would show `WANTED`, None if more than `MOST_PROCESSES`.
    process, round, sample
        how much the times vary: see `nqbench.analysis.uncertainty.Components`.
    """

    samples: int
    disturbed: int
    processes: int
    smallest: float
    needed: int | None
    process: float
    round: float
    sample: float

    def __str__(self) -> str:
        vary = ", ".join(f"{100 * size:.2g} % between {what}" for size, what in (
            (self.process, "processes"), (self.round, "rounds"), (self.sample, "samples")))
        most = uncertainty.MOST_PROCESSES
        more = f"more than {most:,}" if self.needed is None else f"{self.needed}"
        return (f"{self.disturbed:,} of {self.samples:,} samples disturbed; times vary by {vary}; "
                f"{self.processes} processes show a difference of {100 * self.smallest:.2g} % "
                f"between two searches in {100 * uncertainty.POWER:.0f} % of all cases, {more} "
                "would show 1 %")


def measure_precision(points: Sequence[Record]) -> Precision | None:
    """Return how exactly the times of these points were measured, None if that is not known."""
    tables: dict[Any, list[Samples]] = {}
    for point in points:
        taken = point["samples"]
        if point["metric"] == "seconds" and point["n"] > SMALL and taken:
            tables.setdefault((point["run"], point["n"], taken.processes, len(taken)),
                              []).append(taken)
    found = uncertainty.components(tables.values())
    every = [each for table in tables.values() for each in table]
    errors = [one.error * sqrt(one.freedom + 1) for table in tables.values()
              for one in starmap(uncertainty.ratio, pairwise(table)) if one.error == one.error]
    if found is None or not errors:
        return None
    spread = median(errors)
    many = min(each.processes for each in every if each.processes > 1)
    return Precision(sum(map(len, every)), sum(each.disturbed for each in every), many,
                     uncertainty.smallest_difference(spread / sqrt(many), many - 1),
                     uncertainty.needed_processes(spread, WANTED), *found)


def compare(a: str | Path, b: str | Path, results: str | Path = "results") -> pd.DataFrame:
    """Return the times of B over those of A, one row for each point that both have measured.

    Parameters
    ----------
    a, b
        files or folders of records, or else runs, labels or commits of the folder `results`: the
        beginning of a time, the name of a file, the label or identity of a machine, or the
        beginning of a commit.
    results
        folder of the records.

    Returns
    -------
    pandas.DataFrame
        PLACE (algorithm, implementation, kernel, jobs, n), a_seconds, b_seconds, ratio,
        low, high (its 95 % interval), verdict (of B; all points are one family), interleaved
        (whether both were measured in turns), nodes, tests (those of B over those of A, where both
        counted them), warning (what makes the times of A and B doubtful).

    Warns
    -----
    UserWarning
        if counts are wrong or searches strange, if counts or answers differ, if searches that A
        measured were stopped or failed in B, or if the sides are two machines.

    Raises
    ------
    InvalidValueError
        if there are no such records, or if one side has those of several machines.
    """
    made = compare_runs(*find_sides(a, b, results))
    found = [*made.strange, *map(str, made.lost),
             *(f"counts differ: {one}" for one in made.differing)]
    if made.wrong:
        found.insert(0, f"{summary(made.wrong)}; not compared")
    if len(made.machines) > 1 and len(made.rows):
        found.insert(0, "times of two machines are compared")
    for text in found:
        warnings.warn(text, stacklevel=2)
    return made.rows


def compare_runs(a: list[Run], b: list[Run], *,
                 keep: Callable[[Record], bool] = lambda point: True) -> Comparison:
    """Return how the runs of one machine differ from those of another, or of the same, at the
    points to `keep`.
    """
    sides = [*filter(keep, _newest(a))], [*filter(keep, _newest(b))]
    under, over = map(_times, sides)
    stopped = {place: point["status"] for point in sides[1] if point["metric"] == "seconds"
               and point["status"] in (*STOPPED, ENDED) and (place := _place(point)) not in over}
    lost = [Lost(place, stopped[place], median(under[place]["samples"]))
            for place in sorted(under.keys() & stopped.keys(), key=_order)]
    both = sorted((place for place in under if place in over and MEASURED
                   == under[place]["status"] == over[place]["status"]), key=_order)
    pairs = [(over[place], under[place]) for place in both]
    points = [(b["samples"], a["samples"], _run(b) == _run(a)) for b, a in pairs]
    ratios = [(uncertainty.ratio if in_turns else uncertainty.against)(*samples)
              for *samples, in_turns in points]
    counts = [_counts(side) for side in sides]
    figures = pd.DataFrame(ratios, columns=uncertainty.Ratio._fields)
    rows = pd.DataFrame({
        **{name: pd.Series([place[at] for place in both], dtype=object)  # None stays None
           for at, name in enumerate(PLACE)},
        "a_seconds": [uncertainty.typical(each) for _, each, _ in points],
        "b_seconds": [uncertainty.typical(each) for each, *_ in points],
        "ratio": figures["times"], "low": figures["low"], "high": figures["high"],
        "verdict": uncertainty.verdicts_of(figures),
        "interleaved": pd.Series([in_turns for *_, in_turns in points], dtype=bool),
        **{name: pd.Series([_quotient(name, place, *counts) for place in both], dtype=float)
           for name in ("nodes", "tests")},
        "warning": pd.Series([_warn(*pair) for pair in pairs], dtype=object)})
    return Comparison(
        a, b, rows.astype({"jobs": int, "n": int}), ratios, lost,
        sorted(under.keys() - over.keys() - stopped.keys(), key=_order),
        sorted(over.keys() - under.keys(), key=_order),
        list(_differing(*counts)), *_compare_sources(a, b),
        uncertainty.geometric_mean(points), list(_doubts(*sides)),
        measure_precision([*chain(*pairs)]),
        _wrong(*sides), list(dict.fromkeys(chain(*map(suspicions, sides)))))


def _order(place: Place) -> Place:
    """Return the key by which points are sorted: n first."""
    return place[-1], *map(str, place[:-1])


def _newest(runs: Iterable[Run]) -> list[Record]:
    """Return the points of runs, those of the newest run last."""
    return [point for run in runs for point in judge(run.records)]


def _place(point: Record) -> Place:
    return tuple(point.get(name) for name in PLACE)


def _times(points: Sequence[Record]) -> dict[Place, Record]:
    """Return the newest time of each point that was measured."""
    return {_place(point): point for point in points
            if point["metric"] == "seconds" and point["samples"]}


def _run(point: Record) -> tuple[Any, Any]:
    """Return the run of a point, or that of two revisions: what is of one was measured in turns."""
    return point.get("turns", point["run"]), point["context"]["machine"]


def _quotient(metric: str, place: Place, under: Counts, over: Counts) -> float:
    """Return a count of B over that of A, NaN where one was not counted."""
    a, b = under.get((metric, place)), over.get((metric, place))
    return b / a if a and b is not None else nan


def _warn(over: Record, under: Record) -> str:
    """Return what makes the times of a point doubtful, on each side."""
    found = [(name, ", ".join(uncertainty.warnings(
        point["samples"], point["loops"], point.get("disturbed"))))
        for name, point in (("A", under), ("B", over))]
    return "; ".join(f"{name}: {text}" for name, text in found if text)


def _doubts(*sides: Sequence[Record]) -> Iterable[str]:
    """Yield what makes all times of a side doubtful."""
    for name, points in zip("AB", sides, strict=True):
        busy = [(point["load"], point["context"]["cores"]) for point in points
                if (point.get("load") or 0) > point["context"]["cores"]]
        if busy:
            load, cores = max(busy)
            yield (f"{name} was measured under a load of {load:g} on {cores} core"
                   f"{'s' * (cores > 1)}: other programs were running")
        if any(point.get("clock") == WALL and None in point.get("processor", (None,))
               for point in points):
            yield f"{name} has times that passed alone: those of the processor are not known"


def _differing(before: Counts, after: Counts) -> Iterable[Difference]:
    """Yield the counts of points, and the totals of checks, that differ: a metric of all, then the
    next, so that the first few name every search.
    """
    metrics = [*dict.fromkeys(metric for metric, _ in before)]
    for (metric, place), value in sorted(before.items(), key=lambda one: metrics.index(one[0][0])):
        other = after.get((metric, place), value)
        if not _equal(value, other):
            what = place[0] if metric == TOTAL else describe(place)
            yield Difference(metric, what, place[-1], value, other)


def _wrong(*sides: Sequence[Record]) -> list[WrongCount]:
    """Return what is wrong on a side, and the answers of one about instances that contradict those
    of the other.
    """
    found = (*chain(*map(contradictions, sides)), *compare_answers(
        [point for point in chain(*sides) if point["metric"] == "transition"]))
    return list({str(one): one for one in found}.values())


def _compare_sources(a: Sequence[Run], b: Sequence[Run]) -> tuple[list[str], list[str]]:
    """Return the external algorithms whose source, or a file that it imports, is not the same on
    both sides, and those whose is.
    """
    before, after = ({name: (each.source, each.repository.get("imports"))
                      for run in side for name, each in run.outside.items()} for side in (a, b))
    both = sorted(before.keys() & after.keys())
    return ([name for name in both if before[name] != after[name]],
            [name for name in both if before[name] == after[name]])


def _counts(points: Sequence[Record]) -> Counts:
    """Return every count by its metric and point, and every total that was checked."""
    found: Counts = {}
    for point in points:
        metric = point["metric"]
        if metric == "check" and point["got"] is not None:
            found[TOTAL, (point["sequence"], point["n"])] = point["got"]
        elif of_record(point).kind == Kind.COUNTER and point["samples"]:
            found[metric, _place(point)] = point["samples"][0]
    return found


def _equal(one: Any, other: Any) -> bool:
    """Return whether two counts are equal; shares may differ by the library that divides."""
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-9)
    return bool(one == other)
