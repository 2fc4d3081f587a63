"""Take a sample on a core of its own while nothing disturbs the machine.

A shared machine may be slower by a third for some seconds, and then fast again, also in processor
time: its cores share their frequency, caches and units with others. A reference, a loop whose
length never changes, shows this: a sample is taken again while the reference takes longer than at
its fastest, or if the search waited for a processor.
"""

import os
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from math import inf
from statistics import median
from time import sleep
from typing import Any, NamedTuple, Self

import psutil

from nqbench.problems.plugins.limits import Limits, explain_unlimited
from nqbench.records.record import Record
from nqbench.util import clocks
from nqbench.util.clocks import WALL, Sample

STEPS = 8000  # of the reference: about a third of a millisecond
DISTURBED = 1.25  # times the seconds of the reference at its fastest
RUNS = 9  # of the reference in a row, whose median counts: rare single runs are a sixth faster
PAUSE = 0.02  # seconds between two runs of the reference
CLEARLY = 2  # times as long as the shortest sample
# Of a record: see nqbench/records/record.json.
STATE: dict[str, Any] = {"clock": WALL, "wall": [], "processor": [], "waited": [], "losses": [],
                         "place": [], "pinned": None, "repeated": 0, "disturbed": 0, "load": None,
                         "mhz": None}


@cache
def rank_cores() -> list[int]:
    """Return the cores that this process may use, first those that were the least busy since it
    began; with their numbers, or all where they have none.
    """
    if "cores" in explain_unlimited():
        return list(range(psutil.cpu_count() or 1))
    busy = dict(enumerate(psutil.cpu_percent(percpu=True)))
    return sorted(os.sched_getaffinity(0), key=lambda core: busy.get(core, 0.0))


class Conditions:
    """The cores of this thread and of what it starts. `Limits.cores` of
    `nqbench.problems.plugins.limits` says how many a search has. In a with statement, the thread
    gets all its cores back.

    Attributes
    ----------
    cores
        the cores that it may use.

    Examples
    --------
    >>> with Conditions() as conditions:
    ...     conditions.pin(1)
    ...     len(conditions.cores)
    1
    """

    def __init__(self) -> None:
        self.cores = rank_cores()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.pin(0)

    def pin(self, threads: int) -> None:
        """Keep to the cores that were the least busy, as many as this process allows a search, or
        as it has threads; 0 threads stand for all cores.
        """
        cores = rank_cores()[:(threads and Limits.kept and max(Limits.kept, threads)) or None]
        if cores != self.cores and "cores" not in explain_unlimited():
            os.sched_setaffinity(0, cores)
            self.cores = cores

    def describe(self) -> dict[str, Any]:
        """Return the state of the machine, as fields of a record."""
        load = mhz = None
        with suppress(AttributeError, OSError):
            load = round(os.getloadavg()[0], 2)
        with suppress(AttributeError, NotImplementedError, OSError):
            each = psutil.cpu_freq(percpu=True)
            mhz = each[self.cores[0] % len(each)].current if each else None
        pinned = None if "cores" in explain_unlimited() else sorted(self.cores)
        return {"pinned": pinned, "load": load, "mhz": mhz or None}


class Taken(NamedTuple):
    """A sample, how many were taken in vain before it, and whether the machine was disturbed all
    the same.
    """

    sample: Sample
    repeated: int
    disturbed: bool


class Reference:
    """A loop whose length never changes; it takes longer while the machine is disturbed.

    Attributes
    ----------
    fastest
        the shortest time so far of several runs in a row, their median in seconds of the processor.
    last
        the seconds of these runs.
    patience
        seconds that may still be spent on waiting and on repeating samples.
    conditions
        of the samples.
    """

    def __init__(self, fastest: float = inf, patience: float = 0.0) -> None:
        self.fastest = fastest
        self.last: deque[float] = deque(maxlen=RUNS)
        self.patience = patience
        self.conditions = Conditions()

    def disturbed(self) -> bool:
        """Return whether the machine is slower than it was; a short interruption does not count."""
        return self._is_slow() and self._is_slow()

    def _is_slow(self) -> bool:
        seconds = clocks.sample(_loop).seconds()
        self.last.append(seconds)
        if len(self.last) == RUNS:
            self.fastest = min(self.fastest, median(self.last))
        return seconds > DISTURBED * self.fastest

    def sample(self, search: Callable[[], Any], loops: int, threads: int = 1) -> Taken:
        """Return a sample, measured while nothing disturbed the machine, or after the patience is
        spent.
        """
        repeated = 0
        while True:
            while self.patience > 0 and self.disturbed():
                sleep(PAUSE)
                self.patience -= PAUSE
            taken = clocks.sample(search, loops, threads)
            disturbed = taken.disturbed or self.disturbed()
            if self.patience < taken.wall * loops or not disturbed:
                return Taken(taken, repeated, disturbed)
            self.patience -= taken.wall * loops
            repeated += 1


def _loop() -> int:
    total = 0
    for step in range(STEPS):
        total += step * step
    return total


def loops_of(record: Record, shortest: float) -> int | None:
    """Return 1 if one search is clearly longer than the `shortest` sample, so that a later process
    need not calibrate it; else None.

    >>> loops_of({"samples": [0.02], "loops": 1}, 0.005), loops_of({"samples": [0.006]}, 0.005)
    (1, None)
    """
    return 1 if min(record["samples"]) >= CLEARLY * shortest else None


def of_first(records: Sequence[Record], metric: str, process: int, **fields: Any) -> list[Record]:
    """Return the records of the first process with these fields that a later `process` repeats.

    >>> first = {"metric": "seconds", "status": "measured", "n": 8, "processes": 2}
    >>> of_first([first], "seconds", 1, n=8) == [first], of_first([first], "seconds", 2)
    (True, [])
    """
    return [record for record in records
            if record["metric"] == metric and is_first(record, process)
            and all(record[name] == value for name, value in fields.items())]


def is_first(record: Record, process: int) -> bool:
    """Return whether a record is of the first process, and one that a later `process` repeats."""
    return bool(record["status"] == "measured" and record.get("process", 0) == 0
                and process < record.get("processes", 1))


def is_repeated(records: Sequence[Record], metric: str, process: int, **fields: Any) -> bool:
    """Return whether a later `process` has repeated all records with these fields."""
    found = [record for record in records
             if record["metric"] == metric and record.get("process") == process
             and all(record[name] == value for name, value in fields.items())]
    return len(found) >= len(of_first(records, metric, process, **fields))
