"""A search in a few bytes for each event, to replay it without the algorithm, as on a page.

There are three kinds of codes. For a tree of queens, on boards of up to 10 x 10, each event has one
byte; s is the square r n + c:

    s                a queen is placed there
    n n + s          that square is refused
    2 n n            the placement is a solution
    2 n n + 1        it is complete where the search looks for partial ones
    2 n n + 2        no event: the next square is placed without a test
    2 n n + 3 + k    back: the line below k queens has no candidate left
    2 n n + n + 4    restart: all queens are removed
    2 n n + n + 5 + r    no event: the next square is refused by rule r of the search, if this fits

The rest of an event follows from those before it. A square in a row that has a queen removes that
queen and all placed after it; "back" and a solution remove the last queen. A recording of a search
in an instance of queens also contains the instance: its placed queens have no code.

A*, min-conflicts and searches that check complete placements have no tree. An event is its kind and
what belongs to it; a queen put into the first row begins an empty board:

    0 s             conflict: the square was tested and is refused
    1 s             queue: it was tested, and the placement with a queen there waits in the queue
    2 k c ... c     take: the search goes on from this placement of k queens, a node
    3 s, 4 s        put: a queen is put there, by the way; with 4 the square was tested last
    5 s             move: the queen of the row goes there; all squares of the row were tested
    6               solution

In a Sudoku, an event begins with digits, two bytes each: the digit, plus 10 if a test came before,
and the cell. A search that draws conclusions places several digits at once. Then follows its kind;
"back" and a solution remove the digits of the last node:

    30      conflict: the digits are refused
    31      place: the digits are placed; a node of the tree
    32      back: the last candidate of a cell was tried, one level up
    33      solution
"""

import zlib
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.explain.trace import Trace, find_traced
from nqbench.problems import sudoku
from nqbench.problems.instances import Board
from nqbench.problems.queens import Search
from nqbench.problems.sudoku import Grid
from nqbench.problems.sudoku.base import PuzzleTally
from nqbench.search.algorithm import Algorithm
from nqbench.search.board import Square
from nqbench.search.tally import Tally
from nqbench.util.arguments import require_whole

LARGEST_N = 10  # the codes of the largest board fill a byte
RECORDED_N = range(4, 9)  # the boards that the page shows
MOST_EVENTS = 20_000  # the most events of a search on a page; up to n = 8 all of most searches
MOST_PUZZLE_EVENTS = 50_000  # of the search of a Sudoku
CONFLICT, QUEUE, TAKE, PUT, PUT_TESTED, MOVE, SOLUTION = range(7)  # without a tree
REFUSED_CODE, PLACE, BACK, SOLVED = range(30, 34)  # of a Sudoku
TESTED = 10  # is added to a digit that was tested


@dataclass(frozen=True)
class Recording:
    """The codes of a search.

    Attributes
    ----------
    instance
        what was searched: the number of queens, an instance of queens, or a Sudoku.
    codes
        the events.
    complete
        whether they reach the end of the search.
    jumps
        whether the search goes from placement to placement, without a tree.
    rules
        the names of its rules, if it has a tree.
    """

    instance: int | Board | Grid
    codes: bytes
    complete: bool
    jumps: bool = False
    rules: tuple[str, ...] = ()


class LimitReachedError(Exception):
    """The limit of events is reached."""


class _Codes(bytearray):
    """The codes of a limited number of events."""

    def __init__(self, limit: int | None) -> None:
        super().__init__()
        self.left = inf if limit is None else limit

    def add(self, *codes: int) -> None:
        """Add an event."""
        if not self.left:
            raise LimitReachedError
        self.left -= 1
        self.extend(codes)


class _TreeRecorder(Trace):
    """A trace that records the codes of its events, without what is known of them otherwise."""

    def __init__(self, n: int | Board, codes: _Codes, rules: Iterable[str]) -> None:
        super().__init__(n, bool)
        self._codes = codes
        self._side = n.n if isinstance(n, Board) else n
        self._squares = self._side ** 2
        first = 2 * self._squares + self._side + 5
        self._rules = dict(zip(rules, range(first, 256), strict=False))  # a byte each

    def given(self, row: int, column: int) -> None:
        super().given(row, column)
        self._codes.append(2 * self._squares + 2)

    def _report(self, kind: str, square: Square | None = None) -> None:
        code = 0 if square is None else square[0] * self._side + square[1]
        if kind == "conflict":
            if self._rule in self._rules:
                self._codes.append(self._rules[self._rule])
            code += self._squares
        elif kind != "place":
            code = 2 * self._squares + {
                "solution": 0, "reached": 1, "back": 3 + len(self._queens),
                "restart": self._side + 4}[kind]
        self._codes.add(code)


class _JumpRecorder(Tally):
    """A tally that records the codes of the events of a search without a tree."""

    def __init__(self, n: int, codes: _Codes) -> None:
        super().__init__(n)
        self._codes = codes
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
            self._codes.add(MOVE, row * self.n + columns[row])
        elif self._is_node:
            self._codes.add(TAKE, len(columns), *columns)
        elif self._candidate == (last, columns[last]):
            self._settle(PUT_TESTED)
        else:
            self._settle(CONFLICT)
            self._codes.add(PUT, last * self.n + columns[last])

    def solution(self) -> None:
        self._codes.add(SOLUTION)

    def require_end(self) -> None:
        super().require_end()
        self._settle(CONFLICT)

    def _settle(self, kind: int) -> None:
        if self._candidate is not None:
            row, column = self._candidate
            self._candidate = None
            self._codes.add(kind, row * self.n + column)


class _PuzzleRecorder(PuzzleTally):
    """A tally that records the codes of the events of a Sudoku."""

    def __init__(self, grid: Grid, name: str, codes: _Codes) -> None:
        super().__init__(grid.digits.count(0))
        self._codes = codes
        self._name = name
        self._pending: list[int] = []  # codes of digits that are neither placed nor rejected yet

    def test(self, row: int, column: int, digit: int | None = None) -> None:
        self._refuse()
        self._hold(row, column, digit, TESTED)

    def given(self, row: int, column: int, digit: int | None = None) -> None:
        self._hold(row, column, digit, 0)

    def node(self, level: int) -> None:
        self._add(PLACE)

    def solution(self) -> None:
        self._add(SOLVED)

    def exhausted(self, level: int) -> None:
        self._refuse()
        self._add(BACK)

    def _hold(self, row: int, column: int, digit: int | None, tested: int) -> None:
        if digit is None:
            raise InvalidValueError(f"{self._name} does not say which digit it tests; it must call "
                                    "tally.test(row, column, digit) to be followed")
        self._pending += digit + tested, 9 * row + column

    def _refuse(self) -> None:
        if self._pending:
            self._add(REFUSED_CODE)

    def _add(self, kind: int) -> None:
        self._codes.add(*self._pending, kind)
        self._pending.clear()


def record(instance: int | Board | Grid, algorithm: str | Algorithm[Any, Any] = "iterative",
           limit: int | None = None) -> Recording:
    """Record the search for all placements of n queens, all solutions of an instance of queens or
    of a Sudoku, or its first `limit` events.

    Raises
    ------
    TypeError, ValueError
        if the instance is not what the algorithm takes, or has over 10 queens, or if the algorithm
        cannot be followed.

    Examples
    --------
    >>> record(1).codes, record(4, limit=5).codes, record(4, limit=5).complete
    (b'\\x00\\x02\\x05', b'\\x00\\x14\\x15\\x06\\x18', False)
    >>> list(record(1, "a_star").codes)
    [2, 0, 1, 0, 2, 1, 0, 6]
    >>> full = Grid.of("123456789456789123789123456231564897564897231897231564312645978"
    ...                "64597831297831264.")
    >>> list(record(full, "textbook_bitmask").codes)
    [31, 15, 80, 31, 33, 32]
    """
    codes, jumps, complete, rules = _Codes(limit), False, True, ()
    chosen: Any = algorithm
    tally: Tally
    try:
        if isinstance(instance, Grid):
            chosen = sudoku.find(chosen)
            tally = _PuzzleRecorder(instance, chosen.name, codes)
            search = chosen.follow(instance.digits, tally)
        else:
            side = instance.n if isinstance(instance, Board) else require_whole(instance)
            if side > LARGEST_N:
                raise InvalidValueError(f"n must be at most {LARGEST_N} to be recorded, not {side}")
            chosen = find_traced(instance, chosen)
            if jumps := isinstance(chosen, Search) and chosen.jumps:
                _, instance = chosen.implementation("python", instance)
                tally = _JumpRecorder(instance, codes)
                search = chosen.python.follow(instance, tally)
            else:
                rules = chosen.python.rules if chosen.search else ()
                tally = _TreeRecorder(instance, codes, rules)
                search = chosen.follow(instance, tally)
        deque(search, maxlen=0)
        tally.require_end()
    except LimitReachedError:
        complete = False
    return Recording(instance, bytes(codes), complete, jumps, rules)


def pack(recording: Recording) -> dict[str, Any]:
    """Return a recording in a form for JSON: its codes are deflated by zlib and encoded in base64,
    which browsers can decode.

    >>> pack(record(4, limit=5))
    {'n': 4, 'whole': False, 'codes': 'eNpjEBFlkwAAALgASA=='}
    """
    instance = recording.instance
    return {**({"givens": str(instance)} if isinstance(instance, Grid) else
               {"n": instance.n if isinstance(instance, Board) else instance}),
            "whole": recording.complete, **({"jumps": True} if recording.jumps else {}),
            **({"rules": list(recording.rules)} if recording.rules else {}),
            "codes": b64encode(zlib.compress(recording.codes, 9)).decode(),
            **({"instance": instance.as_json()} if isinstance(instance, Board) else {})}


def is_sound(packed: Mapping[str, Any]) -> bool:
    """Return whether the codes of a packed recording of a tree can be unpacked and fit its board.

    >>> is_sound(pack(record(4))), is_sound({"n": 4, "codes": "AAAA"})
    (True, False)
    """
    try:
        unpacking = zlib.decompressobj()
        codes = unpacking.decompress(b64decode(packed["codes"], validate=True), 3 * MOST_EVENTS)
    except (ValueError, zlib.error):
        return False
    n = packed["n"]
    return unpacking.eof and max(codes, default=0) <= 2 * n * n + n + 4 + len(
        packed.get("rules", ()))
