"""The ways to run an algorithm: in Python, built three times, or by a compiled core."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from itertools import groupby
from operator import itemgetter
from types import ModuleType
from typing import Any, Protocol

from nqbench.algorithms._comparing import LARGEST, WORK, compare
from nqbench.board import Columns
from nqbench.builds import Kind, built
from nqbench.tally import Tally

BATCH = 4096  # placements that a core keeps at once


class Implementation(Protocol):
    """One way to run an algorithm: `python`, or `cython` where there is a core."""

    largest_n: int

    def count(self, n: int) -> int:
        """Return how many placements the algorithm finds, as fast as it can."""
        ...


class Builds(Implementation, Protocol):
    """An implementation of a search, in its builds."""

    def by_first_queen(self, n: int, jobs: int = 1) -> Iterator[tuple[int, int]]:
        """Yield (column of the first queen, how many such placements it reaches), as
        they are counted; n >= 1.
        """
        ...

    def tally(self, n: int) -> Tally:
        """Return the counters of the search, by the counting build."""
        ...

    def visits(self, n: int) -> Iterator[Columns]:
        """Yield the placements that the search reaches, in its order."""
        ...


class PythonBuilds:
    """The builds of a search, a function that is written in Python."""

    def __init__(self, counting: Callable[..., Iterator[Columns]], largest_n: int,
                 *values: int | None) -> None:
        self.counting = counting
        self.largest_n = largest_n
        self.values = values  # of its choice, where it has one
        self.made: dict[Kind, Callable[..., Any]] = {}  # nothing else is looked up while timing
        self.compared: dict[Kind, Callable[..., Any]] = {}

    def run(self, kind: Kind, n: int) -> Iterator[Columns]:
        if kind not in self.made:
            self.made[kind] = built(self.counting, kind)
        found: Iterator[Columns] = self.made[kind](n, *self.values)
        return found

    def count(self, n: int) -> int:
        return sum(1 for _ in self.run("bare", n))

    def by_first_queen(self, n: int, jobs: int = 1) -> Iterator[tuple[int, int]]:
        for column, reached in groupby(self.visits(n), itemgetter(0)):
            yield column, sum(1 for _ in reached)

    def tally(self, n: int) -> Tally:
        tally = Tally(n)
        tally.solutions = sum(1 for _ in self.follow(n, tally))
        return tally

    def follow(self, n: int, tally: Tally) -> Iterator[Columns]:
        return self.counting(n, tally, *self.values)

    def visits(self, n: int) -> Iterator[Columns]:
        return self.run("plain", n)

    def compare(self, name: str) -> None:
        """Raise unless the three builds reach the same for small n; once for each build."""
        kinds: tuple[Kind, ...] = "plain", "bare"
        self.made = {kind: built(self.counting, kind) for kind in kinds}
        if self.made == self.compared:
            return
        for n in range(min(self.largest_n, LARGEST) + 1):
            tally = Tally(n)
            compare(name, n, partial(self.follow, n, tally),
                    {kind: partial(self.run, kind, n) for kind in kinds})
            if tally.tests + tally.scans > WORK:
                break
        self.compared = dict(self.made)


class CythonBuilds:
    """The two builds of a core in `ext/`, made from one source by the compiler."""

    def __init__(self, core: ModuleType) -> None:
        self.core = core
        self.largest_n: int = core.LARGEST_N

    def count(self, n: int) -> int:
        found: int = self.core.count(n)
        return found

    def by_first_queen(self, n: int, jobs: int = 1) -> Iterator[tuple[int, int]]:
        stop = bytearray(1)
        with ThreadPoolExecutor(jobs) as pool:
            counts = {pool.submit(self.core.count, n, 1 << c, stop): c for c in range(n)}
            try:
                for done in as_completed(counts):
                    yield counts[done], done.result()
            finally:  # an interrupt reaches this thread; the others read `stop`
                stop[0] = 1
                pool.shutdown(cancel_futures=True)

    def tally(self, n: int) -> Tally:
        tally = Tally(n)
        for name, value in self.core.tally(n).items():
            setattr(tally, name, value)
        tally.solutions = tally.visits
        return tally

    def visits(self, n: int) -> Iterator[Columns]:
        """Yield a batch after the other: the core goes on where the last one ended."""
        most, last = 1, None
        while True:
            reached, packed = self.core.reach(n, most, last)
            for i in range(reached):
                yield tuple(packed[i * n:(i + 1) * n])
            if reached < most:
                return
            last = packed[(reached - 1) * n:]
            most = min(4 * most, BATCH)
