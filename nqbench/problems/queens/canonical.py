"""Full symmetry at the leaf: the search looks only for fundamental solutions.

It keeps one of the eight images of a solution: the first in lexicographic order. In this image, the
queen of the first row stands in the left half, say in column p, and no queen of the last row, the
first or the last column stands nearer to a corner: such squares are never tested. If the queen
stands in the corner, p = 0, only the reflection at the diagonal also has a queen there; then the
queen of the second row must be nearer to the corner than the queen of the second column.

The remaining placements are compared with their images. A placement is dropped if an image comes
first; otherwise it stands for 8, 4, 2 (or 1) solutions if one, two, four (or eight) of its images
are equal to it. Here comparisons are comparisons with images.

The idea is old, and we know no first source; the counting engine has the same effect without
comparing solutions (`cross`).
"""

from nqbench.problems.queens.base import Columns, Placements, Search, Tally, Tree
from nqbench.search.board import images


def orbit(columns: Columns) -> int:
    """Return how many solutions the placement stands for: 0 if an image comes first.

    >>> orbit((1, 3, 0, 2)), orbit((2, 0, 3, 1))
    (2, 0)
    """
    turned = images(columns)
    return 0 if min(turned) < columns else 8 // turned.count(columns)


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1
    columns = [0] * n

    def allowed(row: int) -> int:
        """Return the squares of a row on which the first of the images may have a queen."""
        if row == 0:
            return (1 << (n + 1) // 2) - 1
        p = columns[0]
        if row == n - 1:
            return full >> p & full << p & full
        inner = full if p <= row <= n - 1 - p else full & ~(1 | 1 << (n - 1))
        return inner & ~2 if p == 0 and 1 < row < columns[1] else inner

    def queens(row: int, taken: int, left: int, right: int) -> Placements:
        tally.node(row)
        if row == n:
            found = tuple(columns)
            tally.comparisons += 8
            weight = orbit(found)  # idea: the first of its images stands for all of them
            if weight:
                tally.solution()
            for k in range(weight):  # the timed build makes no images here
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
    name="canonical", order=270, origin="nqbench; the idea is older, no source is known",
    technique="bit masks, a leaf compared with its images, recursion",
    worst_case="a part of the plain tree; each solution found is compared with its eight images",
    keeps_marks=True, search=visits, symmetry="all eight, at the leaf", uses_symmetry=True,
    tree=Tree.OWN)
