"""The algorithms of Sudoku: what they have in common.

An algorithm file defines `solutions(givens, tally)`: a generator of the solutions, in the order of
its search, as tuples of digits. Some also exist in the compiled core; `fast` exists only there. The
rest is the same as for the queens, see `nqbench.search.algorithm`.

The counters are those of the queens (`nqbench.search.tally`), with digits in place of queens: a
node is a grid that the search reaches; the root has only the givens; the level of a node is the
number of digits placed; scans are cells that are read. There is one more counter:

    guesses     digits placed where another one could still go

A search that tries one candidate after the other does not know the others, so every digit that it
places is a guess; in other searches, the last candidate of a cell, after the others have failed, is
not a guess.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from nqbench.errors import InvalidValueError
from nqbench.problems.sudoku.grid import ROW, Digits, Grid
from nqbench.search.algorithm import Algorithm, Outcome
from nqbench.search.implementations import Implementation
from nqbench.search.tally import BoundedTally, GaveUpError

Solutions = Iterator[Digits]  # what a search yields


class PuzzleTally(BoundedTally):
    """The counters of one search, within its budget, in a grid with `n` empty cells."""

    _board = "{} empty cells"

    __slots__ = ("guesses",)

    def __init__(self, n: int, *allowed: Any) -> None:
        super().__init__(n, *allowed)
        self.guesses = 0

    def counters(self) -> dict[str, Any]:
        return {**super().counters(), "guesses": self.guesses}

    def test(self, row: int, column: int, digit: int | None = None) -> None:
        """Count a test; the digit is for functions that follow the search."""
        super().test(row, column)

    def given(self, row: int, column: int, digit: int | None = None) -> None:
        """Count nothing; tell functions that follow the search that a digit was inferred."""

    def guess(self) -> None:
        self.guesses += 1


CORE = "nqbench._sudoku"
MOST_SOLUTIONS = 2**63  # solutions that the core counts
# A full grid, from which the builds are compared.
BASE = tuple((3 * (cell // 9 % 3) + cell // 27 + cell) % 9 + 1 for cell in range(81))


class SudokuCore(Implementation):
    """A search of the compiled core, in its two builds."""

    def __init__(self, core: Any, name: str, uncounted: Collection[str] = ()) -> None:
        self.core, self.name, self.uncounted = core, name, uncounted

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None, in_order: bool = False) -> Outcome[Digits]:
        found, packed, counters, gave_up = self.core.search(
            self.name, bytes(givens), limit, keep, nodes, seconds, in_order)
        kept = [tuple(packed[at:at + 81]) for at in range(0, len(packed), 81)]
        if "levels" in counters:  # with the counters that are computed from others
            counters = self.fill(givens, counters).counters()
        return Outcome(limit, found, kept, counters,
                       str(GaveUpError(*gave_up)) if gave_up else None)

    def count(self, givens: Digits) -> int:
        return self.search(givens, MOST_SOLUTIONS, 0).found

    def tally(self, givens: Digits) -> PuzzleTally:
        """Return the counters of a search for all solutions.

        Raises
        ------
        ValueError
            if it does not count everything that a tally has.
        """
        found, _, counters, _ = self.core.search(
            self.name, bytes(givens), MOST_SOLUTIONS, 0, None, None, False)
        if "levels" not in counters:
            raise InvalidValueError(f"{self.name} counts only {', '.join(counters)}; ask `solve` "
                                    "for these")
        tally = self.fill(givens, counters)
        tally.solutions = found
        return tally

    def fill(self, givens: Digits, counters: Mapping[str, Any]) -> PuzzleTally:
        """Return a tally with the counters of the core."""
        tally = PuzzleTally(givens.count(0))
        tally.uncounted = self.uncounted
        for name, value in counters.items():
            if name not in ("nodes", "dead_ends"):  # sums of the levels
                setattr(tally, name, value)
        return tally

    def counter(self, instances: Sequence[Digits], limit: int) -> Callable[[], list[int]]:
        return partial(self.core.counts, self.name, list(map(bytes, instances)), limit)


@dataclass(frozen=True, kw_only=True)
class Search(Algorithm[Digits, Digits]):
    """A search for the solutions of a grid. Its compiled version in the core has the same name.

    Examples
    --------
    The whole of a file nine_first.py:

    >>> from nqbench.problems.sudoku.base import Search
    >>> from nqbench.problems.sudoku.grid import PEERS
    >>> def solutions(givens, tally):
    ...     digits = list(givens)
    ...     def search(level):
    ...         tally.node(level)
    ...         if 0 not in digits:
    ...             tally.solution()
    ...             yield tuple(digits)
    ...             return
    ...         cell = digits.index(0)
    ...         for digit in reversed(range(1, 10)):
    ...             tally.test(cell // 9, cell % 9, digit)
    ...             if all(digits[peer] != digit for peer in PEERS[cell]):
    ...                 tally.guess()
    ...                 digits[cell] = digit
    ...                 yield from search(level + 1)
    ...                 digits[cell] = 0
    ...         tally.exhausted(level)
    ...     return search(0)
    >>> ALGORITHM = Search(name="nine_first", origin="this example", year=2026, search=solutions,
    ...                    technique="cells in reading order, digits from 9 to 1")

    The first row of its first solution of the empty grid:

    >>> ALGORITHM.solve((0,) * 81).solutions[0][:9]
    (9, 8, 7, 6, 5, 4, 3, 2, 1)
    """

    problem: ClassVar[str] = "sudoku"

    def check(self, instance: Any) -> Digits:
        """Return the digits of a grid, or of 81 digits.

        >>> Search(name="", origin="", year=None, technique="").check((0,) * 80)
        Traceback (most recent call last):
            ...
        nqbench.errors.InvalidValueError: a grid has 81 cells (9 x 9), not 80: other sizes ...
        """
        grid = instance if isinstance(instance, Grid) else Grid(instance)
        if grid.contradiction:
            raise InvalidValueError(f"the givens contradict each other: {grid.contradiction}")
        return grid.digits

    def tally(self, instance: Digits, nodes: int | None = None, seconds: float | None = None,
              backtracks: int | None = None) -> PuzzleTally:
        return PuzzleTally(instance.count(0), nodes, seconds, backtracks)

    def small_instances(self) -> Mapping[str, Digits]:
        """Return a full grid, and grids with one and with eight solutions."""
        return {f"{BASE[:9]}... without rows {rows}": tuple(
            0 if str(ROW[cell] + 1) in rows else digit for cell, digit in enumerate(BASE))
            for rows in ("none", "1, 4", "1, 2")}

    def compiled(self, core: Any) -> SudokuCore:
        return SudokuCore(core, self.name, self.python.uncounted if self.search else ())
