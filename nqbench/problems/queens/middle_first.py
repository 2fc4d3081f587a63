"""Middle first: fill the rows from the middle outwards.

Queens in the middle attack most squares. But the filled rows always form one block, and k adjacent
rows can be filled in the same number of ways wherever the block is. So every level has as many
nodes as in the plain tree; only the places of the dead ends and the time of the first solution
differ. The compiled search `outwards` of research/exact_levels fills its rows in this way.

Notation: bit c of a mask is column c; bit r + c of `sums` and bit c - r + n-1 of
`differences` are the diagonals of the square in row r and column c.
"""

from nqbench.problems.queens.base import Placements, Search, Tally


def outwards(n: int) -> list[int]:
    """Return the rows from the middle outwards, the upper one of two first.

    >>> outwards(4), outwards(5)
    ([1, 2, 0, 3], [2, 1, 3, 0, 4])
    """
    return sorted(range(n), key=lambda row: (abs(2 * row - (n - 1)), row))


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1
    order = outwards(n)
    columns = [0] * n

    def queens(level: int, taken: int, sums: int, differences: int) -> Placements:
        tally.node(level)
        if level == n:
            tally.solution()
            yield tuple(columns)
            return
        row = order[level]  # idea: the middle row first, where queens attack most
        candidates = full & ~(taken | sums >> row | differences >> (n - 1 - row))
        while candidates:
            bit = candidates & -candidates
            candidates -= bit
            tally.test(row, bit.bit_length() - 1)
            columns[row] = bit.bit_length() - 1
            yield from queens(level + 1, taken | bit, sums | bit << row,
                              differences | bit << (n - 1 - row))
        tally.exhausted(level)

    return queens(0, 0, 0, 0)


ALGORITHM = Search(
    name="middle_first", order=220, origin="nqbench", year=2026,
    technique="rows from the middle outwards, bit masks, recursion", keeps_marks=True,
    search=visits)
