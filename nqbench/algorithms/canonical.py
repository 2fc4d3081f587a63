"""Full symmetry at the leaf: only fundamental solutions are searched for.

Of the eight images of a solution one is wanted, the first in lexicographic order. In it
the queen of the first row stands in the left half, in column p say, and no queen of the
last row, the first or the last column stands nearer to a corner than it does: such
squares are never tested. With the queen in the corner, p = 0, the only other image with
a queen there is that at the diagonal, and in the wanted one the queen of the second row
is nearer to the corner than that of the second column.

What is left over is decided by comparing the placement with its images: it is dropped if
one comes first, and else stands for 8, 4, 2 (or 1) solutions, as one, two or four (or eight)
of its images are itself. Here comparisons are those with images.

This is the idea of the fast counting programs of the 1990s; the counting engine gets the
same without looking at a leaf (`cross`).
"""

from collections.abc import Iterator

from nqbench.algorithms.base import RECURSION, Search, Tree
from nqbench.board import Columns, images
from nqbench.tally import Tally


def orbit(columns: Columns) -> int:
    """Return how many solutions the placement stands for: none if an image comes first.

    >>> orbit((1, 3, 0, 2)), orbit((2, 0, 3, 1))
    (2, 0)
    """
    turned = images(columns)
    return 0 if min(turned) < columns else 8 // turned.count(columns)


def visits(n: int, tally: Tally) -> Iterator[Columns]:
    full = (1 << n) - 1
    columns = [0] * n

    def allowed(row: int) -> int:
        """Return the squares of a row that no image of a wanted solution forbids."""
        if row == 0:
            return (1 << (n + 1) // 2) - 1
        p = columns[0]
        if row == n - 1:
            return full >> p & full << p & full
        inner = full if p <= row <= n - 1 - p else full & ~(1 | 1 << (n - 1))
        return inner & ~2 if p == 0 and 1 < row < columns[1] else inner

    def queens(row: int, taken: int, left: int, right: int) -> Iterator[Columns]:
        tally.node(row)
        if row == n:
            found = tuple(columns)
            tally.comparisons += 8
            weight = orbit(found)  # idea: the first of its images stands for all of them
            if weight:
                tally.solution()
            for k in range(weight):  # the build that is timed makes no images here
                yield sorted(set(images(found)))[k]
            return
        free = allowed(row) & ~(taken | left | right)
        while free:
            bit = free & -free
            free -= bit
            tally.test(row, bit.bit_length() - 1)
            columns[row] = bit.bit_length() - 1
            yield from queens(row + 1, taken | bit, (left | bit) << 1, (right | bit) >> 1)
        tally.exhausted(row)

    return queens(0, 0, 0, 0)


ALGORITHM = Search(
    name="canonical",
    order=270,
    origin="counting programs of the 1990s",
    year=None,
    technique="bit masks, a leaf compared with its images, recursion",
    worst_case="a part of the plain tree; each solution found is compared with its eight images",
    keeps_marks=True,
    search=visits,
    symmetry="all eight, at the leaf",
    uses_symmetry=True,
    tree=Tree.OWN,
    row_by_row=False,
    largest_n=RECURSION,
)
