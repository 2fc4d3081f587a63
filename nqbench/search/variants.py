"""Variants of the queens: a board, its pieces, and the lines that hold at most one of them.

A declaration says which squares attack each other. From it come a search in plain Python, a
compiled one, the levels of the tree, the placements that a symmetry leaves unchanged, the orbits
(Burnside's lemma), and a check by brute force. See docs/sequences.md. Of the queens themselves,
`Symmetry` has the orbits.

Notation: a square is (row, column), both from 0 to side - 1. A set of squares is a mask: bit k is
square k of the board, row by row. A symmetry is a permutation of the squares.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import combinations, product
from math import comb
from operator import or_
from typing import Any, Self

from nqbench.errors import InvalidValueError, describe_error
from nqbench.search.board import SYMMETRIES, Square, bits
from nqbench.util.arguments import require_whole
from nqbench.util.cores import find_core, in_threads
from nqbench.util.text import html_table, unknown

LineRule = Callable[[int, int, int], Hashable]

LINES: dict[str, LineRule] = {  # what the squares of a line have in common
    "rows": lambda side, row, column: row,
    "columns": lambda side, row, column: column,
    "sums": lambda side, row, column: row + column,
    "differences": lambda side, row, column: column - row,
}
QUEEN_LINES = tuple(LINES)
MOST_SETS, REACH_N = 100_000, 8  # that a check by brute force looks at; its n are smaller
CHECKED_ROWS = 4  # rows of the boards on which a declaration is checked at once, or those of a leap
LARGEST_SIDE = 100  # of a board
LARGEST_N = 31  # of a compiled search
REACH, MOST_LEAPS = 2, 4  # of a compiled search: rows that a leap spans, and leaps


@dataclass(frozen=True)
class Variant:
    """A declaration of what is placed on which board.

    Attributes
    ----------
    title
        what is counted.
    lines
        kinds of lines, each of which holds at most one piece: names of `LINES`, or functions of
        (side, row, column) that return the same for two squares exactly if they share a line. If
        the number of pieces is that of the lines of the first kind, each of these holds one.
    leaps
        (rows, columns): pieces so far apart attack each other, to all sides.
    group
        names of `SYMMETRIES` that leave the board and its lines unchanged, and generate all of
        these; two placements are in the same orbit if one of them maps one to the other.
    pieces
        how many are placed: a function of n, "any" (all numbers), or "maximal" (any number that
        leaves no square free).
    side
        rows and columns of the board for n, by default n.
    torus
        whether its edges are joined; then a sum and a difference are those modulo the side.
    holes
        whether a square is missing, a function of (side, row, column).
    name, first_n, values, source
        the number in the OEIS, if it has one, and the published values, the first one for
        n = `first_n`.

    Raises
    ------
    InvalidValueError
        if there is no such line or symmetry, if a function of the declaration fails, or if a
        symmetry does not preserve what is attacked: at once for small boards, for others when
        their placements are counted under it. The message has two squares that show it.

    Examples
    --------
    Queens that also attack like knights (OEIS A051223):

    >>> amazons = Variant("Ways to place n nonattacking superqueens", leaps=((1, 2), (2, 1)))
    >>> [amazons.count(n) for n in range(1, 12)]
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 4, 44]
    >>> amazons.fixed(10, "half turn"), amazons.orbits(10)
    (4, 1)
    >>> Variant("Semi-queens", lines=("rows", "columns", "sums"), group=("mirror",))
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: mirror does not preserve the lines of 'Semi-queens': for n ...
    """

    title: str
    lines: tuple[str | LineRule, ...] = QUEEN_LINES
    leaps: tuple[Square, ...] = ()
    group: tuple[str, ...] = ("quarter turn", "mirror")
    pieces: Callable[[int], int] | str = int
    side: Callable[[int], int] = int
    torus: bool = False
    holes: Callable[[int, int, int], bool] | None = None
    name: str = ""
    first_n: int = 1
    values: tuple[Any, ...] = field(default=(), repr=False, compare=False)
    source: str = ""

    def __post_init__(self) -> None:
        for name in ("lines", "leaps", "group"):  # a list is not hashable
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if not self.lines:
            raise InvalidValueError(f"{self.title!r} needs a kind of line, as in lambda side, "
                                    "row, column: (row, column), a line for each square")
        for line in self.lines:
            if not callable(line) and line not in LINES:
                raise InvalidValueError(unknown("kind of line", str(line), LINES))
        if not callable(self.pieces) and self.pieces not in ("any", "maximal"):
            raise InvalidValueError("pieces must be a function of n, 'any' or 'maximal', "
                                    f"not {self.pieces!r}")
        for leap in self.leaps:
            if not isinstance(leap, tuple) or [*map(type, leap)] != [int, int]:
                raise InvalidValueError(f"a leap must be (rows, columns), not {leap!r}")
        most = max([CHECKED_ROWS, *(rows + 1 for leap in self.leaps for rows in map(abs, leap)
                                    if rows <= REACH_N)])
        sizes = range(self.first_n, self.first_n + most)
        for n in [n for n in sizes if self.rows(n) <= most] or sizes[:1]:
            self.size(n)
            for name in self.group:
                self.require_preserved(name, n)

    def rows(self, n: int) -> int:
        """Return how many rows and columns the board for n has."""
        return self._read(self.side, "side", n, LARGEST_SIDE)

    def size(self, n: int) -> int:
        """Return how many pieces are placed for n; with any number, at most so many."""
        if callable(self.pieces):
            return self._read(self.pieces, "pieces", n, LARGEST_SIDE**2)
        return len(squares_of(self, n).first)

    def _read(self, function: Callable[[int], int], name: str, n: int, most: int) -> int:
        """Return what a function of the declaration says for n."""
        found = self.ask(name, function, n)
        if type(found) is not int or not 0 <= found <= most:
            raise InvalidValueError(f"{name} of {self.title!r} must be a whole number from 0 to "
                                    f"{most:,}, not {found!r} for n = {n}")
        return found

    def ask(self, name: str, function: Callable[..., Any], *given: int) -> Any:
        """Return what a function of the declaration returns."""
        try:
            return function(*given)
        except Exception as error:  # whatever it raises
            raise InvalidValueError(f"{name} of {self.title!r} fails for {given}: "
                                    f"{describe_error(error)}") from error

    def require_preserved(self, name: str, n: int) -> None:
        """Raise an error with two squares that attack each other while their images do not: there
        are as many pairs of images.
        """
        board = squares_of(self, n)
        image = board.image(name)
        fault = f"{name} does not preserve the lines of {self.title!r}: for n = {n}, "
        for square in board.place:
            if image(square) not in board.place:
                raise InvalidValueError(
                    f"{fault}the image of {square}, {image(square)}, is missing")
        squares = [*board.place]
        for one in squares:
            for other in map(squares.__getitem__, bits(board.attacks[one])):
                if not board.attack(image(one), image(other)):
                    raise InvalidValueError(f"{fault}{one} and {other} attack each other, their "
                                            f"images {image(one)} and {image(other)} do not")

    @property
    def core(self) -> str:
        """The function of the core that counts it; empty if there is none."""
        if self.holes or not all(isinstance(line, str) for line in self.lines):
            return ""
        if self.lines == QUEEN_LINES and not self.leaps:
            if self.torus and self.pieces is self.side:
                return "toroidal"
            if not callable(self.pieces) and self.side is int and not self.torus:
                return {"any": "sets_by_size", "maximal": "maximal_sets"}[self.pieces]
        if self.torus or self.side is not int or self.pieces is not int:
            return ""
        short = len(self.leaps) <= MOST_LEAPS and all(
            abs(rows) <= REACH for rows, columns in self.leaps)
        return "pieces_by_row" * (short and self.lines[:1] == QUEEN_LINES[:1]
                                  and "columns" in self.lines)

    def compiled(self, n: int, implementation: str | None = None) -> Any:
        """Return the function of the core; None for a search in Python.

        Raises
        ------
        InvalidValueError
            if n is not allowed, too large for a compiled search, or if there is none.
        """
        require_whole(n)
        module = find_core("nqbench._sets", implementation if self.core else "python")
        if implementation == "cython" and not module:
            raise InvalidValueError(f"{self.title!r} has no compiled search")
        if module and self.rows(n) > LARGEST_N:
            raise InvalidValueError(f"a compiled search has at most {LARGEST_N} columns, not "
                                    f"{self.rows(n)}")
        return getattr(module, self.core) if module and self.rows(n) else None

    def levels(self, n: int, implementation: str | None = None) -> list[int]:
        """Return the number of placements on the first 0, 1, 2, ... lines of the first kind; the
        last number is that of the solutions. With any number of pieces, return the number of sets
        of 0, 1, 2, ... pieces.

        The search is compiled if possible, unless `implementation` is python.

        >>> Variant("Queens").levels(6)
        [1, 6, 20, 36, 46, 40, 4]
        >>> Variant("Sets of queens", pieces="any").levels(4)
        [1, 16, 44, 24, 2]
        """
        count = self.compiled(n, implementation)
        if count and self.core == "pieces_by_row":
            return self._by_row(count, n)
        if count and self.core == "sets_by_size":
            return [int(number) for number in count(n)]
        return self._search(n)

    def _by_row(self, count: Any, n: int) -> list[int]:
        """Return the levels that the core counts, in threads."""
        sums, differences = self._diagonals()
        mirror = sums == differences  # then half of the first row is enough
        levels = [1, n] + [0] * (n - 1)

        def search(part: int, stop: bytearray) -> tuple[int, list[int]]:
            first, second = divmod(part, n)
            images = 2 if mirror and 2 * first + 1 < n else 1
            return images, count(n, differences, sums, self.leaps, first, second, stop)

        for images, found in in_threads(search, range(
                n * ((n + 1) // 2 if mirror else n) if n > 1 else 0)):
            for row, number in enumerate(found, 2):
                levels[row] += images * number
        return levels

    def _diagonals(self) -> tuple[bool, bool]:
        """Return whether sums and whether differences are lines."""
        return "sums" in self.lines, "differences" in self.lines

    def count(self, n: int, implementation: str | None = None) -> int:
        """Return the number of solutions; with any number of pieces, of all sets of them.

        >>> Variant("Queens").count(8), Variant("Sets of queens", pieces="any").count(4)
        (92, 87)
        """
        count = self.compiled(n, implementation)
        if count and self.core in ("toroidal", "maximal_sets"):
            return int(count(self.rows(n))[0])
        return self.total(self.levels(n, implementation))

    def total(self, levels: Sequence[int]) -> int:
        """Return what `count` does, of its `levels`."""
        return sum(levels) if self.pieces == "any" else levels[-1]

    def fixed(self, n: int, symmetry: str, implementation: str | None = None) -> int:
        """Return the number of solutions that a symmetry leaves unchanged.

        The search places each piece together with its images.

        >>> [Variant("Queens").fixed(n, "half turn") for n in range(1, 9)]
        [1, 0, 0, 2, 2, 4, 8, 4]
        """
        self.require_preserved(symmetry, n := require_whole(n))
        module = find_core("nqbench._symmetry", implementation if self.core == "pieces_by_row"
                           and symmetry in ("half turn", "quarter turn") else "python")
        if module and 0 < n <= module.LARGEST:
            found, _ = module.fixed(n, symmetry == "quarter turn", *self._diagonals(), self.leaps)
            return int(found)
        return self.total(self._search(n, symmetry))

    def orbits(self, n: int, implementation: str | None = None) -> int:
        """Return the number of orbits of the solutions, by Burnside's lemma: the mean over the
        group of the number of solutions that a symmetry leaves unchanged.

        >>> [Variant("Queens").orbits(n) for n in range(1, 9)]
        [1, 0, 0, 1, 2, 1, 6, 12]
        """
        names = elements(self.group)
        rotations = {"three-quarter turn": "quarter turn"}  # each leaves the same unchanged
        found = {name: self.count(n, implementation) if name == "identity" else
                 self.fixed(n, name, implementation) for name in names if name not in rotations}
        return sum(found[rotations.get(name, name)] for name in names) // len(names)

    def cover(self, n: int, symmetry: str = "identity") -> int | None:
        """Return what `count` and `fixed` do by another search, as an exact cover of the lines of
        the first kind, those with the fewest free squares first (dancing links); None if there are
        more lines than pieces.

        >>> Variant("Queens").cover(8), Variant("Queens").cover(12, "half turn")
        (92, 80)
        """
        from nqbench.search.exact_cover import covers
        from nqbench.search.tally import Tally

        board = squares_of(self, require_whole(n))
        if not callable(self.pieces) or self.size(n) != len(board.first):
            return None
        orbits = [[square for square, number in board.place.items() if orbit >> number & 1]
                  for orbit in {orbit for orbit, _ in board.orbits(symmetry).values()}]
        options = [(orbit[-1], [line for square in orbit for line in board.lines_of[square]])
                   for orbit in orbits]
        return sum(1 for _ in covers([*board.first], options, Tally(len(board.first))))

    def brute_force(self, n: int) -> int:
        """Return the count by a look at every set of pieces; see `brute_reach`. It shares nothing
        with the searches but the declaration.

        >>> Variant("Queens").brute_force(5), Variant("Queens").brute_reach
        (10, 5)
        """
        return sum(1 for _ in self.placements(n))

    def placements(self, n: int) -> Iterator[tuple[Square, ...]]:
        """Yield the squares of each solution that `brute_force` finds.

        >>> len({*Variant("Queens").placements(4)})
        2
        """
        squares = self.squares(n)
        attacked = {(one, other) for one in squares for other in squares
                    if one == other or self._attack(self.rows(n), one, other)}
        every = (chosen for size in self._sizes(n) for chosen in combinations(squares, size))
        for chosen in every:
            if attacked.isdisjoint(combinations(chosen, 2)) and (self.pieces != "maximal" or all(
                    any((one, other) in attacked for one in chosen) for other in squares)):
                yield chosen

    def squares(self, n: int) -> list[Square]:
        """Return the squares of the board for n."""
        side, holes = self.rows(n), self.holes
        return [square for square in product(range(side), range(side))
                if not (holes and self.ask("holes", holes, side, *square))]

    def _attack(self, side: int, one: Square, other: Square) -> bool:
        """Return whether two different squares attack each other, by the declaration alone."""
        for line in self.lines:
            common: Any = line if callable(line) else LINES[line]
            here, there = common(side, *one), common(side, *other)
            if here == there or (self.torus and isinstance(line, str) and not (
                    here - there) % side):
                return True
        rows, columns = other[0] - one[0], other[1] - one[1]
        steps = [(down * up, right * far) for up, far in self.leaps for down in (-1, 1)
                 for right in (-1, 1)]
        if self.torus:
            return any((rows - down) % side == 0 == (columns - across) % side
                       for down, across in steps)
        return (rows, columns) in steps

    @property
    def brute_reach(self) -> int:
        """The largest n for which `brute_force` looks at not too many sets."""
        return max((n for n in range(self.first_n, REACH_N) if sum(
            comb(len(self.squares(n)), size) for size in self._sizes(n)) <= MOST_SETS),
            default=0)

    def _sizes(self, n: int) -> Iterable[int]:
        """Return the possible numbers of pieces."""
        return [self.size(n)] if callable(self.pieces) else range(len(self.squares(n)) + 1)

    def _search(self, n: int, symmetry: str = "identity") -> list[int]:
        """Return what `levels` does; under a symmetry only the last number, the others depend on
        it.

        Each step takes a line of the first kind without a piece, and places one on each of its free
        squares, together with its images. A line stays empty if there are more lines than pieces.
        """
        board = squares_of(self, n)
        whole, orbits = (1 << len(board.place)) - 1, board.orbits(symmetry)
        lines = [*board.first.values()]
        if symmetry != "identity":  # from the middle outwards
            lines = sorted(lines, key=lambda line: abs(2 * lines.index(line) + 1 - len(lines)))
        exact, pieces = callable(self.pieces), self.size(n)
        found = [0] * (pieces + 1)

        def fill(first: int, free: int, taken: int, attacked: int, empty: int) -> None:
            size = taken.bit_count()
            if size > pieces:
                return
            found[size] += self.pieces != "maximal" or attacked == whole
            if exact and size == pieces:
                return
            for place in range(first, len(lines)):
                if taken & lines[place]:
                    continue
                here = free & lines[place]
                while here:
                    bit = here & -here
                    here ^= bit
                    orbit, around = orbits.get(bit, (whole, whole))
                    if orbit & ~free == 0:
                        fill(place + 1, free & ~around, taken | orbit, attacked | around, empty)
                if not empty:
                    return
                empty -= 1
                free &= ~lines[place]

        if pieces <= len(lines):
            fill(0, whole, 0, 0, len(lines) - pieces if exact else len(lines))
        return [sum(found)] if self.pieces == "maximal" else found


class Squares:
    """The squares of a variant for n, their lines, and what attacks what.

    place: the number of each square, in reading order and without holes; lines: what two squares
    have in common exactly if they attack each other, each with its kind, as masks; first: those of
    the first kind; attacks: what a piece attacks, its own square among them.
    """

    def __init__(self, variant: Variant, n: int) -> None:
        self.variant, self.side = variant, variant.rows(n)
        squares = variant.squares(n)
        self.place = {square: number for number, square in enumerate(squares)}
        self.lines_of = {square: {*self._find_lines(square)} for square in squares}
        self.lines: dict[tuple[int, Hashable], int] = {}
        for square, number in self.place.items():
            for line in self.lines_of[square]:
                self.lines[line] = self.lines.get(line, 0) | 1 << number
        self.first = {line: mask for line, mask in self.lines.items() if line[0] == 0}
        self.attacks = {square: reduce(or_, map(self.lines.__getitem__, lines))
                        for square, lines in self.lines_of.items()}

    def _find_lines(self, square: Square) -> Iterator[tuple[int, Hashable]]:
        """Yield the lines of a square, and the pairs of squares between which a piece leaps."""
        variant, side = self.variant, self.side
        for kind, line in enumerate(variant.lines):
            common = variant.ask("a line", line if callable(line) else LINES[line], side, *square)
            if not isinstance(common, Hashable):
                raise InvalidValueError(f"a line of {variant.title!r} must return a number or a "
                                        f"tuple, not {common!r:.60}")
            if variant.torus and isinstance(line, str) and isinstance(common, int):
                common %= side
            yield kind, common
        for (rows, columns), down, right in product(variant.leaps, (-1, 1), (-1, 1)):
            other = square[0] + down * rows, square[1] + right * columns
            if variant.torus:
                other = other[0] % side, other[1] % side
            if other in self.place and other != square:
                yield len(variant.lines), frozenset((square, other))

    def attack(self, one: Square, other: Square) -> bool:
        """Return whether two squares attack each other."""
        return bool(self.attacks[one] >> self.place[other] & 1)

    def image(self, symmetry: str) -> Callable[[Square], Square]:
        """Return a symmetry as a function of squares."""
        if symmetry not in SYMMETRIES:
            raise InvalidValueError(unknown("symmetry", symmetry, SYMMETRIES))
        return lambda square: SYMMETRIES[symmetry](self.side - 1, *square)

    def orbits(self, symmetry: str) -> dict[int, tuple[int, int]]:
        """Return for each square, as a mask, its orbit and what that attacks, unless its squares
        attack each other.
        """
        image, found = self.image(symmetry), dict[int, tuple[int, int]]()
        for square in self.place:
            orbit, other = [square], image(square)
            while other != square:
                orbit.append(other)
                other = image(other)
            if not any(self.attack(one, two) for one, two in combinations(orbit, 2)):
                found[1 << self.place[square]] = (
                    sum(1 << self.place[one] for one in orbit),
                    reduce(or_, (self.attacks[one] for one in orbit)))
        return found


squares_of = lru_cache(maxsize=64)(Squares)


def elements(group: Sequence[str]) -> list[str]:
    """Return the names of all symmetries that these generate.

    >>> elements(["quarter turn"])
    ['identity', 'half turn', 'quarter turn', 'three-quarter turn']
    >>> len(elements(["transpose", "mirror"]))
    8
    """
    corner = (0, 1)  # no symmetry of 4 x 4 squares but the identity leaves it
    names = {image(3, *corner): name for name, image in SYMMETRIES.items()}
    found = {corner}
    while new := {SYMMETRIES[name](3, *square) for name in group for square in found} - found:
        found |= new
    return sorted(map(names.__getitem__, found), key=lambda name: (name != "identity", name))


PLAIN_QUEENS = Variant("Ways to place n nonattacking queens")


@dataclass(frozen=True)
class Symmetry:
    """The number of solutions for n, by their symmetry.

    Let Q be all of them, P and R those that a half and a quarter turn leave unchanged: the search
    for these places a queen together with its images, which takes little time. No placement of
    n >= 2 queens is its own mirror image, so there are R / 2 orbits of 2, (P - R) / 4 of 4, and
    (Q - P) / 8 of 8 under the eight symmetries of the square.

    Attributes
    ----------
    n
        the size of the board.
    solutions
        Q, all of them (OEIS A000170).
    half_turn, quarter_turn
        P and R, those that the turn leaves unchanged (A032522, A033148).

    Examples
    --------
    >>> eight = Symmetry(8, solutions=92, half_turn=4, quarter_turn=0)
    >>> eight.orbits_of_8, eight.orbits_of_4, eight.orbits_of_2, eight.fundamental
    (11, 1, 0, 12)
    """

    n: int
    solutions: int
    half_turn: int
    quarter_turn: int

    @classmethod
    def of(cls, n: int, solutions: int) -> Self:
        """Return the symmetry of the solutions, given the number of all of them."""
        return cls(n, solutions, half_turn(n), quarter_turn(n))

    @property
    def orbits_of_8(self) -> int:
        """Solutions without symmetry, one of each orbit (A260320)."""
        return (self.solutions - self.half_turn) // 8

    @property
    def orbits_of_4(self) -> int:
        """Solutions that only a half turn leaves unchanged, one of each orbit (A260319)."""
        return (self.half_turn - self.quarter_turn) // 4

    @property
    def orbits_of_2(self) -> int:
        """Solutions that a quarter turn leaves unchanged, one of each orbit (A260318); n >= 2."""
        return self.quarter_turn // 2 if self.n > 1 else 0

    @property
    def fundamental(self) -> int:
        """Solutions up to rotation and reflection (A002562)."""
        alone = 1 if self.n < 2 else 0  # it is also its own mirror image
        return self.orbits_of_8 + self.orbits_of_4 + self.orbits_of_2 + alone

    def rows(self) -> list[tuple[str, int, str]]:
        """Return every number by name, with its OEIS sequence."""
        names = {"solutions": "A000170", "half_turn": "A032522", "quarter_turn": "A033148",
                 "orbits_of_8": "A260320", "orbits_of_4": "A260319", "orbits_of_2": "A260318",
                 "fundamental": "A002562"}
        return [(name, getattr(self, name), oeis) for name, oeis in names.items()]

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        return html_table(
            f"Symmetry of the solutions, n = {self.n}", ["quantity", "number", "OEIS"],
            [(name.replace("_", " "), f"{value:,}", oeis) for name, value, oeis in self.rows()],
            numeric=["number"])


def half_turn(n: int, implementation: str | None = None) -> int:
    """Return the number of solutions that a half turn leaves unchanged.

    Place two queens at a time, from the middle rows outwards. The search is compiled if possible,
    unless `implementation` is python.

    >>> [half_turn(n) for n in range(1, 13)]
    [1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80]
    """
    return PLAIN_QUEENS.fixed(n, "half turn", implementation)


def quarter_turn(n: int, implementation: str | None = None) -> int:
    """Return the number of solutions that a quarter turn leaves unchanged.

    Place four queens at a time; see `half_turn`.

    >>> [quarter_turn(n) for n in range(1, 14)]
    [1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8]
    """
    return PLAIN_QUEENS.fixed(n, "quarter turn", implementation) if n % 4 < 2 else 0
