"""A placement of n queens: one column for each row.

Notation, here and in every file of the package:
    n           size of the board; rows and columns are 0 .. n-1
    row r       counted from the top, column c from the left
    sum         r + c, constant along a diagonal that falls to the left
    difference  r - c, constant along a diagonal that falls to the right
    mask        a set of columns as an integer; bit 0 is column 0
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Self

from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_whole
from nqbench.util.text import plural

LARGEST_SHOWN = 100  # largest n that a notebook draws

Columns = tuple[int, ...]
Square = tuple[int, int]  # row, column

SYMMETRIES: dict[str, Callable[[int, int, int], Square]] = {  # last = side - 1
    "identity": lambda last, row, column: (row, column),
    "transpose": lambda last, row, column: (column, row),
    "quarter turn": lambda last, row, column: (column, last - row),
    "upside down": lambda last, row, column: (last - row, column),
    "half turn": lambda last, row, column: (last - row, last - column),
    "antitranspose": lambda last, row, column: (last - column, last - row),
    "three-quarter turn": lambda last, row, column: (last - column, row),
    "mirror": lambda last, row, column: (row, last - column),
}


def attacks(p: Square, q: Square) -> bool:
    """Return whether queens on two squares attack each other; a square attacks itself.

    >>> attacks((0, 0), (2, 2)), attacks((0, 0), (1, 2))
    (True, False)
    """
    (r, c), (s, d) = p, q
    return r == s or c == d or r + c == s + d or r - c == s - d


@lru_cache(4096)
def bits(mask: int) -> tuple[int, ...]:
    """Return the columns of a mask from left to right, or the places of its bits.

    >>> bits(0b1010)
    (1, 3)
    """
    found = []
    while mask:
        bit = mask & -mask
        mask -= bit
        found.append(bit.bit_length() - 1)
    return tuple(found)


def are_peaceful(columns: Sequence[int]) -> bool:
    """Return whether no queen attacks another, of one in each of the first rows.

    >>> are_peaceful((1, 3, 0, 2)), are_peaceful((0, 2, 1))
    (True, False)
    """
    sums = {r + c for r, c in enumerate(columns)}
    differences = {r - c for r, c in enumerate(columns)}
    return len(set(columns)) == len(sums) == len(differences) == len(columns)


class Placement(tuple[int, ...]):
    """n queens on n rows: entry r is the column of the queen in row r.

    A tuple of n columns, each in 0 .. n-1. It need not be a solution; see `is_solution`.

    Raises
    ------
    TypeError, ValueError
        if a column is not a whole number from 0 to n-1.

    Examples
    --------
    >>> p = Placement([1, 3, 0, 2])
    >>> p.is_solution
    True
    >>> print(p.drawing())
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    >>> p.mirrored
    Placement((2, 0, 3, 1))
    >>> p.rotated == p
    True
    """

    __slots__ = ()

    def __new__(cls, columns: Iterable[int] = ()) -> Self:
        entries = tuple(require_whole(c, "a column") for c in columns)
        for c in entries:
            if c >= len(entries):
                raise InvalidValueError(
                    f"a column must be at most {len(entries) - 1} on {len(entries)} rows, not {c}")
        return super().__new__(cls, entries)

    def __repr__(self) -> str:
        return f"Placement({tuple(self)})"

    @property
    def n(self) -> int:
        """Number of rows, columns and queens."""
        return len(self)

    @property
    def is_solution(self) -> bool:
        """Whether no queen attacks another.

        >>> Placement([0, 2, 1]).is_solution
        False
        """
        return are_peaceful(self)

    @property
    def mirrored(self) -> "Placement":
        """The mirror image, left to right."""
        return Placement(mirror(self))

    @property
    def rotated(self) -> "Placement":
        """The image after a quarter turn clockwise."""
        return Placement(rotate(self))

    @property
    def images(self) -> tuple["Placement", ...]:
        """The eight images under the symmetries of the square, itself first.

        Images repeat if the placement is symmetric.

        >>> len(set(Placement([0, 4, 7, 5, 2, 6, 1, 3]).images))
        8
        >>> len(set(Placement([1, 3, 0, 2]).images))
        2
        """
        return tuple(Placement(image) for image in images(self))

    @property
    def canonical(self) -> "Placement":
        """The smallest of the eight images, the same for the whole orbit."""
        return Placement(canonical(self))

    def strings(self) -> list[str]:
        """Return the rows as LeetCode writes them: `Q` for a queen, `.` for a free square.

        >>> Placement([1, 3, 0, 2]).strings()
        ['.Q..', '...Q', 'Q...', '..Q.']
        """
        return ["." * c + "Q" + "." * (self.n - 1 - c) for c in self]

    def matrix(self) -> list[list[int]]:
        """Return the board as n rows of n numbers, 1 for a queen and 0 for a free square."""
        return [[int(c == queen) for c in range(self.n)] for queen in self]

    def drawing(self) -> str:
        """Return the board as n lines of text, without a newline at the end."""
        return "\n".join(" ".join(row) for row in self.strings())

    def svg(self) -> str:
        """Return the board as a complete SVG document, 24 units a square.

        >>> Placement([0]).svg().startswith("<svg ")
        True
        """
        return boards_svg([self], across=1)

    def _repr_svg_(self) -> str | None:
        """Return the drawing that a notebook shows; None for a very large board."""
        return self.svg() if self.n <= LARGEST_SHOWN else None


def mirror(columns: Columns) -> Columns:
    """Return the mirror image, left to right: column c becomes n-1-c."""
    last = len(columns) - 1
    return tuple(last - c for c in columns)


def rotate(columns: Columns) -> Columns:
    """Return the placement after a quarter turn clockwise.

    Only the last queen of a column has an image.
    """
    last = len(columns) - 1
    turned = [0] * len(columns)
    for r, c in enumerate(columns):
        turned[c] = last - r
    return tuple(turned)


def images(columns: Columns) -> list[Columns]:
    """Return the eight images: four turns, then the four turns of the mirror image."""
    found = []
    for image in (columns, mirror(columns)):
        for _ in range(4):
            found.append(image)
            image = rotate(image)
    return found


def canonical(columns: Columns) -> Columns:
    """Return the smallest image; it is the same for all placements of an orbit.

    >>> canonical((2, 0, 3, 1))
    (1, 3, 0, 2)
    """
    return min(images(columns))


SQUARE = 24  # side of a square in an SVG drawing, in user units
QUEEN = ("M-7.5,7.5h15M-6.5,4.5h13l2.5,-10l-5,5.5l-4,-7.5l-4,7.5l-5,-5.5z")


def boards_svg(placements: Iterable[Columns], across: int = 8) -> str:
    """Draw placements as one SVG document, with `across` boards per line.

    The boards have as many rows as the largest placement has queens.

    >>> boards_svg([(1, 3, 0, 2), (2, 0, 3, 1)]).count("<use ")
    8
    """
    boards = [tuple(p) for p in placements]
    return "".join(_draw(boards, max(map(len, boards), default=0), across))


def _draw(boards: Sequence[Columns], n: int, across: int) -> Iterator[str]:
    """Yield the pieces of a drawing of boards with n rows."""
    number = len(boards)
    pitch = n * SQUARE + SQUARE
    lines = max(1, -(-number // across))
    width = max(1, min(across, number)) * pitch
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {lines * pitch}" '
           f'width="{width}" height="{lines * pitch}" role="img">'
           f"<title>{number} {plural(number, 'placement')} of {n} queens</title>"
           '<defs><path id="queen" fill="#1b1b1b" stroke="#1b1b1b" stroke-width="1.6" '
           f'stroke-linejoin="round" d="{QUEEN}"/></defs>')
    half, side = SQUARE // 2, n * SQUARE
    for place, columns in enumerate(boards):
        left = place % across * pitch + half
        top = place // across * pitch + half
        yield (f'<g transform="translate({left},{top})">'
               f'<rect width="{side}" height="{side}" fill="#f3ead7" stroke="#6b5840"/>'
               # A dashed line for each row: its dashes are the dark squares.
               f'<path stroke="#c8ad86" stroke-width="{SQUARE}" stroke-dasharray="{SQUARE}" d="')
        for r in range(n):
            yield f"M{(r + 1) % 2 * SQUARE},{r * SQUARE + half}H{side}"
        yield '"/>'
        for r, c in enumerate(columns):
            yield f'<use href="#queen" x="{c * SQUARE + half}" y="{r * SQUARE + half}"/>'
        yield "</g>"
    yield "</svg>"
