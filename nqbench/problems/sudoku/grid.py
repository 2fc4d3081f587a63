"""A grid of Sudoku: 81 digits, row by row.

Notation, here and in every file of this folder:
    cell        0 .. 80, row by row: cell = 9 row + column
    digit       1 .. 9; 0 is an empty cell
    unit        a row, a column or a box: nine cells that hold each digit once
    peers       of a cell: the 20 others in its three units
    mask        a set of digits as an integer; bit 0 is digit 1
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from nqbench.errors import InvalidValueError

Digits = tuple[int, ...]

CELLS = range(81)
ROW = [cell // 9 for cell in CELLS]
COLUMN = [cell % 9 for cell in CELLS]
BOX = [cell // 27 * 3 + cell % 9 // 3 for cell in CELLS]
UNITS = [tuple(cell for cell in CELLS if kind[cell] == k)
         for kind in (ROW, COLUMN, BOX) for k in range(9)]
PEERS = [tuple(sorted({other for unit in UNITS if cell in unit for other in unit} - {cell}))
         for cell in CELLS]
ALL = (1 << 9) - 1
TIMES = ["never", "once", "twice", *(f"{n} times" for n in (
    "three", "four", "five", "six", "seven", "eight", "nine"))]
DIGITS = frozenset(range(10))
CHARACTERS = frozenset(".0123456789")
VALUES = bytes.maketrans(b".0123456789", bytes([0, *range(10)]))
HOUSE_NAMES = [f"{kind} {k}" for kind in ("row", "column", "box") for k in range(1, 10)]


@dataclass(frozen=True)
class Grid:
    """A grid, full or not.

    Raises
    ------
    ValueError
        if there are not 81 digits of 0 .. 9.

    Examples
    --------
    >>> Grid.of("12" + "." * 79).contradiction
    >>> Grid.of("1" + "." * 79 + "x")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: a grid has the digits 1 to 9, and . or 0 for an empty ...
    >>> Grid.of("1234341221434321")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: a grid has 81 cells (9 x 9), not 16: other sizes are ...
    """

    digits: Digits

    def __post_init__(self) -> None:
        if len(self.digits) != 81:
            raise InvalidValueError(
                f"a grid has 81 cells (9 x 9), not {len(self.digits)}: other sizes "
                "are not solved here")
        if set(map(type, self.digits)) != {int} or not DIGITS.issuperset(self.digits):
            raise InvalidValueError("a grid has the digits 1 to 9, and 0 for an empty cell")

    @classmethod
    def of(cls, text: str) -> "Grid":
        """Return the grid of 81 characters, `.` or `0` for an empty cell."""
        if not CHARACTERS.issuperset(text):
            foreign = next(c for c in text if c not in CHARACTERS)
            raise InvalidValueError(
                "a grid has the digits 1 to 9, and . or 0 for an empty cell, "
                f"not {foreign!r}")
        return cls(tuple(text.encode("ascii").translate(VALUES)))

    def __str__(self) -> str:
        """Return the 81 characters.

        >>> str(Grid.of("0" * 81)) == "." * 81
        True
        """
        return "".join(".123456789"[digit] for digit in self.digits)

    @cached_property
    def contradiction(self) -> str | None:
        """Why the givens allow no solution, if two of them are equal in a unit.

        >>> Grid.of("5...5" + "." * 76).contradiction
        'row 1 has 5 twice'
        """
        for name, unit in zip(HOUSE_NAMES, UNITS, strict=True):
            given = [self.digits[cell] for cell in unit if self.digits[cell]]
            for digit in given:
                if given.count(digit) > 1:
                    return f"{name} has {digit} {TIMES[given.count(digit)]}"
        return None

    @property
    def empty(self) -> int:
        """The number of empty cells."""
        return self.digits.count(0)

    @property
    def solved(self) -> bool:
        """Whether it is full and valid."""
        return not self.empty and self.contradiction is None

    def drawing(self) -> str:
        """Return nine lines, with gaps between the boxes.

        >>> print(Grid.of("." * 80 + "9").drawing().splitlines()[-1])
        . . . | . . . | . . 9
        """
        text = str(self)
        rows = [" | ".join(" ".join(text[9 * row + 3 * k:][:3]) for k in range(3))
                for row in range(9)]
        return "\n------+-------+------\n".join("\n".join(rows[3 * k:][:3]) for k in range(3))


def permute(digits: Digits, rng: Random) -> Digits:
    """Return a puzzle that differs only in names and places.

    The number of solutions and the difficulty for people are the same: digits are renamed; rows of
    a band, columns of a stack, bands and stacks are exchanged; rows change with columns.
    There are 1.2 x 10^12 ways. To the processor each result is a new puzzle, whose branches it
    cannot predict.

    >>> puzzle = (1, 2, *[0] * 79)
    >>> permute(puzzle, Random(1)) == permute(puzzle, Random(1))
    True
    >>> sorted(permute(puzzle, Random(1)))[:79] == [0] * 79
    True
    """
    names = (0, *rng.sample(range(1, 10), 9))
    rows, columns = _exchange(rng), _exchange(rng)
    if rng.random() < 0.5:
        return tuple([names[digits[9 * column + row]] for row in rows for column in columns])
    return tuple([names[digits[9 * row + column]] for row in rows for column in columns])


def _exchange(rng: Random) -> list[int]:
    """Return nine lines in an order that keeps bands (or stacks) together."""
    return [3 * band + line for band in rng.sample(range(3), 3) for line in rng.sample(range(3), 3)]
