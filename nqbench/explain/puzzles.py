"""The search of a Sudoku, recorded in a few bytes for each event, to replay it without the
algorithm.

An event begins with digits, two bytes each: the digit, plus 10 if a test came before, and the cell.
Then follows its kind:

    30      conflict: the digits are refused
    31      place: the digits are placed; a node of the tree
    32      back: the last candidate of a cell was tried, one level up
    33      solution

A search that draws conclusions places several digits at once. "Back" and a solution remove the
digits of the last node.
"""

import zlib
from base64 import b64encode
from collections import deque
from dataclasses import dataclass
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.problems.sudoku import Grid, Search
from nqbench.problems.sudoku.base import Tally
from nqbench.problems.sudoku.grid import Digits

CONFLICT, PLACE, BACK, SOLUTION = range(30, 34)
TESTED = 10  # is added to the digit
MOST_EVENTS = 50_000  # of a search on a page


@dataclass(frozen=True)
class PuzzleRecording:
    """The codes of a search, and whether they reach its end."""

    givens: Digits
    codes: bytes
    complete: bool


class _LimitReachedError(Exception):
    """The limit of events is reached."""


class _Recorder(Tally):
    """A tally that records the codes of the events."""

    def __init__(self, givens: Digits, name: str, limit: int) -> None:
        super().__init__(givens.count(0))
        self.codes = bytearray()
        self._name = name
        self._left = limit
        self._pending = bytearray()  # digits that are neither placed nor rejected yet

    def test(self, row: int, column: int, digit: int | None = None) -> None:
        self._refuse()
        self._hold(row, column, digit, TESTED)

    def given(self, row: int, column: int, digit: int | None = None) -> None:
        self._hold(row, column, digit, 0)

    def node(self, level: int) -> None:
        self._add(PLACE)

    def solution(self) -> None:
        self._add(SOLUTION)

    def exhausted(self, level: int) -> None:
        self._refuse()
        self._add(BACK)

    def _hold(self, row: int, column: int, digit: int | None, tested: int) -> None:
        if digit is None:
            raise InvalidValueError(f"{self._name} does not say which digit it tests; it must call "
                                    "tally.test(row, column, digit) to be followed")
        self._pending += bytes([digit + tested, 9 * row + column])

    def _refuse(self) -> None:
        if self._pending:
            self._add(CONFLICT)

    def _add(self, kind: int) -> None:
        if not self._left:
            raise _LimitReachedError
        self._left -= 1
        self.codes += self._pending
        self.codes.append(kind)
        self._pending.clear()


def record_puzzle(grid: Grid, algorithm: Search, limit: int = MOST_EVENTS) -> PuzzleRecording:
    """Record the search for all solutions of a puzzle, or its first `limit` events.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        if the givens contradict each other, or if the algorithm cannot be followed.

    Examples
    --------
    >>> from nqbench.problems.sudoku import find
    >>> full = Grid.of("123456789456789123789123456231564897564897231897231564312645978"
    ...                "64597831297831264.")
    >>> list(record_puzzle(full, find("textbook_bitmask")).codes)
    [31, 15, 80, 31, 33, 32]
    """
    recorder = _Recorder(grid.digits, algorithm.name, limit)
    try:
        deque(algorithm.follow(grid.digits, recorder), maxlen=0)
    except _LimitReachedError:
        return PuzzleRecording(grid.digits, bytes(recorder.codes), complete=False)
    return PuzzleRecording(grid.digits, bytes(recorder.codes), complete=True)


def pack_puzzle(recording: PuzzleRecording) -> dict[str, Any]:
    """Return a recording as JSON holds it, as `nqbench.explain.recordings.pack` does."""
    return {"givens": str(Grid(recording.givens)), "whole": recording.complete,
            "codes": b64encode(zlib.compress(recording.codes, 9)).decode()}
