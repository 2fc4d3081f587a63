"""Time a search, with the garbage collector off and while nothing disturbs the machine; decide
instances.

A shared machine may be slower by a third for some seconds, and then fast again. A reference, a
loop whose length never changes, shows this: a sample is taken again while the reference takes
longer than at its fastest, or if other processes took too much of its cores.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple, TypeVar

from nqbench.errors import PluginError
from nqbench.problems import PROBLEMS
from nqbench.records.record import Record
from nqbench.study.conditions import Conditions

Found = TypeVar("Found")

SHORTEST = 0.005  # seconds: by default, a sample repeats its search until it lasts so long
FIRST = 10  # samples: a first search that takes no longer is timed once more
STEPS = 8000  # of the reference: about a third of a millisecond
DISTURBED = 1.15  # times the seconds of the reference at its fastest
OTHERS = 0.1  # of the time of its cores, that other processes may take during a sample
PAUSE = 0.02  # seconds between two runs of the reference


def calibrate(search: Callable[[], Found],
              shortest: float = SHORTEST) -> tuple[float, int, Found, float]:
    """Warm up; return the seconds of one search, the number of searches in a sample of `shortest`
    seconds, what the search returns, and how much processor time its first call took in all
    threads: another program may interrupt it, which does not count. Threads that run at the same
    time count no more than the time that passes, as in a sample.
    """
    start = process_time()
    seconds, found = _timed(search)
    first = min(process_time() - start, seconds)
    if hasattr(found, "seconds"):  # it times itself
        return seconds, 1, found, first
    if seconds < FIRST * shortest:  # the first one may build what the others use
        seconds = min(seconds, _timed(search)[0])
    loops = 1
    while seconds < shortest:
        loops *= max(2, min(10, int(shortest / max(seconds, 1e-6)) + 1))
        seconds = sample(search, loops)[0] * loops
    return seconds / loops, loops, found, first


def _timed(search: Callable[[], Found]) -> tuple[float, Found]:
    return sample(search, 1)


def sample(search: Callable[[], Found], loops: int) -> tuple[float, Found]:
    """Return the seconds that one of `loops` searches took, and what the last one returned; a
    program that ran knows its `seconds` itself, see `nqbench.problems.plugins.programs.Counted`.
    """
    start = perf_counter()
    for _ in range(loops):
        found = search()
    seconds = (perf_counter() - start) / loops
    return getattr(found, "seconds", seconds), found


class Taken(NamedTuple):
    """A sample: the seconds of one search, what the last one found, the share of its cores that
    other processes took if it is known, how many samples were taken in vain before it, and whether
    the machine was disturbed all the same.
    """

    seconds: float
    found: Any
    others: float | None
    repeated: int
    disturbed: bool


class Reference:
    """A loop whose length never changes; it takes longer while the machine is disturbed.

    Attributes
    ----------
    fastest
        its shortest time so far, in seconds.
    patience
        seconds that may still be spent on waiting and on repeating samples.
    conditions
        of the samples.
    """

    def __init__(self, fastest: float = inf, patience: float = 0.0) -> None:
        self.fastest = fastest
        self.patience = patience
        self.conditions = Conditions()

    def disturbed(self) -> bool:
        """Return whether the machine is slower than it was; a short interruption does not count."""
        return self._is_slow() and self._is_slow()

    def _is_slow(self) -> bool:
        seconds, _ = _timed(_loop)
        self.fastest = min(self.fastest, seconds)
        return seconds > DISTURBED * self.fastest

    def sample(self, search: Callable[[], Any], loops: int) -> Taken:
        """Return a sample, measured while nothing disturbed the machine, or after the patience is
        spent.
        """
        repeated = 0
        while True:
            while self.patience > 0 and self.disturbed():
                sleep(PAUSE)
                self.patience -= PAUSE
            self.conditions.begin()
            seconds, found = sample(search, loops)
            others = self.conditions.judge()
            disturbed = (others or 0.0) > OTHERS or self.disturbed()
            if self.patience < seconds * loops or not disturbed:
                return Taken(seconds, found, others, repeated, disturbed)
            self.patience -= seconds * loops
            repeated += 1
            self.conditions.others = None  # of the next sample it is not known yet


def _loop() -> int:
    total = 0
    for step in range(STEPS):
        total += step * step
    return total


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


@dataclass(frozen=True)
class Decided:
    """The decisions about instances: for each one, the nodes and backtracks of the search, and
    whether it has a solution (None if the search gave up).

    Attributes
    ----------
    seconds
        that all of them took.
    """

    nodes: list[int]
    backtracks: list[int | None]
    solvable: list[bool | None]
    seconds: float


def decide(algorithm: str, instances: Sequence[str], nodes: int,
           tell: object = None) -> Decided:
    """Search each instance of queens, given as text, for a solution, with at most this number of
    nodes.

    >>> decide("restarts_luby:7", ["n=3", "n=4"], 100).solvable
    [False, True]
    """
    problem = PROBLEMS["instances"]
    search, boards = problem.find(algorithm), list(map(problem.parse, instances))
    start = perf_counter()
    outcomes = [search.solve(board, nodes=nodes) for board in boards]
    seconds = perf_counter() - start
    if any(outcome.counters["nodes"] is None for outcome in outcomes):
        raise PluginError(f"{algorithm} does not count its nodes, which are measured")
    return Decided([outcome.counters["nodes"] for outcome in outcomes],
                   [outcome.counters["exhaustions"] for outcome in outcomes],
                   [outcome.solvable for outcome in outcomes], seconds)
