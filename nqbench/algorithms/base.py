"""What the catalogue knows of an algorithm, and how to run it.

A search is a generator function of n and a tally: it yields the placements that it reaches, in its
order, as tuples of columns. It is written once and built three times (`nqbench.builds`). Searches
that use the mirror reach half of the solutions; `Algorithm.mirrors` says for which n.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any
from warnings import warn

from nqbench._arguments import require_text, require_whole
from nqbench.algorithms._printing import Printer
from nqbench.algorithms.capabilities import ALL, ONE, PART, SOME, Choice, Finds, Tree
from nqbench.algorithms.implementations import Builds, CythonBuilds, Implementation, PythonBuilds
from nqbench.board import Columns, canonical, mirror
from nqbench.errors import InvalidValueError
from nqbench.tally import Tally

__all__ = ["ALL", "MEMORY", "ONE", "PART", "RECURSION", "SOME", "Algorithm", "Choice", "Finds",
           "Search", "Tree", "always", "even", "never"]

# A recursive generator needs a frame a row; CPython allows 1000 frames by default.
RECURSION = 500
# Loops and explicit stacks need a few words a row.
MEMORY = 1_000_000


def never(n: int) -> bool:
    return False


def always(n: int) -> bool:
    return True


def even(n: int) -> bool:
    return n % 2 == 0


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An entry of the catalogue. A `Search` has all of its abilities; others refuse some.

    Attributes
    ----------
    name
        what the commands call it.
    origin, year
        document, author and listing it comes from; None where undated.
    technique
        how it finds and refuses candidates, in a few words for people.
    keeps_marks
        whether it keeps marks or masks of the lines attacked, instead of looking at rows or
        squares again.
    symmetry
        what symmetry it uses, in words for people.
    uses_symmetry
        whether it uses any.
    counts_turns
        whether it counts the solutions that turns leave unchanged by themselves.
    tree
        which tree it walks.
    finds
        what it reaches.
    choice
        what the user may choose, behind a colon after the name.
    """

    name: str
    origin: str
    year: int | None
    technique: str
    keeps_marks: bool = False
    symmetry: str = "none"
    uses_symmetry: bool = False
    counts_turns: bool = False
    tree: Tree = Tree.PLAIN
    finds: Finds = Finds.ALL
    choice: Choice | None = None

    @property
    def exhaustive(self) -> bool:
        """Whether it finds all solutions, and so can count them."""
        return self.finds == ALL

    def chosen(self, text: str) -> "Algorithm":
        """Return the algorithm with a value for its choice.

        Raises
        ------
        ValueError
            if there is nothing to choose, or not this.
        """
        raise InvalidValueError(
            f"{self.name} leaves no choice; {text!r} behind the colon means nothing")

    def compare_builds(self) -> None:
        """Check for small n that the code that is timed reaches what the code that counts does:
        the same placements in the same order. Takes some milliseconds, and nothing once it passed.

        Raises
        ------
        BuildsDifferError
            if it does not.
        BuildError
            if one of the builds cannot be made.
        """
        raise NotImplementedError

    @property
    def implementations(self) -> Mapping[str, Implementation]:
        """The ways to run it, `python` first; `cython` where its core was compiled."""
        raise NotImplementedError

    def implementation(self, name: str, n: object) -> tuple[Implementation, int]:
        """Return the implementation and n, both checked.

        Raises
        ------
        ValueError, TypeError
            naming what is wrong and what is allowed.
        """
        number = require_whole(n)
        if require_text(name, "implementation") not in self.implementations:
            raise InvalidValueError(
                f"{self.name} has no implementation {name!r}, only "
                f"{' and '.join(self.implementations)}")
        chosen = self.implementations[name]
        if number > chosen.largest_n:
            raise InvalidValueError(
                f"n must be at most {chosen.largest_n:,} for {self.name} in {name}, "
                f"not {number}")
        return chosen, number

    def one_job(self, implementation: str, jobs: int | None) -> None:
        """Refuse more than one thread in Python, where they would only take turns."""
        if jobs is not None and require_whole(jobs, "jobs", least=1) != 1:
            raise InvalidValueError(
                f"jobs must be 1 for {self.name} in {implementation}, not {jobs}: "
                "only cython implementations and the algorithm threads take more")

    def no_choices(self, choices: Mapping[str, Any], where: str = "") -> None:
        """Refuse what only other algorithms, or implementations, can choose."""
        for name, value in choices.items():
            if value is not None:
                raise InvalidValueError(
                    f"the {name} must not be given for {self.name}{where}, which "
                    "has none")

    def counting(self, n: int, implementation: str = "python", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        """Yield (share done, solutions counted so far) now and then, and at the end.

        `jobs` threads do the work; by default one, or as many as there are cores
        where the algorithm is made for it. Other choices are the algorithm's own.
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

    def by_first_queen(self, n: int, implementation: str = "python") -> dict[int, int]:
        """Return the number of solutions by the column of the first queen (n >= 1)."""
        raise self._only_counts("divided by the first queen")

    def profiled(self, implementation: str) -> bool:
        """Whether this implementation can count what its search does."""
        return False

    def profile(self, n: int, implementation: str = "python") -> Tally:
        """Return the counters of a search for all solutions."""
        raise self._only_counts("profiled")

    def solutions(self, n: int, implementation: str = "python") -> Iterator[Columns]:
        """Yield every solution as a tuple of columns, in the order of the search."""
        raise self._only_counts("asked for solutions")

    def follow(self, n: int, tally: Tally) -> Iterator[Columns]:
        """Run the search with this tally; yield the placements that it reaches."""
        raise self._only_counts("followed")

    def original_output(self, n: int) -> Iterator[str]:
        """Yield, in pieces, what the original program prints for n."""
        raise self._only_counts("asked for the output of an original")

    def seed_output(self, n: int) -> Iterator[str]:
        """Return `original_output(n)`: the old name, deprecated."""
        warn("seed_output is deprecated; use original_output", DeprecationWarning, stacklevel=2)
        return self.original_output(n)

    def _only_counts(self, what: str) -> InvalidValueError:
        return InvalidValueError(f"{self.name} only counts and cannot be {what}")


@dataclass(frozen=True, kw_only=True)
class Search(Algorithm):
    """An algorithm that reaches solutions one by one.

    Attributes
    ----------
    search
        the counting build, see `nqbench.builds`.
    prints
        what the original program prints, if there is one.
    mirrors
        for which n it reaches just half of the solutions, the others being their
        mirror images.
    largest_n
        the largest n the Python implementation accepts.
    core
        name of the Cython core, if there is one.
    row_by_row
        whether the queen of the first row is placed first, in rising or falling columns.
    value
        what was chosen; None for the default.
    """

    search: Callable[..., Iterator[Columns]]
    prints: Printer | None = None
    mirrors: Callable[[int], bool] = never
    largest_n: int = MEMORY
    core: str | None = None
    row_by_row: bool = True
    value: int | None = None

    def chosen(self, text: str) -> Algorithm:
        """Return the algorithm with a value for its choice, as "width_limited:4" gives it."""
        if self.choice is None:
            return super().chosen(text)
        if not text.isdecimal() or len(text) > 18:
            raise InvalidValueError(
                f"the {self.choice.name} of {self.name} must be a whole number, 0 or "
                f"more, not {text!r}")
        return replace(self, name=f"{self.name}:{int(text)}", value=int(text))

    @cached_property
    def python(self) -> PythonBuilds:
        values = () if self.choice is None else (self.value,)
        return PythonBuilds(self.search, self.largest_n, *values)

    @cached_property
    def implementations(self) -> Mapping[str, Builds]:
        found: dict[str, Builds] = {"python": self.python}
        if self.core:
            with suppress(ImportError):  # built without a C compiler: Python answers the same
                found["cython"] = CythonBuilds(import_module(self.core))
        return found

    def compare_builds(self) -> None:
        self.python.compare(self.name)

    def builds(self, implementation: str, n: object) -> tuple[Builds, int]:
        """Return the implementation, in its builds, and n, both checked."""
        _, number = self.implementation(implementation, n)
        self.python.made.clear()  # a notebook may have defined anew what they refer to
        return self.implementations[implementation], number

    def countable(self, implementation: str, n: object) -> tuple[Builds, int]:
        """Return the same, but only if there is something to count.

        Raises
        ------
        ValueError
            if it looks for one solution only.
        """
        found = self.builds(implementation, n)
        if self.finds == ONE:
            raise InvalidValueError(f"{self.name} looks for one solution and cannot count them all")
        return found

    def doubles(self, n: int) -> bool:
        """Whether each placement reached stands for its mirror image too.

        No placement of two queens or more is its own mirror image.
        """
        return n > 1 and self.mirrors(n)

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

    def _counting(self, chosen: Builds, n: int, jobs: int) -> Iterator[tuple[float, int]]:
        if n == 0 or self.finds == PART:  # no first queen to divide by
            yield 1.0, chosen.count(n)
            return
        worth, found = 1 + self.doubles(n), 0
        for columns, (_, reached) in enumerate(chosen.by_first_queen(n, jobs), 1):
            found += reached * worth
            yield columns * worth / n if self.row_by_row else 0.0, found
        yield 1.0, found

    def whole_ones(self, implementation: str, n: object) -> tuple[Builds, int]:
        """Return the same as `countable`, but only if what is reached are solutions."""
        if self.finds == PART:
            raise InvalidValueError(
                f"{self.name} reaches partial placements, which have no symmetry and "
                "need no first queen")
        return self.countable(implementation, n)

    def unique(self, n: int, implementation: str = "python") -> int:
        """Return the number of solutions up to rotation and reflection.

        Each solution is reduced to its canonical form: memory for one placement an
        orbit is needed.
        """
        chosen, n = self.whole_ones(implementation, n)
        return len({canonical(columns) for columns in self._solutions(chosen, n)})

    def by_first_queen(self, n: int, implementation: str = "python") -> dict[int, int]:
        """Return the number of solutions by the column of the first queen (n >= 1)."""
        chosen, n = self.whole_ones(implementation, n)
        found = dict.fromkeys(range(n), 0)
        for column, reached in chosen.by_first_queen(n):
            found[column] += reached
            if self.doubles(n):
                found[n - 1 - column] += reached
        return found

    def profiled(self, implementation: str) -> bool:
        return True

    def profile(self, n: int, implementation: str = "python") -> Tally:
        """Return the counters of a search for all solutions."""
        chosen, n = self.builds(implementation, n)
        tally = chosen.tally(n)
        tally.solutions *= 1 + self.doubles(n)
        return tally

    def solutions(self, n: int, implementation: str = "python") -> Iterator[Columns]:
        """Yield every solution as a tuple of columns, in the order of the search.

        Where the search uses the mirror, each placement reached is followed by
        its image.
        """
        chosen, n = self.builds(implementation, n)
        return self._solutions(chosen, n)

    def _solutions(self, chosen: Builds, n: int) -> Iterator[Columns]:
        doubles = self.doubles(n)
        for columns in chosen.visits(n):
            yield columns
            if doubles:
                yield mirror(columns)

    def follow(self, n: int, tally: Tally) -> Iterator[Columns]:
        """Run the search with this tally; yield the placements that it reaches.

        Raises
        ------
        ValueError
            if it does not backtrack and so has no tree.
        """
        if self.tree == Tree.NONE:
            raise InvalidValueError(f"{self.name} does not backtrack and has no tree")
        _, n = self.builds("python", n)
        return self.python.follow(n, tally)

    def original_output(self, n: int) -> Iterator[str]:
        """Yield, in pieces, what the original program prints for n."""
        if self.prints is None:
            raise InvalidValueError(
                f"{self.name} is a port of no program and prints nothing of its own")
        chosen, n = self.builds("python", n)
        return self.prints(n, self._solutions(chosen, n))
