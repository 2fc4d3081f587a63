"""What the catalogue knows of a solver of Sudoku, and how to run it.

An algorithm file defines `solutions(givens, tally)`: a generator of the solutions, in the
order of its search, as tuples of digits. It is written once and built twice
(`nqbench.builds`). Some have a twin in the compiled core; `fast` exists only there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from itertools import islice
from sys import maxsize
from typing import Any, Protocol

from nqbench.builds import built
from nqbench.errors import InvalidValueError
from nqbench.sudoku.grid import Digits
from nqbench.sudoku.tally import GaveUpError, Tally

Search = Callable[[Digits, Tally], Iterator[Digits]]


@dataclass(frozen=True)
class Outcome:
    """What a search for at most `limit` solutions came to.

    found: how many. solutions: the first of them, as many as were to be kept, in the order of
    the search. counters: see `nqbench.sudoku.tally`; of some searches not all. gave_up: why it
    ended before its time, else None; what was found may then not be all, or not the first.
    """

    limit: int
    found: int
    solutions: list[Digits]
    counters: dict[str, Any]
    gave_up: str | None = None

    @property
    def answer(self) -> str:
        """How many solutions there are, in a word: none, one, several; "found" where one was
        found and more were not looked for; "gave up" where it is not known.

        >>> Outcome(2, 1, [], {}).answer, Outcome(1, 1, [], {}).answer
        ('one', 'found')
        """
        if self.found >= min(self.limit, 2):
            return "several" if self.found > 1 else "found"
        return "gave up" if self.gave_up else ("none", "one")[self.found]


class Implementation(Protocol):
    """One way to run an algorithm."""

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None) -> Outcome:
        """Look for `limit` solutions within a budget, counting; keep the first `keep`."""
        ...

    def counter(self, puzzles: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        """Return a function that counts the solutions of each, `limit` at most, as fast as it can.
        """
        ...


class PythonBuilds:
    """The builds of an algorithm file."""

    def __init__(self, counting: Search) -> None:
        self.counting = counting

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None) -> Outcome:
        tally = Tally(givens.count(0), nodes, seconds)
        kept: list[Digits] = []
        found, gave_up = 0, None
        try:
            for digits in islice(self.counting(givens, tally), min(limit, maxsize)):
                found += 1
                if found <= keep:
                    kept.append(digits)
        except GaveUpError as error:
            gave_up = str(error)
        return Outcome(limit, found, kept, tally.counters(), gave_up)

    def counter(self, puzzles: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        plain = built(self.counting, "plain")
        most = min(limit, maxsize)
        return lambda: [sum(1 for _ in islice(plain(givens), most)) for givens in puzzles]


class CythonBuilds:
    """A search of the compiled core, in its two builds."""

    def __init__(self, core: Any, name: str) -> None:
        self.core = core
        self.name = name

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None, in_order: bool = False) -> Outcome:
        found, packed, counters, gave_up = self.core.search(
            self.name, bytes(givens), limit, keep, nodes, seconds, in_order)
        kept = [tuple(packed[at:at + 81]) for at in range(0, len(packed), 81)]
        return Outcome(limit, found, kept, counters,
                       str(GaveUpError(*gave_up)) if gave_up else None)

    def counter(self, puzzles: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        return partial(self.core.counts, self.name, list(map(bytes, puzzles)), limit)


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An entry of the catalogue: name, origin (document or author), year (None where undated),
    technique in a few words, the counting build of its file if it is in Python, and the name of
    its twin in the compiled core if it has one.
    """

    name: str
    origin: str
    year: int | None
    technique: str
    search: Search | None = None
    core: str | None = None

    def chosen(self, kernel: str) -> "Algorithm":
        """Return the same with a kernel of the core.

        Raises
        ------
        ValueError
            if it has none such.
        """
        raise InvalidValueError(
            f"{self.name} leaves no choice; {kernel!r} behind the colon means nothing")

    @cached_property
    def implementations(self) -> Mapping[str, Implementation]:
        """The ways to run it, `python` first; `cython` where the core was compiled."""
        found: dict[str, Implementation] = {}
        if self.search is not None:
            found["python"] = PythonBuilds(self.search)
        if self.core is not None:
            with suppress(ImportError):  # built without a C compiler
                found["cython"] = CythonBuilds(import_module("nqbench._sudoku"), self.core)
        return found
