"""Full symmetry without comparing solutions: the middle lines first.

The eight symmetries of the square map its middle rows and columns, the cross, to themselves. So the
queens that cover the cross are placed first. Two placements of the cross that are images of each
other have the same number of completions. One placement of each orbit is completed, and counted as
many times as its orbit has members:

    Q(n) = sum over the orbits of  size of the orbit x completions

No solution is ever compared with its images. The queens in the middle attack most squares, so the
cross also prunes best. The open rows are then filled in a fixed order, always the row with the
fewest expected free squares. A placement is abandoned as soon as one of the next two rows has no
free square.

This is one of the two algorithms of the counting engine, in plain Python; see docs/engine.md. The
compiled version does the same with up to sixteen placements at a time.

Every placement on the way to a cross is a node, in all its images. Below the crosses, only one
cross of each orbit is searched, so only its placements are nodes.
"""

from collections.abc import Iterator

from nqbench.problems.queens._engines import EngineAlgorithm
from nqbench.problems.queens.base import Tally, Tree
from nqbench.search.board import SYMMETRIES, Square, attacks


def images(squares: tuple[Square, ...], n: int) -> list[tuple[Square, ...]]:
    """Return the eight images of some squares, each in order."""
    return [tuple(sorted(image(n - 1, *square) for square in squares))
            for image in SYMMETRIES.values()]


def covers(squares: tuple[Square, ...], lines: list[int], n: int,
           tally: Tally) -> Iterator[tuple[Square, ...]]:
    """Yield every way to add queens until all these rows and columns have a queen."""
    for line in lines:
        if all(r != line for r, _ in squares):
            candidates = [(line, p) for p in range(n)]
        elif all(c != line for _, c in squares):
            candidates = [(p, line) for p in range(n)]
        else:
            continue
        for square in candidates:
            tally.test(square[0], square[1])
            if not any(attacks(square, other) for other in squares):
                tally.node(len(squares) + 1)
                yield from covers((*squares, square), lines, n, tally)
        tally.exhausted(len(squares))
        return
    yield squares


def crosses(n: int, tally: Tally) -> Iterator[tuple[int, tuple[Square, ...]]]:
    """Yield (size of its orbit, squares) for one cross of each orbit.

    For odd n, a single queen in the centre covers both middle lines, and every symmetry leaves it
    there; then the lines beside it are covered, too.

    >>> list(crosses(4, Tally(4)))
    [(2, ((0, 1), (1, 3), (2, 0), (3, 2)))]
    """
    m = n // 2
    tally.node(0)
    found: set[tuple[Square, ...]] = set()
    for cross in covers((), [m - 1, m] if n % 2 == 0 else [m], n, tally) if n else [()]:
        beside = [m - 1, m + 1] if cross == ((m, m),) and n > 1 else []
        found |= {tuple(sorted(squares)) for squares in covers(cross, beside, n, tally)}
    for cross in sorted(found):
        orbit = set(images(cross, n))
        if cross == min(orbit):  # idea: one cross of each orbit
            yield len(orbit), cross  # idea: stands for all its images


def order(n: int, squares: tuple[Square, ...]) -> list[int]:
    """Return the rows without a queen; the next row is always the one with the fewest expected free
    squares. A row at distance d loses about (1 + 2 (n-d)/n) / n of its squares.
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


def completions(n: int, squares: tuple[Square, ...], tally: Tally) -> int:
    """Return in how many ways the queens on these squares can be completed.

    >>> completions(8, ((3, 3), (4, 1), (6, 4)), Tally(8))
    0
    """
    full = (1 << n) - 1
    rows = order(n, squares)
    placed = len(squares)
    tally.again(placed)

    def free(row: int, columns: int, sums: int, differences: int) -> int:
        return full & ~(columns | sums >> row | differences >> n - 1 - row)

    def fill(level: int, columns: int, sums: int, differences: int) -> int:
        if level == len(rows):
            tally.solution()
            return 1
        row, found = rows[level], 0
        squares = free(row, columns, sums, differences)
        while squares:
            bit = squares & -squares
            squares -= bit
            tally.test(row, bit.bit_length() - 1)
            child = columns | bit, sums | bit << row, differences | bit << n - 1 - row
            if all(free(later, *child) for later in rows[level + 1:level + 3]):
                tally.node(placed + level + 1)
                found += fill(level + 1, *child)
        tally.exhausted(placed + level)
        return found

    return fill(0, sum(1 << c for _, c in squares), sum(1 << r + c for r, c in squares),
                sum(1 << c - r + n - 1 for r, c in squares))


ALGORITHM = EngineAlgorithm(
    name="cross", order=280, origin="nqbench, docs/engine.md", year=2026,
    technique="bit masks of columns and diagonals, middle lines first, two rows of lookahead",
    worst_case="fewer than 2.72 n! nodes, of which symmetry saves up to seven eighths",
    keeps_marks=True, symmetry="all eight", uses_symmetry=True, counts_turns=True, tree=Tree.OWN,
    orbits=crosses, ways=completions)
