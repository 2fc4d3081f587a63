"""A placement of n queens: one column for each row.

Notation, here and in every file of the package:
    n           size of the board; rows and columns are 0 .. n-1
    row r       counted from the top, column c from the left
    sum         r + c, constant along a diagonal that falls to the left
    difference  r - c, constant along a diagonal that falls to the right
    mask        a set of columns as an integer; bit 0 is column 0
"""

from collections.abc import Iterable
from operator import index
from typing import Self

LARGEST_SHOWN = 100  # by itself, in a notebook

Columns = tuple[int, ...]
Square = tuple[int, int]  # row, column


def whole(value: object, name: str = "n", least: int = 0) -> int:
    """Return `value` as an int >= `least`, or say in one line why it is none.

    Integers of other libraries (anything with ``__index__``) are taken; bools,
    floats and text are not.

    Raises
    ------
    TypeError
        if the value is not an integer.
    ValueError
        if it is negative, or less than `least`.

    Examples
    --------
    >>> whole(8)
    8
    >>> whole(0, "jobs", least=1)
    Traceback (most recent call last):
        ...
    ValueError: jobs must be 1 or more, not 0
    >>> whole(8.0)
    Traceback (most recent call last):
        ...
    TypeError: n must be a whole number, 0 or more, not 8.0
    >>> whole(-1)
    Traceback (most recent call last):
        ...
    ValueError: n must be a whole number, 0 or more, not -1
    """
    message = f"{name} must be a whole number, {least} or more, not {value!r}"
    if isinstance(value, bool):
        raise TypeError(message)
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(message) from None
    if number < 0:
        raise ValueError(message)
    if number < least:
        raise ValueError(f"{name} must be {least} or more, not {number}")
    return number


def attacks(p: Square, q: Square) -> bool:
    """Whether queens on two squares attack each other, or the squares are the same.

    >>> attacks((0, 0), (2, 2)), attacks((0, 0), (1, 2))
    (True, False)
    """
    (r, c), (s, d) = p, q
    return r == s or c == d or r + c == s + d or r - c == s - d


class Placement(tuple[int, ...]):
    """n queens on n rows: entry r is the column of the queen in row r.

    A tuple of n columns, each in 0 .. n-1. It need not be a solution:
    `is_solution` tells.

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
    Placement(2, 0, 3, 1)
    >>> p.rotated == p
    True
    """

    __slots__ = ()

    def __new__(cls, columns: Iterable[int] = ()) -> Self:
        entries = tuple(whole(c, "a column") for c in columns)
        for c in entries:
            if c >= len(entries):
                raise ValueError(f"a column on {len(entries)} rows is at most "
                                 f"{len(entries) - 1}, not {c}")
        return super().__new__(cls, entries)

    def __repr__(self) -> str:
        return f"Placement({', '.join(map(str, self))})"

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
        sums = {r + c for r, c in enumerate(self)}
        differences = {r - c for r, c in enumerate(self)}
        return len(set(self)) == len(sums) == len(differences) == self.n

    @property
    def mirrored(self) -> "Placement":
        """The image in a mirror to the left or right of the board."""
        return Placement(mirror(self))

    @property
    def rotated(self) -> "Placement":
        """The image after a quarter turn clockwise."""
        return Placement(rotate(self))

    @property
    def images(self) -> tuple["Placement", ...]:
        """The eight images under the symmetries of the square, itself first.

        They repeat where the placement is symmetric.

        >>> len(set(Placement([0, 4, 7, 5, 2, 6, 1, 3]).images))
        8
        >>> len(set(Placement([1, 3, 0, 2]).images))
        2
        """
        return tuple(Placement(image) for image in images(self))

    @property
    def canonical(self) -> "Placement":
        """The smallest of the eight images: one name for the whole orbit."""
        return Placement(canonical(self))

    def strings(self) -> list[str]:
        """The rows as LeetCode writes them: `Q` for a queen, `.` for a free square.

        >>> Placement([1, 3, 0, 2]).strings()
        ['.Q..', '...Q', 'Q...', '..Q.']
        """
        return ["." * c + "Q" + "." * (self.n - 1 - c) for c in self]

    def matrix(self) -> list[list[int]]:
        """The board as n rows of n numbers, 1 where a queen stands."""
        return [[int(c == queen) for c in range(self.n)] for queen in self]

    def drawing(self) -> str:
        """The board as n lines of text, without a newline at the end."""
        return "\n".join(" ".join(row) for row in self.strings())

    def svg(self) -> str:
        """The board as a complete SVG document, 24 units a square.

        >>> Placement([0]).svg().startswith("<svg ")
        True
        """
        return boards_svg([self], across=1)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the board, unless it is a very large one."""
        return self.svg() if self.n <= LARGEST_SHOWN else None


def mirror(columns: Columns) -> Columns:
    """Mirror left to right: column c becomes n-1-c."""
    last = len(columns) - 1
    return tuple(last - c for c in columns)


def rotate(columns: Columns) -> Columns:
    """Turn by a quarter clockwise; needs one queen in each column, else returns
    the image of the last queen of a column.
    """
    last = len(columns) - 1
    turned = [0] * len(columns)
    for r, c in enumerate(columns):
        turned[c] = last - r
    return tuple(turned)


def images(columns: Columns) -> list[Columns]:
    """The eight images: four turns, then the four turns of the mirror image."""
    found = []
    for image in (columns, mirror(columns)):
        for _ in range(4):
            found.append(image)
            image = rotate(image)
    return found


def canonical(columns: Columns) -> Columns:
    """The smallest image: equal for two placements just if one orbit holds both.

    >>> canonical((2, 0, 3, 1))
    (1, 3, 0, 2)
    """
    return min(images(columns))


SQUARE = 24  # side of a square in an SVG drawing, in user units
QUEEN = ("M-7.5,7.5h15M-6.5,4.5h13l2.5,-10l-5,5.5l-4,-7.5l-4,7.5l-5,-5.5z")


def boards_svg(placements: Iterable[Columns], across: int = 8) -> str:
    """Draw placements as one SVG document, `across` boards a line.

    >>> boards_svg([(1, 3, 0, 2), (2, 0, 3, 1)]).count("<use ")
    8
    """
    boards = [tuple(p) for p in placements]
    n = max((len(p) for p in boards), default=0)
    pitch = n * SQUARE + SQUARE
    lines = max(1, -(-len(boards) // across))
    width = max(1, min(across, len(boards))) * pitch
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {lines * pitch}" '
        f'width="{width}" height="{lines * pitch}" role="img">',
        f"<title>{len(boards)} placement{'s' * (len(boards) != 1)} of {n} queens</title>",
        '<defs><path id="queen" fill="#1b1b1b" stroke="#1b1b1b" stroke-width="1.6" '
        f'stroke-linejoin="round" d="{QUEEN}"/></defs>',
    ]
    for number, columns in enumerate(boards):
        left = number % across * pitch + SQUARE // 2
        top = number // across * pitch + SQUARE // 2
        dark = "".join(f"M{c * SQUARE},{r * SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}z"
                       for r in range(n) for c in range(n) if (r + c) % 2)
        parts.append(
            f'<g transform="translate({left},{top})">'
            f'<rect width="{n * SQUARE}" height="{n * SQUARE}" fill="#f3ead7" stroke="#6b5840"/>'
            f'<path fill="#c8ad86" d="{dark}"/>')
        half = SQUARE // 2
        parts += [f'<use href="#queen" x="{c * SQUARE + half}" y="{r * SQUARE + half}"/>'
                  for r, c in enumerate(columns)]
        parts.append("</g>")
    return "".join(parts) + "</svg>"
