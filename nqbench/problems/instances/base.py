"""The searches in instances of queens: what they have in common.

An algorithm file defines `solutions(board, tally)`: a generator of the solutions, in the order of
its search, as tuples of columns that include the placed queens. The level of a node is the number
of queens that the search has placed. The rest is the same as for the queens, see
`nqbench.search.algorithm`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems.instances.board import Board
from nqbench.search.algorithm import Algorithm, Finds, Outcome, Tally, Tree
from nqbench.search.board import Columns, bits
from nqbench.search.metrics import Counter, declare

__all__ = ["Board", "Columns", "Finds", "Placements", "Search", "Tally", "Tree", "bits", "counted"]

Placements = Iterator[Columns]  # what a search yields

# What searches that look back or ahead count, in the same words for all.
COUNTED = {
    "checks": "pairs of squares that are compared: consistency checks",
    "jumps": "dead ends from which the search goes back more than one level",
    "jumped": ("levels", "levels that jumps skip"),
    "nogoods": "nogoods that are kept",
    "removals": ("squares", "free squares taken from open rows"),
    "revisions": "times that a pair of rows, or all, are made consistent"}


def counted(*names: str) -> tuple[Counter, ...]:
    """Return counters of `COUNTED`, for a search that counts them.

    >>> counted("removals")[0].unit
    'squares'
    """
    return declare({name: COUNTED[name] for name in names}, dir(Tally).__contains__)


@dataclass(frozen=True, kw_only=True)
class Search(Algorithm[Board, Columns]):
    """A search for the solutions of an instance.

    Attributes
    ----------
    complete
        whether it proves that an instance has no solution.
    within
        the names of searches that visit all its nodes in row order, if each row has a free square
        at first; each with who says so.

    Examples
    --------
    The whole of a file from_below.py:

    >>> from nqbench.problems.instances.base import Search, bits
    >>> def solutions(board, tally):
    ...     columns = dict(board.placed)
    ...     def place(waiting, level):
    ...         tally.node(level)
    ...         if not waiting:
    ...             tally.solution()
    ...             yield tuple(columns[row] for row in range(board.n))
    ...             return
    ...         row = waiting[-1]
    ...         for column in bits(board.free[row]):
    ...             tally.test(row, column)
    ...             if not any(board.attacked(other, columns[other], row) >> column & 1
    ...                        for other in columns):
    ...                 columns[row] = column
    ...                 yield from place(waiting[:-1], level + 1)
    ...                 del columns[row]
    ...         tally.exhausted(level)
    ...     return place(board.open_rows, 0)
    >>> ALGORITHM = Search(name="from_below", origin="this example", year=2026, search=solutions,
    ...                    technique="rows from the bottom")

    What the package does with it:

    >>> ALGORITHM.count(Board(8, placed=((0, 0),)))
    4
    """

    problem: ClassVar[str] = "instances"

    complete: bool = True
    within: tuple[tuple[str, str], ...] = ()

    def check(self, instance: Any) -> Board:
        """Return a board whose placed queens do not attack each other.

        >>> Search(name="", origin="", year=None, technique="").check(
        ...     Board(4, placed=((0, 0), (1, 1))))
        Traceback (most recent call last):
            ...
        nqbench.errors.InvalidValueError: the queens of rows 0 and 1 attack each other
        """
        if not isinstance(instance, Board):
            raise InvalidTypeError(f"an instance must be a Board, not {instance!r:.40}")
        if instance.contradiction:
            raise InvalidValueError(instance.contradiction)
        return instance

    def proves(self, found: Outcome[Columns]) -> bool:
        """Return whether it finds all solutions; a complete search that finds nothing proves that
        there is none, even if it looks only for one.
        """
        return self.exhaustive or (self.complete and not found.found)

    def levels(self, instance: Board) -> int:
        return len(instance.open_rows)

    def small_instances(self) -> Mapping[str, Board]:
        """Return an instance of each kind, all of which have a solution."""
        return {
            "n = 0": Board(0),
            "n = 1": Board(1),
            "n = 6": Board(6),
            "n = 6 with a queen": Board(6, placed=((0, 1),)),
            "n = 6 with blocked squares": Board(6, blocked=((0, 0), (1, 2), (4, 4))),
            "n = 6 with excluded diagonals": Board(6, sums=(0, 9), differences=(5,)),
            "torus, n = 5": Board(5, torus=True),
        }

    def larger_instances(self) -> Iterable[Board]:
        return map(Board, range(7, 10))
