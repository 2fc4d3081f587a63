"""Compare the times and the counts of two runs, or of two sets of runs, and their answers about
instances of queens.

    nqbench.analysis.compare("2026-11-21T14", "2026-11-22")

Each side is one machine; of several runs, the newest that measured a point counts. Points of one
run are compared round by round. Two runs have no rounds in common: their medians are compared, and
intervals and verdicts hold within one run of each side. They do not include what affects all
processes of a run in the same way.

Instance k of a family, n, amount and seed is the same everywhere. So any two answers about it must
agree, whichever algorithms gave them.
"""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isclose
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

from nqbench.analysis.uncertainty import against, geometric_mean, ratio, verdicts_by_n
from nqbench.problems import SolverKey
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
from nqbench.records.record import Record
from nqbench.records.runs import Run, find_sides
from nqbench.search.metrics import Kind, of_record
from nqbench.util.text import format_seconds, spaced

PLACE = ["algorithm", "implementation", "kernel", "jobs", "n"]
TOTAL = "total"  # of a check
Place = tuple[Any, ...]
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
    lost
        the points that A has measured, and whose searches were stopped or failed in B.
    only_a, only_b
        the other points that one side alone has measured, as PLACE.
    differing
        the counts and the totals that differ.
    sources
        the external algorithms whose source is not the same on both sides.
    mean
        the geometric mean of the ratios, and the ends of its 95 % interval; NaN without points.
    wrong
        the counts of both sides that are wrong; these searches are not compared.
    strange
        what is strange about searches of both sides, without being wrong, in words.
    """

    a: list[Run]
    b: list[Run]
    rows: pd.DataFrame
    lost: list[Lost]
    only_a: list[Place]
    only_b: list[Place]
    differing: list[Difference]
    sources: list[str]
    mean: tuple[float, float, float]
    wrong: list[WrongCount]
    strange: list[str]

    @property
    def machines(self) -> list[str]:
        """The machines of both sides."""
        return sorted({run.machine for run in (*self.a, *self.b)})


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
        PLACE (algorithm, implementation, kernel, jobs, n), a_seconds, b_seconds (medians), ratio,
        low, high (its 95 % interval), verdict (of B, corrected for all points of the same n),
        interleaved (whether both were measured in turns).

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
    if len(made.machines) > 1 and len(made.rows):
        warnings.warn("times of two machines are compared", stacklevel=2)
    if made.wrong:
        warnings.warn(f"{summary(made.wrong)}; not compared", stacklevel=2)
    for strange in made.strange:
        warnings.warn(strange, stacklevel=2)
    for lost in made.lost:
        warnings.warn(str(lost), stacklevel=2)
    for difference in made.differing:
        warnings.warn(f"counts differ: {difference}", stacklevel=2)
    return made.rows


def compare_runs(a: list[Run], b: list[Run]) -> Comparison:
    """Return how the runs of one machine differ from those of another, or of the same."""
    sides = _newest(a), _newest(b)
    under, over = map(_times, sides)
    stopped = {place: point["status"] for point in sides[1] if point["metric"] == "seconds"
               and point["status"] in (*STOPPED, ENDED) and (place := _place(point)) not in over}
    lost = [Lost(place, stopped[place], median(under[place]["samples"]))
            for place in sorted(under.keys() & stopped.keys(), key=_order)]
    both = sorted((place for place in under if place in over and MEASURED
                   == under[place]["status"] == over[place]["status"]), key=_order)
    found = pd.DataFrame([_row(place, under[place], over[place]) for place in both],
                         columns=[*PLACE, "a_seconds", "b_seconds", "times", "low", "high",
                                  "chance", "interleaved"])
    found["chance"] = verdicts_by_n(found)
    found["kernel"] = pd.Series([place[2] for place in both], dtype=object)  # None stays None
    rows = found.rename(columns={"times": "ratio", "chance": "verdict"})
    return Comparison(
        a, b, rows, lost, sorted(under.keys() - over.keys() - stopped.keys(), key=_order),
        sorted(over.keys() - under.keys(), key=_order),
        list(_differing(*map(_counts, sides))), _other_sources(a, b),
        geometric_mean(list(rows["ratio"]), [
            (over[place]["samples"], under[place]["samples"], same)
            for place, same in zip(both, rows["interleaved"], strict=True)]),
        _wrong(*sides), list(dict.fromkeys(chain(*map(suspicions, sides)))))


def describe(place: Place) -> str:
    """Return the solver of a point in words.

    >>> describe(("cross", "cython", "avx2", 1, 14)), describe(("bitmask", "python", None, 1, 8))
    ('cross (cython, avx2, 1 thread)', 'bitmask (python)')
    """
    return str(SolverKey(*place[:4]))


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


def _row(place: Place, under: Record, over: Record) -> tuple[Any, ...]:
    """Return the figures of a point; those of one run were measured in turns."""
    same = (under["run"], under["context"]["machine"]) == (over["run"], over["context"]["machine"])
    figures = (ratio if same else against)(over["samples"], under["samples"])
    return (*place, median(under["samples"]), median(over["samples"]), *figures, same)


def _differing(before: Counts, after: Counts) -> Iterable[Difference]:
    """Yield the counts of points, and the totals of checks, that differ."""
    for (metric, place), value in before.items():
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


def _other_sources(a: Sequence[Run], b: Sequence[Run]) -> list[str]:
    """Return the external algorithms whose source, or a file that it imports, is not the same on
    both sides.
    """
    before, after = ({name: (each.source, each.repository.get("imports"))
                      for run in side for name, each in run.outside.items()} for side in (a, b))
    return sorted(name for name in before.keys() & after.keys() if before[name] != after[name])


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
