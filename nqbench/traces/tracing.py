"""The events of a search, reported by the running algorithm.

The counting build reports which squares it tests, which placements it accepts and where it
backtracks (`nqbench.tally`). A `Trace` replaces the tally and turns these calls into events, in
the order of the algorithm:

    place       a candidate was accepted: a node of the tree
    conflict    a candidate was refused; `attackers` are the queens that attack it, none if it
                was skipped for another reason, as the image of one that was tried
    solution    the last placement is complete ("reached" if the search looks for partial
                placements and it is one)
    back        the last candidate of a line was tried: one level up

Knuth, The Art of Computer Programming 4B, 7.2.2, calls it the trace of a backtrack program.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from nqbench._arguments import require_whole
from nqbench._deprecated import moved
from nqbench.algorithms import QueensAlgorithm, find
from nqbench.board import Square, attacks
from nqbench.tally import Tally


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


class Trace(Tally):
    """A tally that passes each event to a function.

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

    __slots__ = ("_candidate", "_queens", "_receive")

    def __init__(self, n: int, receive: Callable[[Event], object]) -> None:
        super().__init__(n)
        self._receive = receive
        self._queens: list[Square] = []
        self._candidate: Square | None = None

    def test(self, row: int, column: int) -> None:
        super().test(row, column)
        self._refuse()
        remove_from(self._queens, row)
        self._candidate = row, column

    def given(self, row: int, column: int) -> None:
        remove_from(self._queens, row)
        self._candidate = row, column

    def node(self, level: int) -> None:
        super().node(level)
        if level:
            assert self._candidate is not None, "a queen was placed that was not tested"
            self._queens[level - 1:] = [self._candidate]
            self._report("place", self._candidate)
            self._candidate = None

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
            self._candidate = None

    def _report(self, kind: str, square: Square | None = None) -> None:
        attackers: tuple[Square, ...] = ()
        if kind == "conflict" and square is not None:
            attackers = tuple(queen for queen in self._queens if attacks(queen, square))
        self._receive(Event(kind, square, tuple(self._queens), attackers))


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


def follow(n: int, algorithm: str | QueensAlgorithm, trace: Trace,
           limit: int | None = None) -> None:
    """Run a search with a trace as its tally, for all placements or for the first `limit`.

    Raises
    ------
    TypeError, ValueError
        if n is not a number that the algorithm takes, if it does not backtrack, or if `limit`
        is not a whole number, 0 or more.
    """
    search = find(algorithm).follow(n, trace)
    if limit is not None:
        search = islice(search, require_whole(limit, "limit"))
    deque(search, maxlen=0)


def collect_events(n: int, algorithm: str | QueensAlgorithm = "iterative",
                   limit: int | None = None) -> list[Event]:
    """Return the events of a search for all placements, or for the first `limit`; see `follow`.

    >>> [event.square for event in collect_events(4, limit=1) if event.kind == "place"]
    [(0, 0), (1, 2), (1, 3), (2, 1), (0, 1), (1, 3), (2, 0), (3, 2)]
    """
    events: list[Event] = []
    _, n = find(algorithm).implementation("python", n)
    follow(n, algorithm, Trace(n, events.append), limit)
    return events


if not TYPE_CHECKING:
    __getattr__ = moved(__name__)
