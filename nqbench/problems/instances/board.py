"""An instance of queens: a board with queens already placed, squares blocked, diagonals excluded,
or a torus.

Notation, here and in every file of this folder:
    n           rows, columns and queens
    square      (row, column), both from 0
    sum         row + column of a square, from 0 to 2n-2: a diagonal that runs down to the left
    difference  row - column, from 1-n to n-1: a diagonal that runs down to the right
    mask        bits of columns, bit 0 = column 0

On a torus the board continues at the opposite edge: sums and differences count modulo n, so there
are n of each.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.search.board import Columns, Square
from nqbench.util.arguments import require_whole

Line = tuple[str, int]

LARGEST_N = 400  # queens; a recursive search needs some Python frames for each of them
KEYS = {"n", "placed", "blocked", "sums", "differences", "torus"}  # of an instance in JSON


@dataclass(frozen=True)
class Board:
    """An instance: place n queens on the free squares so that none attacks another.

    Attributes
    ----------
    placed
        squares of the queens that are already placed.
    blocked
        squares on which no queen may stand.
    sums, differences
        diagonals on which no queen may stand.
    torus
        whether the diagonals continue at the opposite edge.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        if a number is out of range, or if squares or diagonals of a torus are blocked.

    Examples
    --------
    >>> board = Board(4, placed=((0, 1),))
    >>> [f"{free:04b}" for free in board.free]
    ['0010', '1000', '0101', '1101']
    >>> Board(4, placed=((0, 4),))
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: a column must be 0 to 3, not 4
    """

    n: int
    placed: tuple[Square, ...] = ()
    blocked: tuple[Square, ...] = ()
    sums: tuple[int, ...] = ()
    differences: tuple[int, ...] = ()
    torus: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", n := require_size(self.n))  # another type may overflow
        if not isinstance(self.torus, bool):
            raise InvalidTypeError(f"torus must be true or false, not {self.torus!r}")
        if self.torus and (self.blocked or self.sums or self.differences):
            raise InvalidValueError("a torus must have no blocked squares and no excluded "
                                    "diagonals, only queens that are placed")
        last = n - 1
        for name in ("placed", "blocked"):
            squares = sorted({_square(square, n) for square in _items(getattr(self, name), name)})
            object.__setattr__(self, name, tuple(squares))
        for name, least, most in (("sums", 0, 2 * last), ("differences", -last, last)):
            lines = {_within(line, f"a diagonal of {name}", least, most)
                     for line in _items(getattr(self, name), name)}
            object.__setattr__(self, name, tuple(sorted(lines)))

    @classmethod
    def from_json(cls, fields: Any) -> "Board":
        """Return the instance of a JSON object; see `as_json`.

        >>> Board.from_json({"n": 5, "torus": True}).torus
        True
        >>> Board.from_json({"n": 5, "queens": []})
        Traceback (most recent call last):
            ...
        nqbench.errors.InvalidValueError: an instance has no 'queens', only n, placed, blocked, ...
        """
        if not isinstance(fields, Mapping):
            raise InvalidTypeError(f"an instance must be a JSON object, not {fields!r:.40}")
        if foreign := [key for key in fields if key not in KEYS]:
            raise InvalidValueError(f"an instance has no {foreign[0]!r:.40}, only "
                                    "n, placed, blocked, sums, differences and torus")
        if "n" not in fields:
            raise InvalidValueError("an instance must have n")
        return cls(**fields)

    def as_json(self) -> dict[str, Any]:
        """Return the instance as a JSON object without empty values.

        >>> Board(4, placed=((0, 1),)).as_json()
        {'n': 4, 'placed': [[0, 1]]}
        """
        found: dict[str, Any] = {}
        for name in ("placed", "blocked"):
            found[name] = [list(square) for square in getattr(self, name)]
        found |= {"sums": list(self.sums), "differences": list(self.differences),
                  "torus": self.torus}
        return {"n": self.n, **{name: value for name, value in found.items() if value}}

    def begin(self) -> list[int]:
        """Return the columns of the placed queens, row by row, and 0 in open rows.

        >>> Board(4, placed=((1, 3),)).begin()
        [0, 3, 0, 0]
        """
        placed = dict(self.placed)
        return [placed.get(row, 0) for row in range(self.n)]

    @cached_property
    def open_rows(self) -> tuple[int, ...]:
        """The rows without a placed queen."""
        taken = dict(self.placed)
        return tuple(row for row in range(self.n) if row not in taken)

    @property
    def open_columns(self) -> tuple[int, ...]:
        """The columns without a placed queen."""
        return self.turned.open_rows

    @cached_property
    def turned(self) -> "Board":
        """The board with rows for columns.

        >>> Board(4, placed=((0, 1),), differences=(2,)).turned.as_json()
        {'n': 4, 'placed': [[1, 0]], 'differences': [-2]}
        """
        placed, blocked = (tuple((column, row) for row, column in squares)
                           for squares in (self.placed, self.blocked))
        return replace(self, placed=placed, blocked=blocked,
                       differences=tuple(-line for line in self.differences))

    @cached_property
    def barred(self) -> set[Square]:
        """The squares that are blocked or on an excluded diagonal."""
        rows = range(self.n)
        sums = ((row, line - row) for line in self.sums for row in rows)
        differences = ((row, row - line) for line in self.differences for row in rows)
        return {*self.blocked, *((row, column) for row, column in (*sums, *differences)
                                 if column in rows)}

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The free squares, a mask for each row; in the row of a placed queen, its own square."""
        full = (1 << self.n) - 1
        masks = [full] * self.n
        for row, column in self.barred:
            masks[row] &= ~(1 << column)
        for queen, column in self.placed:
            for row in range(self.n):
                masks[row] &= 1 << column if row == queen else ~self.attacked(queen, column, row)
        return tuple(masks)

    def attacked(self, row: int, column: int, other: int) -> int:
        """Return the mask of the squares in another row that a queen attacks.

        >>> f"{Board(5).attacked(0, 1, 2):05b}", f"{Board(5, torus=True).attacked(0, 1, 2):05b}"
        ('01010', '11010')
        """
        n = self.n
        distance = abs(other - row)
        queen = 1 << column
        if not self.torus:
            return (queen | queen << distance | queen >> distance) & (1 << n) - 1
        return queen | 1 << (column + distance) % n | 1 << (column - distance) % n

    @property
    def free_by_column(self) -> tuple[int, ...]:
        """The free squares, for each column a mask with bit r for row r."""
        return self.turned.free

    def lines(self, row: int, column: int) -> tuple[Line, Line, Line, Line]:
        """Return the row, the column, the sum and the difference of a square, each by its name.

        >>> Board(5, torus=True).lines(3, 4)
        (('row', 3), ('column', 4), ('sum', 2), ('difference', 4))
        """
        total, difference = row + column, row - column
        if self.torus:
            total, difference = total % self.n, difference % self.n
        return ("row", row), ("column", column), ("sum", total), ("difference", difference)

    def diagonals(self, row: int, column: int) -> tuple[int, int]:
        """Return the sum and the difference of a square as bits: `sums >> r | differences >> (n -
        r)` are the columns that a queen there attacks in row r along its diagonals.

        >>> sums, differences = Board(5).diagonals(0, 1)
        >>> f"{(sums >> 2 | differences >> 3) & 0b11111:05b}"
        '01000'
        """
        n = self.n
        if not self.torus:
            return 1 << row + column, 1 << column - row + n
        twice = 1 | 1 << n  # a line of a torus has two numbers
        return twice << (row + column) % n, twice << (column - row) % n

    @cached_property
    def contradiction(self) -> str:
        """Why the placed queens contradict the rules, in words; empty if they do not.

        >>> Board(4, placed=((0, 0), (2, 2))).contradiction
        'the queens of rows 0 and 2 attack each other'
        """
        for number, (row, column) in enumerate(self.placed):
            if (row, column) in self.blocked:
                return f"the queen of row {row} stands on a blocked square"
            if row + column in self.sums or row - column in self.differences:
                return f"the queen of row {row} stands on an excluded diagonal"
            for other, taken in self.placed[number + 1:]:
                if other == row:
                    return f"row {row} has two queens"
                if self.attacked(row, column, other) >> taken & 1:
                    return f"the queens of rows {row} and {other} attack each other"
        return ""

    def is_solution(self, columns: Columns) -> bool:
        """Return whether queens in these columns, row by row, solve the instance.

        >>> Board(4, blocked=((0, 2),)).is_solution((1, 3, 0, 2))
        True
        """
        if len(columns) != self.n or sorted(columns) != [*range(self.n)] or self.contradiction:
            return False
        lines = {line for square in enumerate(columns) for line in self.lines(*square)}
        return (len(lines) == 4 * self.n
                and all(columns[row] == column for row, column in self.placed)
                and self.barred.isdisjoint(enumerate(columns)))


def require_size(n: object) -> int:
    """Return n if an instance may have this size.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        if it may not.
    """
    number = require_whole(n)
    if number > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N} for an instance, not {number}")
    return number


def _items(found: Any, name: str) -> Iterable[Any]:
    if not isinstance(found, list | tuple):
        raise InvalidTypeError(f"{name} must be a list, not {found!r:.40}")
    return found


def _square(square: Any, n: int) -> Square:
    if not isinstance(square, list | tuple) or len(square) != 2:
        raise InvalidTypeError(f"a square must be a row and a column, not {square!r:.40}")
    return _within(square[0], "a row", 0, n - 1), _within(square[1], "a column", 0, n - 1)


def _within(value: Any, name: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidTypeError(f"{name} must be a whole number, not {value!r:.40}")
    if not least <= value <= most:
        raise InvalidValueError(f"{name} must be {least} to {most}, not {value}")
    return value


PLACED, FOUND, BARRED, FREE = "Q", "q", "x", "."


def squares(board: Board, solution: Columns | None = None) -> list[str]:
    """Return the rows of a board: `Q` for a placed queen, `q` for a queen of a solution, `x` for a
    square that is blocked or on an excluded diagonal, `.` for any other square.

    >>> squares(Board(4, placed=((0, 1),), sums=(6,)), (1, 3, 0, 2))
    ['.Q..', '...q', 'q...', '..qx']
    """
    rows = [[BARRED if (row, column) in board.barred else FREE for column in range(board.n)]
            for row in range(board.n)]
    for row, column in enumerate(solution or ()):
        rows[row][column] = FOUND
    for row, column in board.placed:
        rows[row][column] = PLACED
    return ["".join(line) for line in rows]
