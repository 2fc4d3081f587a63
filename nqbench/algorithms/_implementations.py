"""The ways to run an algorithm of the queens: in Python, or by a compiled core."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import groupby
from operator import itemgetter
from types import ModuleType
from typing import Protocol

from nqbench.board import Columns
from nqbench.builds import running
from nqbench.tally import Tally

BATCH = 4096  # placements that a core stores at a time


class Implementation(running.Implementation[int], Protocol):
    """One way to run an algorithm, for n up to `largest_n`."""

    largest_n: int


class Builds(Implementation, Protocol):
    """An implementation of a search, with its builds."""

    def by_first_queen(self, n: int, jobs: int = 1) -> Iterator[tuple[int, int]]:
        """Yield (column of the first queen, number of such placements) as they are counted; n >= 1.
        """
        ...

    def tally(self, n: int) -> Tally:
        """Return the counters of the search, by the counting build."""
        ...

    def visits(self, n: int) -> Iterator[Columns]:
        """Yield the placements that the search reaches, in its order."""
        ...


class PythonBuilds(running.PythonBuilds[int, Columns]):
    """The builds of a search that is written in Python, for n up to `largest_n`."""

    def __init__(self, counting: Callable[..., Iterator[Columns]],
                 make_tally: Callable[..., Tally], largest_n: int, *values: int | None) -> None:
        super().__init__(counting, make_tally, *values)
        self.largest_n = largest_n

    def by_first_queen(self, n: int, jobs: int = 1) -> Iterator[tuple[int, int]]:
        for column, reached in groupby(self.visits(n), itemgetter(0)):
            yield column, sum(1 for _ in reached)


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
        """Yield one batch after the other; the core continues where the last batch ended."""
        most, last = 1, None
        while True:
            reached, packed = self.core.reach(n, most, last)
            for i in range(reached):
                yield tuple(packed[i * n:(i + 1) * n])
            if reached < most:
                return
            last = packed[(reached - 1) * n:]
            most = min(4 * most, BATCH)
