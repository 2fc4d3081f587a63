"""The events of a search, reported by the running algorithm.

The counting build reports which squares it tests, which placements it accepts and where it
backtracks (`nqbench.search.tally`). A `Trace` replaces the tally and turns these calls into events,
in the order of the algorithm::

    place       a candidate was accepted: a node of the tree
    conflict    a candidate was refused; `attackers` are the queens that attack it, none if it
                was skipped for another reason, as the image of one that was tried; `rule` is the
                rule of the search that refused it, if the search names one
    solution    the last placement is complete ("reached" if the search looks for partial
                placements and it is one)
    back        the last candidate of a line was tried: one level up
    restart     the search begins again at the root, without its queens

In an instance of queens (`nqbench.problems.instances`) the queens of an event are those that the
search has placed; those that the board has from the start attack candidates, too.

Knuth, The Art of Computer Programming 4B, 7.2.2, calls it the trace of a backtrack program.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from nqbench.problems import instances
from nqbench.problems.instances import Board
from nqbench.problems.queens import QueensAlgorithm, find
from nqbench.search.board import Square, attacks
from nqbench.search.tally import BoundedTally
from nqbench.util.arguments import require_whole

Traced = QueensAlgorithm | instances.Search  # the kinds of algorithms that can be followed


@dataclass(frozen=True)
class Event:
    """An event of a search: its kind, its square, and the queens on the board.

    `queens` are squares in the order of their placement, including a queen just placed;
    `square` is None except for "place" and "conflict".
    """

    kind: str
    square: Square | None
    queens: tuple[Square, ...]
    attackers: tuple[Square, ...] = ()
    rule: str = ""


class Trace(BoundedTally):
    """A tally that passes each event to a function, on a board of n rows or in an instance; it may
    have limits.

    >>> trace = Trace(4, lambda event: print(event.kind, event.square))
    >>> trace.node(0)
    >>> trace.test(0, 0)
    >>> trace.node(1)
    place (0, 0)
    >>> trace.test(1, 1)
    >>> trace.exhausted(1)
    conflict (1, 1)
    back None
    """

    __slots__ = ("_candidate", "_instance", "_queens", "_receive", "_rule")

    def __init__(self, n: int | Board, receive: Callable[[Event], object], **allowed: Any) -> None:
        super().__init__(count_levels(n), **allowed)
        self._instance = n if isinstance(n, Board) else None
        self._receive = receive
        self._queens: list[Square] = []
        self._candidate: Square | None = None
        self._rule = ""  # which refuses the candidate

    def test(self, row: int, column: int) -> None:
        super().test(row, column)
        self._refuse()
        remove_from(self._queens, row)
        self._candidate = row, column

    def given(self, row: int, column: int) -> None:
        remove_from(self._queens, row)
        self._candidate = row, column

    def refused(self, level: int, rule: str) -> None:
        super().refused(level, rule)
        self._rule = rule

    def node(self, level: int) -> None:
        super().node(level)
        if level:
            assert self._candidate is not None, "a queen was placed that was not tested"
            self._queens[level - 1:] = [self._candidate]
            self._report("place", self._candidate)
            self._candidate = None
        elif self.levels[0] > 1:
            self._queens.clear()
            self._report("restart")

    def solution(self) -> None:
        super().solution()
        self._report("solution" if len(self._queens) == self.n else "reached")
        del self._queens[-1:]

    def exhausted(self, level: int) -> None:
        self._refuse()
        super().exhausted(level)
        del self._queens[level:]
        self._report("back")
        del self._queens[-1:]

    def _refuse(self) -> None:
        """Report a conflict if the square tested last has not become a node."""
        if self._candidate is not None:
            self._report("conflict", self._candidate)
            self._candidate, self._rule = None, ""

    def _report(self, kind: str, square: Square | None = None) -> None:
        attackers: tuple[Square, ...] = ()
        if kind == "conflict" and square is not None:
            attackers = find_attackers(self._instance, self._queens, square)
        self._receive(Event(kind, square, tuple(self._queens), attackers, self._rule))


def count_levels(n: int | Board) -> int:
    """Return how many queens a search for n queens or in an instance places.

    >>> count_levels(8), count_levels(Board(8, placed=((0, 0),)))
    (8, 7)
    """
    return len(n.open_rows) if isinstance(n, Board) else n


def find_attackers(board: Board | None, queens: list[Square], square: Square) -> tuple[Square, ...]:
    """Return the queens that attack a square: those of a search, and those of its instance.

    >>> find_attackers(Board(5, placed=((0, 0),), torus=True), [(1, 2)], (3, 2))
    ((0, 0), (1, 2))
    """
    if board is None:
        return tuple(queen for queen in queens if attacks(queen, square))
    row, column = square
    return tuple((r, c) for r, c in (*board.placed, *queens)
                 if r == row or board.attacked(r, c, row) >> column & 1)


def find_emptied_row(n: int | Board, queens: Iterable[Square], square: Square) -> int | None:
    """Return the first open row that a queen on a square, with those that the search has placed,
    leaves without a free square; None if there is none.

    >>> find_emptied_row(6, [(0, 0), (1, 2), (2, 4)], (3, 1)), find_emptied_row(6, [], (0, 0))
    (5, None)
    """
    board = n if isinstance(n, Board) else Board(n)
    return next((row for row, free in find_free(board, (*queens, square)) if not free), None)


def find_free(board: Board, queens: Collection[Square]) -> tuple[tuple[int, int], ...]:
    """Return the open rows without a queen, each with the mask of its free squares.

    >>> find_free(Board(4), ((0, 1), (1, 3)))
    ((2, 1), (3, 5))
    """
    taken = {row for row, _ in queens}
    found = []
    for row in board.open_rows:
        if row not in taken:
            free = board.free[row]
            for queen in queens:
                free &= ~board.attacked(*queen, row)
            found.append((row, free))
    return tuple(found)


def remove_from(queens: list[Square], row: int) -> None:
    """Remove the queen of this row, and all that were placed after it.

    >>> queens = [(0, 0), (1, 2), (2, 4)]
    >>> remove_from(queens, 1)
    >>> queens
    [(0, 0)]
    """
    for level, (taken, _) in enumerate(queens):
        if taken == row:
            del queens[level:]
            return


def find_traced(n: int | Board, algorithm: str | Traced) -> Traced:
    """Return the algorithm of that name, for n queens or for instances."""
    if isinstance(algorithm, instances.Search):
        return algorithm
    if isinstance(n, Board) and not isinstance(algorithm, QueensAlgorithm):
        return instances.find(algorithm)
    return find(algorithm)


def follow(n: int | Board, algorithm: str | Traced, trace: Trace, limit: int | None = None) -> None:
    """Run a search for n queens or in an instance with a trace as its tally, for all placements or
    for the first `limit`.

    Raises
    ------
    TypeError, ValueError
        if the algorithm does not accept n, if it does not backtrack, or if `limit` is not a whole
        number, 0 or more.
    GaveUpError
        at a bound of the trace.
    """
    found: Any = find_traced(n, algorithm)
    search = found.follow(n, trace)
    if limit is not None:
        search = islice(search, require_whole(limit, "limit"))
    deque(search, maxlen=0)
    trace.require_end()


def collect_events(n: int | Board, algorithm: str | Traced = "iterative",
                   limit: int | None = None) -> list[Event]:
    """Return the events of a search for all placements, or for the first `limit`; see `follow`.

    The squares in figure 8.22 of Zhou Shiping's C Programming, up to the first placement of four:

    >>> [event.square for event in collect_events(4, limit=1) if event.kind == "place"]
    [(0, 0), (1, 2), (1, 3), (2, 1), (0, 1), (1, 3), (2, 0), (3, 2)]
    """
    events: list[Event] = []
    chosen = find_traced(n, algorithm)
    _, checked = chosen.implementation("python", n)
    follow(checked, chosen, Trace(checked, events.append), limit)
    return events
