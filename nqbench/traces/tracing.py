"""The search step by step, told by the running algorithm itself.

The counting build says which square it tests, which placements it accepts and where it
goes back (`nqbench.tally`). A `Trace` takes the place of the tally and hears all of that
in the algorithm's real order:

    place       a candidate was accepted: a node of the tree
    conflict    a candidate was refused; `attackers` are the queens that attack it, none
                where it was left out for another reason, as the image of one that was tried
    solution    the placement just made is complete ("reached" if it is not, where the
                search looks for partial ones)
    back        the last candidate of a line has been tried: one level up

Knuth, The Art of Computer Programming 4B, 7.2.2, calls it the trace of a backtrack program.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from nqbench._arguments import require_whole
from nqbench.algorithms import find
from nqbench.board import Square, attacks
from nqbench.tally import Tally


@dataclass(frozen=True)
class Step:
    """One step: what is done, at which square, and the queens that stand then.

    `queens` are squares in the order of their placing, among them a queen just placed;
    `square` is None but for "place" and "conflict".
    """

    kind: str
    square: Square | None
    queens: tuple[Square, ...]
    attackers: tuple[Square, ...] = ()


class Trace(Tally):
    """A tally that passes on each step it hears of.

    >>> trace = Trace(4, lambda step: print(step.kind, step.square))
    >>> trace.node(0)
    >>> trace.test(0, 0)
    >>> trace.node(1)
    place (0, 0)
    >>> trace.test(1, 1)
    >>> trace.exhausted(1)
    conflict (1, 1)
    back None
    """

    __slots__ = ("_candidate", "_hear", "_queens")

    def __init__(self, n: int, hear: Callable[[Step], object]) -> None:
        super().__init__(n)
        self._hear = hear
        self._queens: list[Square] = []
        self._candidate: Square | None = None

    def test(self, row: int, column: int) -> None:
        super().test(row, column)
        self._refuse()
        leave(self._queens, row)
        self._candidate = row, column

    def given(self, row: int, column: int) -> None:
        leave(self._queens, row)
        self._candidate = row, column

    def node(self, level: int) -> None:
        super().node(level)
        if level:
            assert self._candidate is not None, "a queen was placed that was not tested"
            self._queens[level - 1:] = [self._candidate]
            self._say("place", self._candidate)
            self._candidate = None

    def solution(self) -> None:
        super().solution()
        self._say("solution" if len(self._queens) == self.n else "reached")
        del self._queens[-1:]

    def exhausted(self, level: int) -> None:
        self._refuse()
        super().exhausted(level)
        del self._queens[level:]
        self._say("back")
        del self._queens[-1:]

    def _refuse(self) -> None:
        """The square tested last has not become a node."""
        if self._candidate is not None:
            self._say("conflict", self._candidate)
            self._candidate = None

    def _say(self, kind: str, square: Square | None = None) -> None:
        attackers: tuple[Square, ...] = ()
        if kind == "conflict" and square is not None:
            attackers = tuple(queen for queen in self._queens if attacks(queen, square))
        self._hear(Step(kind, square, tuple(self._queens), attackers))


def leave(queens: list[Square], row: int) -> None:
    """Take the queen of this row off, and all that came after it.

    >>> queens = [(0, 0), (1, 2), (2, 4)]
    >>> leave(queens, 1)
    >>> queens
    [(0, 0)]
    """
    for level, (taken, _) in enumerate(queens):
        if taken == row:
            del queens[level:]
            return


def follow(n: int, algorithm: str, trace: Trace, limit: int | None = None) -> None:
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


def steps(n: int, algorithm: str = "iterative", limit: int | None = None) -> list[Step]:
    """Return the steps of a search for all placements, or for the first `limit`; see `follow`.

    >>> [step.square for step in steps(4, limit=1) if step.kind == "place"]
    [(0, 0), (1, 2), (1, 3), (2, 1), (0, 1), (1, 3), (2, 0), (3, 2)]
    """
    heard: list[Step] = []
    _, n = find(algorithm).implementation("python", n)
    follow(n, algorithm, Trace(n, heard.append), limit)
    return heard
