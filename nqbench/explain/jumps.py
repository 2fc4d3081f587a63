"""The search of A* or of min-conflicts, which goes from placement to placement without a tree,
recorded in a few bytes for each event, to replay it without the algorithm.

An event is its kind and what belongs to it; a square is r n + c:

    0 s             conflict: the square was tested and is refused
    1 s             queue: it was tested, and the placement with a queen there waits in the queue
    2 k c ... c     take: the search goes on from this placement of k queens, a node
    3 s, 4 s        put: a queen is put there, by the way; with 4 the square was tested last
    5 s             move: the queen of the row goes there; all squares of the row were tested
    6               solution

A queen put into the first row begins an empty board.
"""

import zlib
from base64 import b64encode
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.explain.recordings import LARGEST_N, MOST_EVENTS
from nqbench.problems.queens import Search
from nqbench.search.board import Square
from nqbench.search.tally import Tally

CONFLICT, QUEUE, TAKE, PUT, PUT_TESTED, MOVE, SOLUTION = range(7)


@dataclass(frozen=True)
class JumpRecording:
    """The codes of a search, and whether they reach its end."""

    n: int
    codes: bytes
    complete: bool


class _LimitReachedError(Exception):
    """The limit of events is reached."""


class _Recorder(Tally):
    """A tally that records the codes of the events."""

    def __init__(self, n: int, limit: int) -> None:
        super().__init__(n)
        self.codes = bytearray()
        self._left = limit
        self._candidate: Square | None = None
        self._is_node = False

    def test(self, row: int, column: int) -> None:
        self._settle(CONFLICT)
        self._candidate = row, column
        self._is_node = False

    def child(self, level: int) -> None:
        self._settle(QUEUE)

    def node(self, level: int) -> None:
        self._settle(CONFLICT)
        self._is_node = True

    def jump(self, columns: Sequence[int], row: int | None = None) -> None:
        last = len(columns) - 1
        if row is not None:
            self._add(MOVE, row * self.n + columns[row])
        elif self._is_node:
            self._add(TAKE, len(columns), *columns)
        elif self._candidate == (last, columns[last]):
            self._candidate = None
            self._add(PUT_TESTED, last * self.n + columns[last])
        else:
            self._settle(CONFLICT)
            self._add(PUT, last * self.n + columns[last])

    def solution(self) -> None:
        self._add(SOLUTION)

    def _settle(self, kind: int) -> None:
        if self._candidate is not None:
            row, column = self._candidate
            self._candidate = None
            self._add(kind, row * self.n + column)

    def _add(self, *codes: int) -> None:
        if not self._left:
            raise _LimitReachedError
        self._left -= 1
        self.codes += bytes(codes)


def record_jumps(n: int, algorithm: Search, limit: int = MOST_EVENTS) -> JumpRecording:
    """Record the search for n queens, or its first `limit` events.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        if n is not what the algorithm takes, or over 10, or if the algorithm reports no placements.

    Examples
    --------
    >>> from nqbench.problems.queens import find
    >>> list(record_jumps(1, find("a_star")).codes)
    [2, 0, 1, 0, 2, 1, 0, 6]
    """
    if not algorithm.jumps:
        raise InvalidValueError(f"{algorithm.name} does not report its placements")
    _, n = algorithm.builds("python", n)
    if n > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N} to be recorded, not {n}")
    recorder = _Recorder(n, limit)
    try:
        deque(algorithm.python.follow(n, recorder), maxlen=0)
    except _LimitReachedError:
        return JumpRecording(n, bytes(recorder.codes), complete=False)
    return JumpRecording(n, bytes(recorder.codes), complete=True)


def pack_jumps(recording: JumpRecording) -> dict[str, Any]:
    """Return a recording as JSON holds it, as `nqbench.explain.recordings.pack` does."""
    return {"n": recording.n, "whole": recording.complete, "jumps": True,
            "codes": b64encode(zlib.compress(recording.codes, 9)).decode()}
