"""A trace in one byte for each event, to replay it without the algorithm, as on the page of the
report.

Each event has a code, on boards of up to 10 x 10; s is the square r n + c:

    s                a queen is placed there
    n n + s          that square is refused
    2 n n            the placement is a solution
    2 n n + 1        it is complete where the search looks for partial ones
    2 n n + 2        no event: the next square is placed without a test
    2 n n + 3 + k    back: the line below k queens has no candidate left
    2 n n + n + 4    restart: all queens are removed

The rest of an event follows from those before it. A square in a row that has a queen removes that
queen and all placed after it; "back" and a solution remove the last queen. A recording of a search
in an instance of queens also contains the instance: its placed queens have no code.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.explain.trace import Event, Trace, Traced, find_attackers, follow, remove_from
from nqbench.problems.instances import Board
from nqbench.search.board import Square
from nqbench.util.arguments import require_whole

LARGEST_N = 10  # the codes of the largest board fill a byte
SIZES = range(4, LARGEST_N + 1)  # the boards that the page shows
MOST_EVENTS = 20_000  # the most events of a search on the page; up to n = 8 all of them
LEAVES = ("solution", "reached")


@dataclass(frozen=True)
class Recording:
    """The codes of a search; `complete` says whether they reach its end, `board` is the instance
    that was searched, None for a whole board of n queens.
    """

    n: int
    codes: bytes
    complete: bool
    board: Board | None = None


@dataclass(frozen=True)
class Moment:
    """An event, and what the search counted up to and including it (`nqbench.search.tally`).

    `backtracks` are the exhaustions, `solutions` the placements reached.
    """

    event: Event
    tests: int
    nodes: int
    backtracks: int
    solutions: int


class _LimitReachedError(Exception):
    """The limit of events is reached."""


class _Recorder(Trace):
    """A trace that records the codes of its events; it does not count and makes no event objects,
    because either would take longer than the search.
    """

    def __init__(self, n: int | Board, limit: int | None) -> None:
        super().__init__(n, lambda event: None)
        self.codes = bytearray()
        self._limit = inf if limit is None else limit
        self._side = n.n if isinstance(n, Board) else n
        self._squares = self._side ** 2
        self._rows: list[int] = []  # of the queens
        self._tested = -1  # the square that was tested last, -1 if that is recorded
        self._begun = False

    def test(self, row: int, column: int) -> None:
        if self._tested >= 0:
            self._add(self._squares + self._tested)
        if row in self._rows:
            del self._rows[self._rows.index(row):]
        self._tested = row * self._side + column

    def given(self, row: int, column: int) -> None:
        if row in self._rows:
            del self._rows[self._rows.index(row):]
        self._tested = row * self._side + column
        self.codes.append(2 * self._squares + 2)
        self._limit += 1  # this code is no event

    def node(self, level: int) -> None:
        if level:
            assert self._tested >= 0, "a queen was placed that was not tested"
            self._rows[level - 1:] = [self._tested // self._side]
            self._add(self._tested)
            self._tested = -1
        elif self._begun:
            self._rows.clear()
            self._add(2 * self._squares + self._side + 4)
        self._begun = True

    def solution(self) -> None:
        self._add(2 * self._squares + (len(self._rows) != self.n))
        del self._rows[-1:]

    def exhausted(self, level: int) -> None:
        if self._tested >= 0:
            self._add(self._squares + self._tested)
            self._tested = -1
        del self._rows[level:]
        self._add(2 * self._squares + 3 + len(self._rows))
        del self._rows[-1:]

    def dead_end(self, level: int) -> None:
        pass

    def _add(self, code: int) -> None:
        if len(self.codes) >= self._limit:
            raise _LimitReachedError
        self.codes.append(code)


def record(n: int | Board, algorithm: str | Traced = "iterative",
           limit: int | None = None) -> Recording:
    """Record the search for all placements of n queens or in an instance, or its first `limit`
    events.

    Raises
    ------
    TypeError, ValueError
        if n is not what the algorithm takes, or over 10, or if it does not backtrack.

    Examples
    --------
    >>> record(1).codes, record(4, limit=5).codes, record(4, limit=5).complete
    (b'\\x00\\x02\\x05', b'\\x00\\x14\\x15\\x06\\x18', False)
    """
    board = n if isinstance(n, Board) else None
    side = board.n if board else require_whole(n)
    if side > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N} to be recorded, not {side}")
    recorder = _Recorder(n, limit)
    try:
        follow(n, algorithm, recorder)
    except _LimitReachedError:
        return Recording(side, bytes(recorder.codes), complete=False, board=board)
    return Recording(side, bytes(recorder.codes), complete=True, board=board)


def pack(recording: Recording) -> dict[str, Any]:
    """Return a recording in a form for JSON: its codes are deflated by zlib and encoded in base64,
    which browsers can decode.

    >>> pack(record(4, limit=5))
    {'n': 4, 'whole': False, 'codes': 'eNpjEBFlkwAAALgASA=='}
    """
    instance = {"instance": recording.board.as_json()} if recording.board else {}
    return {"n": recording.n, "whole": recording.complete,
            "codes": b64encode(zlib.compress(recording.codes, 9)).decode(), **instance}


def is_sound(packed: Mapping[str, Any]) -> bool:
    """Return whether the codes of a packed recording can be unpacked and fit its board.

    >>> is_sound(pack(record(4))), is_sound({"n": 4, "codes": "AAAA"})
    (True, False)
    """
    try:
        unpacking = zlib.decompressobj()
        codes = unpacking.decompress(b64decode(packed["codes"], validate=True), 3 * MOST_EVENTS)
    except (ValueError, zlib.error):
        return False
    n = packed["n"]
    return unpacking.eof and max(codes, default=0) <= 2 * n * n + n + 4


def replay(recording: Recording) -> Iterator[Moment]:
    """Yield the events again, with the counters.

    >>> *_, last = replay(record(4))
    >>> last.event.kind, last.tests, last.nodes, last.backtracks, last.solutions
    ('back', 60, 17, 15, 2)
    """
    n, squares = recording.n, recording.n ** 2
    queens: list[Square] = []
    tests = backtracks = solutions = 0
    nodes = 1
    tested = True
    for code in recording.codes:
        if code == 2 * squares + 2:
            tested = False
            continue
        square: Square | None = None
        attackers: tuple[Square, ...] = ()
        if code < 2 * squares:
            refused, place = divmod(code, squares)
            square = divmod(place, n)
            remove_from(queens, square[0])
            tests += tested
            tested = True
            if refused:
                kind = "conflict"
                attackers = find_attackers(recording.board, queens, square)
            else:
                kind = "place"
                nodes += 1
                queens.append(square)
        elif code < 2 * squares + 2:
            kind = LEAVES[code - 2 * squares]
            solutions += 1
        elif code == 2 * squares + n + 4:
            kind = "restart"
            nodes += 1
            queens.clear()
        else:
            kind = "back"
            backtracks += 1
            del queens[code - 2 * squares - 3:]
        event = Event(kind, square, tuple(queens), attackers)
        yield Moment(event, tests, nodes, backtracks, solutions)
        if square is None:
            del queens[-1:]
