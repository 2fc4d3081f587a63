"""Threads: the recursive search by several workers; each takes one queen of the first row after the
other.

The tree and its order are those of `recursive`; only counting is shared among the workers. Python
threads take turns while the interpreter has a global lock, so they gain nothing there; in an
interpreter without the lock they run in parallel. The Cython cores release the lock (`nqbench count
N -a somers -j 2`).

Source: the unsigned list of ideas below "The n-queens problem and its optimisations" (blog), which
only names it; the search is that of part 1 of the blog.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from multiprocessing.pool import ThreadPool
from threading import Event
from typing import Any

from nqbench.problems.queens.base import LARGEST_COMPARED, Placements, Search, Tally
from nqbench.problems.queens.recursive import place
from nqbench.search.builds import built
from nqbench.search.implementations import compare, exhaust


def below(n: int, first: range, tally: Tally) -> Placements:
    """Search below the queens of the first row in these columns, from 1: the task of a worker."""
    a = [0] * (n + 1)

    def queens(t: int, columns: range) -> Placements:
        tally.node(t - 1)
        if t > n:
            tally.solution()
            yield tuple(c - 1 for c in a[1:])
            return
        for i in columns:
            a[t] = i
            if place(a, t, tally):
                yield from queens(t + 1, range(1, n + 1))
        tally.exhausted(t - 1)

    return queens(1, first)


def visits(n: int, tally: Tally) -> Placements:
    return below(n, range(1, n + 1), tally)


@dataclass(frozen=True, kw_only=True)
class Threads(Search):
    """The search, which can also count with several threads in Python."""

    def compare_builds(self) -> None:
        """Compare the builds of a worker's task, too."""
        super().compare_builds()
        task: Any = built(below, "bare")
        for n in range(1, LARGEST_COMPARED + 1):
            for column in range(1, n + 1):
                first = range(column, column + 1)
                compare(f"{self.name}, column {column}", f"n = {n}",
                        partial(below, n, first, Tally(n)), {"bare": partial(task, n, first)})

    def one_job(self, implementation: str, jobs: int | None) -> None:
        """Accept any number of threads."""

    def _counting(self, chosen: Any, n: int, jobs: int) -> Iterator[tuple[float, int]]:
        if jobs == 1 or n == 0:
            yield from super()._counting(chosen, n, jobs)
            return
        search: Any = built(below, "bare")
        stop, found = Event(), 0

        def count(column: int) -> int:
            return exhaust(takewhile(lambda _: not stop.is_set(),
                                     search(n, range(column, column + 1))))

        with ThreadPool(min(jobs, n)) as pool:  # its threads end with the program after Ctrl-C
            try:  # idea: workers share the first row
                for done, reached in enumerate(pool.imap_unordered(count, range(1, n + 1)), 1):
                    found += reached
                    yield done / n, found
            finally:
                stop.set()


ALGORITHM = Threads(
    name="threads", order=190,
    origin="a list of ideas below The n-queens problem and its optimisations (blog)",
    technique="array of columns, scan of earlier rows, recursion, several workers", search=visits)
