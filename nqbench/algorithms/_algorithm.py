"""What the catalogue knows of an algorithm, and how to run it.

An algorithm file defines `visits(n, tally)`: a generator of the placements that
the search reaches, in its order, as tuples of columns. It is written once and
built twice (`nqbench.builds`). Searches that use the mirror reach half of the
solutions; `Algorithm.mirrors` says for which n.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from types import ModuleType
from typing import Any, Protocol

from nqbench.algorithms._printing import Printer
from nqbench.board import Columns, canonical, mirror, whole
from nqbench.builds import Kind, build
from nqbench.tally import Tally

# A recursive generator needs a frame a row; CPython allows 1000 frames by default.
RECURSION = 500
# Loops and explicit stacks need a few words a row.
MEMORY = 1_000_000


class Implementation(Protocol):
    """One way to run an algorithm: `python`, or `cython` where there is a core."""

    largest_n: int

    def count(self, n: int) -> int:
        """Return how many placements the search reaches, by the bare build."""
        ...

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


@cache
def _built(search: Callable[..., Any], kind: Kind) -> Callable[..., Iterator[Columns]]:
    module = inspect.getmodule(search)
    assert module is not None
    return build(inspect.getsource(module), "visits", kind, str(module.__file__))


class PythonBuilds:
    """The two builds of an algorithm file."""

    def __init__(self, counting: Callable[[int, Tally], Iterator[Columns]],
                 largest_n: int) -> None:
        self.counting = counting
        self.largest_n = largest_n

    def build(self, kind: Kind) -> Callable[[int], Iterator[Columns]]:
        return _built(self.counting, kind)

    def count(self, n: int) -> int:
        return sum(1 for _ in self.build("bare")(n))

    def by_first_queen(self, n: int, jobs: int = 1) -> Iterator[tuple[int, int]]:
        for column, reached in groupby(self.build("plain")(n), itemgetter(0)):
            yield column, sum(1 for _ in reached)

    def tally(self, n: int) -> Tally:
        tally = Tally(n)
        for _ in self.counting(n, tally):
            pass
        return tally

    def visits(self, n: int) -> Iterator[Columns]:
        return self.build("plain")(n)


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
        return self._search(n, 0)[0]

    def visits(self, n: int) -> Iterator[Columns]:
        """Yield from a list: the core keeps all it reaches, n bytes each."""
        reached = self.count(n)
        packed = self._search(n, reached)[1]
        for i in range(reached):
            yield tuple(packed[i * n:(i + 1) * n])

    def _search(self, n: int, keep: int) -> tuple[Tally, bytes]:
        counters, kept = self.core.tally(n, keep)
        tally = Tally(n)
        for name, value in counters.items():
            setattr(tally, name, value)
        return tally, kept


def never(n: int) -> bool:
    return False


def always(n: int) -> bool:
    return True


def even(n: int) -> bool:
    return n % 2 == 0


@dataclass(frozen=True)
class Algorithm:
    """An entry of the catalogue.

    Attributes
    ----------
    name
        what the commands call it.
    origin, year
        document, author and listing it comes from; None where undated.
    technique
        how it finds and refuses candidates, in a few words.
    symmetry, mirrors
        what symmetry it uses, in words, and for which n it reaches just half of
        the solutions, the others being their mirror images.
    prunes
        whether it leaves a branch at the first conflict; without it there is
        no tree to speak of, only leaves.
    largest_n
        the largest n the Python implementation accepts.
    search
        the counting build of the file, see `nqbench.builds`.
    prints
        what the original program prints.
    core
        name of the Cython core, if there is one.
    """

    name: str
    origin: str
    year: int | None
    technique: str
    search: Callable[[int, Tally], Iterator[Columns]]
    prints: Printer
    symmetry: str = "none"
    mirrors: Callable[[int], bool] = never
    prunes: bool = True
    largest_n: int = MEMORY
    core: str | None = None

    @cached_property
    def implementations(self) -> Mapping[str, Implementation]:
        """The ways to run it, `python` first; `cython` where its core was compiled."""
        found: dict[str, Implementation] = {"python": PythonBuilds(self.search, self.largest_n)}
        if self.core:
            with suppress(ImportError):  # built without a C compiler: Python answers the same
                found["cython"] = CythonBuilds(import_module(self.core))
        return found

    def implementation(self, name: str, n: object) -> tuple[Implementation, int]:
        """Return the implementation and n, both checked.

        Raises
        ------
        ValueError, TypeError
            naming what is wrong and what is allowed.
        """
        number = whole(n)
        if name not in self.implementations:
            raise ValueError(f"{self.name} has no implementation {name!r}, only "
                             f"{' and '.join(self.implementations)}")
        chosen = self.implementations[name]
        if number > chosen.largest_n:
            raise ValueError(f"n must be at most {chosen.largest_n:,} for {self.name} in {name}, "
                             f"not {number}")
        return chosen, number

    def doubles(self, n: int) -> bool:
        """Whether each placement reached stands for its mirror image too.

        No placement of two queens or more is its own mirror image.
        """
        return n > 1 and self.mirrors(n)

    def count(self, n: int, implementation: str = "python", jobs: int = 1) -> int:
        """Return the number of solutions on the n x n board, counted by `jobs` threads.

        Raises
        ------
        ValueError
            also for more than one thread in Python, which would only take turns.
        """
        chosen, n = self.implementation(implementation, n)
        if whole(jobs, "jobs") < 1:
            raise ValueError("jobs must be 1 or more, not 0")
        if jobs == 1:
            return chosen.count(n) * (1 + self.doubles(n))
        if not isinstance(chosen, CythonBuilds):
            raise ValueError(f"jobs must be 1 for {self.name} in {implementation}, not {jobs}: "
                             "only the cython implementation runs in several threads")
        if n == 0:
            return chosen.count(n)
        return sum(count for _, count in chosen.by_first_queen(n, jobs)) * (1 + self.doubles(n))

    def unique(self, n: int, implementation: str = "python") -> int:
        """Return the number of solutions up to rotation and reflection.

        Each solution is reduced to its canonical form: memory for one placement an
        orbit is needed.
        """
        return len({canonical(columns) for columns in self.solutions(n, implementation)})

    def by_first_queen(self, n: int, implementation: str = "python") -> dict[int, int]:
        """Return the number of solutions by the column of the first queen (n >= 1)."""
        chosen, n = self.implementation(implementation, n)
        found = dict.fromkeys(range(n), 0)
        for column, reached in chosen.by_first_queen(n):
            found[column] += reached
            if self.doubles(n):
                found[n - 1 - column] += reached
        return found

    def profile(self, n: int, implementation: str = "python") -> Tally:
        """Return the counters of a search for all solutions."""
        chosen, n = self.implementation(implementation, n)
        tally = chosen.tally(n)
        tally.solutions = tally.visits * (1 + self.doubles(n))
        return tally

    def solutions(self, n: int, implementation: str = "python") -> Iterator[Columns]:
        """Yield every solution as a tuple of columns, in the order of the search.

        Where the search uses the mirror, each placement reached is followed by
        its image.
        """
        chosen, n = self.implementation(implementation, n)
        return self._solutions(chosen, n)

    def _solutions(self, chosen: Implementation, n: int) -> Iterator[Columns]:
        doubles = self.doubles(n)
        for columns in chosen.visits(n):
            yield columns
            if doubles:
                yield mirror(columns)

    def seed_output(self, n: int) -> Iterator[str]:
        """Yield, in pieces, what the original program prints for n."""
        chosen, n = self.implementation("python", n)
        return self.prints(n, self._solutions(chosen, n))
