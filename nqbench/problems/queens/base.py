"""The algorithms of the queens: what they can do in addition to the algorithms of any problem, and
the ways to run them, in Python or by a compiled core.

A search yields the placements that it reaches, in its order, as tuples of columns. Searches that
use the mirror reach half of the solutions; `Search.mirrors` says for which n.
`nqbench.search.algorithm` has what the algorithms of all problems have in common.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from types import ModuleType
from typing import Any, ClassVar

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems.queens._printing import Printer
from nqbench.search.algorithm import Algorithm, Finds, PythonBuilds, Tally, Tree
from nqbench.search.board import Columns, canonical, mirror
from nqbench.search.implementations import Implementation
from nqbench.util.arguments import require_whole
from nqbench.util.cores import in_threads

__all__ = ["ALL", "LARGEST_COMPARED", "MEMORY", "ONE", "PART", "RECURSION", "SOME", "Columns",
           "Finds", "Placements", "QueensAlgorithm", "Search", "Tally", "Tree", "even"]

Placements = Iterator[Columns]  # what a search yields

BATCH = 4096  # placements that a core stores at a time


class CythonBuilds(Implementation):
    """The two builds of a core in `ext/`, made from one source by the compiler."""

    def __init__(self, core: ModuleType, python: PythonBuilds[int, Columns]) -> None:
        self.core, self.python = core, python
        self.largest_n: int = core.LARGEST_N

    def count(self, n: int) -> int:
        return int(self.core.count(n))

    def by_first_queen(self, n: int, jobs: int = 1) -> Iterator[tuple[int, int]]:
        """Yield each column of the first queen, and the number of answers with it there."""
        return in_threads(lambda column, stop: (column, self.core.count(n, 1 << column, stop)),
                          range(n), jobs)

    def tally(self, n: int) -> Tally:
        tally = Tally(n)
        tally.uncounted = self.python.uncounted
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


ALL, ONE, SOME, PART = Finds.ALL, Finds.ONE, Finds.SOME, Finds.PART
ENGINE_OPTIONS = ("kernel", "checkpoint", "cluster")
LARGEST_COMPARED = 6  # the builds are compared for n = 0 .. LARGEST_COMPARED
# A recursive generator needs one frame for each row; CPython allows 1000 frames by default.
RECURSION = 500
# Loops and explicit stacks need a few words for each row.
MEMORY = 1_000_000


def even(n: int) -> bool:
    return n % 2 == 0


@dataclass(frozen=True, kw_only=True)
class QueensAlgorithm(Algorithm[int, Columns]):
    """An algorithm for n queens. A `Search` has all of these abilities; other classes refuse some.

    Attributes
    ----------
    counts_turns
        whether it counts the solutions that turns leave unchanged separately.
    """

    problem: ClassVar[str] = "queens"

    year: int | None = None
    counts_turns: bool = False

    def check(self, instance: object) -> int:
        """Check n and return it."""
        return require_whole(instance)

    def small_instances(self) -> Mapping[str, int]:
        return {f"n = {n}": n for n in range(int(min(self.largest_n, LARGEST_COMPARED)) + 1)}

    def implementation(self, name: str, n: object) -> tuple[PythonBuilds[int, Columns], int]:
        """Check a name and n; return the implementation and n.

        Raises
        ------
        ValueError, TypeError
            naming what is wrong and what is allowed.
        """
        chosen, number = super().implementation(name, n)
        if number > chosen.largest_n:
            limits = {each.largest_n for each in self.implementations.values()}
            where = f" in {name}" if len(limits) > 1 else ""
            raise InvalidValueError(
                f"n must be at most {chosen.largest_n:,} for {self.name}{where}, not {number}")
        return chosen, number

    def one_job(self, implementation: str, jobs: int | None) -> None:
        """Reject more than one thread in Python, where threads would only take turns."""
        if jobs is not None and require_whole(jobs, "jobs", least=1) != 1:
            raise InvalidValueError(
                f"jobs must be 1 for {self.name} in {implementation}, not {jobs}: "
                "only cython implementations and the algorithm threads take more")

    def no_choices(self, choices: Mapping[str, Any], where: str = "") -> None:
        """Reject the options of other algorithms, or of other implementations."""
        for name, value in choices.items():
            if value is not None:
                only = "; only cross and join in cython support it" * (name in ENGINE_OPTIONS)
                raise InvalidValueError(f"{name} is not supported by {self.name}{where}{only}")

    def counting(self, n: int, implementation: str = "python", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        """Yield (share done, solutions counted so far) now and then, and at the end.

        `jobs` threads do the work: by default one, or one for each core if the algorithm supports
        it. Other options depend on the algorithm.
        """
        raise NotImplementedError

    def count(self, n: int, implementation: str = "python", jobs: int | None = None,
              **choices: Any) -> int:
        """Return the number of solutions on the n x n board; see `counting`."""
        _, found = deque(self.counting(n, implementation, jobs, **choices), maxlen=1).pop()
        return found

    def unique(self, n: int, implementation: str = "python") -> int:
        """Return the number of solutions up to rotation and reflection."""
        raise NotImplementedError

    def profiled(self, implementation: str) -> bool:
        """Return whether this implementation can count what its search does."""
        return not self.only_counts(implementation)

    def original_output(self, n: int) -> Iterator[str]:
        """Yield, in pieces, what the original program prints for n."""
        raise self._only_counts("asked for the output of an original")

    def _only_counts(self, what: str) -> InvalidValueError:
        return InvalidValueError(f"{self.name} only counts and cannot be {what}")


@dataclass(frozen=True, kw_only=True)
class Search(QueensAlgorithm):
    """An algorithm that reaches solutions one by one.

    Attributes
    ----------
    prints
        a function that yields what the original program prints, if there is one.
    mirrors
        whether it reaches only one of each two solutions that are mirror images, each counted
        twice: True, False, or a function of n, and of parameters of the search by their names, as
        in `lambda n, symmetry: symmetry == "mirror"`.
    largest_n
        the largest n the Python implementation accepts; by default that of a recursion.
    jumps
        whether it has no tree, and reports its placements one by one, by `tally.jump`.

    Examples
    --------
    The whole of a file from_the_right.py:

    >>> from nqbench.problems.queens.base import Search
    >>> def visits(n, tally):
    ...     def place(columns):
    ...         row = level = len(columns)
    ...         tally.node(level)
    ...         if level == n:
    ...             tally.solution()
    ...             yield tuple(columns)
    ...             return
    ...         for column in reversed(range(n)):
    ...             tally.test(row, column)
    ...             if all(abs(column - c) not in (0, row - r) for r, c in enumerate(columns)):
    ...                 yield from place([*columns, column])
    ...         tally.exhausted(level)
    ...     return place([])
    >>> ALGORITHM = Search(
    ...     name="from_the_right", origin="this example", year=2026, search=visits,
    ...     technique="list of columns, scan of earlier rows")

    Its first solution, and the nodes of its tree:

    >>> next(ALGORITHM.solutions(4)), ALGORITHM.profile(8).nodes
    ((2, 0, 3, 1), 2057)
    """

    search: Callable[..., Iterator[Columns]]
    prints: Printer | None = None
    mirrors: Callable[..., bool] | bool = False
    largest_n: int = RECURSION
    jumps: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.mirrors, bool) or callable(self.mirrors)):
            raise InvalidTypeError("mirrors must be True, False or a function of n, not "
                                   f"{self.mirrors!r}")

    def smaller(self, instance: int) -> Iterable[int]:
        return range(min(instance, LARGEST_COMPARED), instance + 1)

    def larger_instances(self) -> Iterable[int]:
        return range(7, int(min(self.largest_n, 9)) + 1)

    def compiled(self, core: Any) -> CythonBuilds:
        return CythonBuilds(core, self.python)

    def countable(self, implementation: str,
                  n: object) -> tuple[PythonBuilds[int, Columns], int]:
        """Return the implementation and n for a count.

        Raises
        ------
        ValueError
            if the algorithm finds only one solution.
        """
        found = self.implementation(implementation, n)
        if self.finds == ONE:
            raise InvalidValueError(f"{self.name} looks for one solution, so it cannot count all")
        return found

    def doubles(self, n: int) -> bool:
        """Return whether each placement that is reached stands for its mirror image, too.

        No placement of two queens or more is its own mirror image.
        """
        if not callable(self.mirrors):
            return n > 1 and self.mirrors
        asked = signature(self.mirrors).parameters if self.defaults else {}
        return n > 1 and self.mirrors(n, **{
            name: value for name, value in self.parameters.items() if name in asked})

    def count(self, n: int, implementation: str = "python", jobs: int | None = None,
              **choices: Any) -> int:
        if jobs is None or jobs == 1:
            chosen, n = self.countable(implementation, n)
            self.no_choices(choices)
            return chosen.count(n) * (1 + self.doubles(n))
        return super().count(n, implementation, jobs, **choices)

    def counting(self, n: int, implementation: str = "python", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        chosen, n = self.countable(implementation, n)
        self.no_choices(choices)
        if implementation == "python":
            self.one_job(implementation, jobs)
        jobs = 1 if jobs is None else require_whole(jobs, "jobs", least=1)
        return self._counting(chosen, n, jobs)

    def _counting(self, chosen: Any, n: int, jobs: int) -> Iterator[tuple[float, int]]:
        worth, found = 1 + self.doubles(n), 0
        if n == 0 or chosen is self.python:
            found = chosen.count(n) * worth
        else:
            for done, (_, reached) in enumerate(chosen.by_first_queen(n, jobs), 1):
                found += reached * worth
                yield done / n, found
        yield 1.0, found

    def unique(self, n: int, implementation: str = "python") -> int:
        """Return the number of solutions up to rotation and reflection.

        Each solution is reduced to its canonical form. This needs memory for one placement of each
        orbit.
        """
        chosen, n = self.countable(implementation, n)
        if self.finds == PART:
            raise InvalidValueError(
                f"{self.name} reaches partial placements, which have no symmetry")
        return len({canonical(columns) for columns in chosen.visits(n)})

    def reflect(self, answer: Columns) -> Columns:
        return mirror(answer)

    def original_output(self, n: int) -> Iterator[str]:
        """Yield, in pieces, what the original program prints for n."""
        if self.prints is None:
            raise InvalidValueError(
                f"{self.name} is not a port of a program, so there is no original output")
        return self.prints(self.check(n), self.solutions(n))
