"""Full symmetry without looking at a leaf: the middle lines first.

The eight symmetries of the square map its middle rows and columns, the cross, to
themselves. So the queens that cover the cross are placed first. Two placements of
the cross that are images of one another have equally many completions; of each
orbit one is completed, and counted as often as the orbit is large:

    Q(n) = sum over the orbits of  size of the orbit x completions

No solution is ever compared with its images. The queens in the middle attack most,
so the cross prunes best too. The rows that it leaves open are then filled in a
fixed order, always the row with the fewest free squares left to expect; a
placement is given up as soon as one of the next two rows has no free square.

This is the algorithm of the counting engine in plain Python. The compiled one does
the same with up to sixteen placements at a time, see docs/engine.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nqbench import engine
from nqbench.algorithms._algorithm import Algorithm, Implementation

Square = tuple[int, int]


def attacks(p: Square, q: Square) -> bool:
    (r, c), (s, d) = p, q
    return r == s or c == d or r + c == s + d or r - c == s - d


def images(squares: tuple[Square, ...], n: int) -> Iterator[tuple[Square, ...]]:
    """Yield the eight images of some squares, each in order."""
    for _ in range(4):
        squares = tuple((c, n - 1 - r) for r, c in squares)  # a quarter turn
        yield tuple(sorted(squares))
        yield tuple(sorted((r, n - 1 - c) for r, c in squares))


def covers(squares: tuple[Square, ...], lines: list[int], n: int) -> Iterator[tuple[Square, ...]]:
    """Yield every way to add queens until these rows and columns all have one."""
    for line in lines:
        if all(r != line for r, _ in squares):
            candidates = [(line, p) for p in range(n)]
        elif all(c != line for _, c in squares):
            candidates = [(p, line) for p in range(n)]
        else:
            continue
        for square in candidates:
            if not any(attacks(square, other) for other in squares):
                yield from covers((*squares, square), lines, n)
        return
    yield squares


def crosses(n: int) -> Iterator[tuple[int, tuple[Square, ...]]]:
    """Yield (size of its orbit, squares) for one cross of each orbit.

    For odd n a queen in the centre covers both middle lines alone, and every symmetry
    leaves her there; then the lines beside her are covered too.

    >>> list(crosses(4))
    [(2, ((0, 1), (1, 3), (2, 0), (3, 2)))]
    """
    m = n // 2
    found: set[tuple[Square, ...]] = set()
    for cross in covers((), [m - 1, m] if n % 2 == 0 else [m], n) if n else [()]:
        beside = [m - 1, m + 1] if cross == ((m, m),) and n > 1 else []
        found |= {tuple(sorted(squares)) for squares in covers(cross, beside, n)}
    for cross in sorted(found):
        orbit = set(images(cross, n))
        if cross == min(orbit):
            yield len(orbit), cross


def order(n: int, squares: tuple[Square, ...]) -> list[int]:
    """Return the rows without a queen, always the one with the fewest free squares to
    expect next; a row at distance d loses about (1 + 2 (n-d)/n) / n of its squares.
    """
    expected = {row: float(sum(not any(attacks((row, c), q) for q in squares) for c in range(n)))
                for row in range(n) if all(row != r for r, _ in squares)}
    rows = []
    while expected:
        row = min(expected, key=lambda row: (expected[row], abs(2 * row - n + 1)))
        rows.append(row)
        del expected[row]
        for other in expected:
            expected[other] *= 1 - 0.7 * (n + 2 * (n - abs(other - row))) / (n * n)
    return rows


def completions(n: int, squares: tuple[Square, ...]) -> int:
    """Return in how many ways the queens on these squares can be completed.

    >>> completions(8, ((3, 3), (4, 1), (6, 4)))
    0
    >>> sum(weight * completions(8, cross) for weight, cross in crosses(8))
    92
    """
    full = (1 << n) - 1
    rows = order(n, squares)

    def free(row: int, columns: int, sums: int, differences: int) -> int:
        return full & ~(columns | sums >> row | differences >> n - 1 - row)

    def fill(level: int, columns: int, sums: int, differences: int) -> int:
        if level == len(rows):
            return 1
        row, found = rows[level], 0
        squares = free(row, columns, sums, differences)
        while squares:
            bit = squares & -squares
            squares -= bit
            child = columns | bit, sums | bit << row, differences | bit << n - 1 - row
            if all(free(later, *child) for later in rows[level + 1:level + 3]):
                found += fill(level + 1, *child)
        return found

    return fill(0, sum(1 << c for _, c in squares), sum(1 << r + c for r, c in squares),
                sum(1 << c - r + n - 1 for r, c in squares))


class Plain:
    """The algorithm as it stands above."""

    largest_n = engine.LARGEST_N

    def count(self, n: int) -> int:
        return sum(weight * completions(n, cross) for weight, cross in crosses(n))


class Compiled:
    """The counting engine, in one thread."""

    largest_n = engine.LARGEST_N

    def count(self, n: int) -> int:
        return engine.count(n, jobs=1)


@dataclass(frozen=True, kw_only=True)
class Cross(Algorithm):
    """An algorithm that counts solutions without reaching most of them."""

    @cached_property
    def implementations(self) -> Mapping[str, Implementation]:
        found: dict[str, Implementation] = {"python": Plain()}
        if engine.available():
            found["cython"] = Compiled()
        return found

    def counting(self, n: int, implementation: str = "python", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        n = self.implementation(implementation, n)[1]
        if implementation == "cython":
            return engine.counting(n, choices.get("kernel"), jobs)
        self.no_choices(choices, f" in {implementation}")
        self.one_job(implementation, jobs)
        return self._counting(n)

    def _counting(self, n: int) -> Iterator[tuple[float, int]]:
        found, all_crosses = 0, list(crosses(n))
        for done, (weight, cross) in enumerate(all_crosses, 1):
            found += weight * completions(n, cross)
            yield done / len(all_crosses), found
        yield 1.0, found

    def unique(self, n: int, implementation: str = "python") -> int:
        """Return the number of solutions up to rotation and reflection, from the numbers
        of those that turns leave as they are.
        """
        return engine.Symmetry.of(n, self.count(n, implementation)).fundamental


ALGORITHM = Cross(
    name="cross",
    origin="nqbench, docs/engine.md",
    year=2026,
    technique="bit masks of columns and diagonals, middle lines first, two rows of lookahead",
    symmetry="all eight",
    tree="own",
)
