"""The free columns of a row as the bits of a word.

Source: "The n-queens problem and its optimisations" (blog, undated), part 3, first listing, C++.
`row` holds the taken columns; `left` and `right` hold the columns that the two kinds of diagonals
attack in the next row, and move by one bit per row. Bits are tried from the lowest up, so columns
from left to right.
"""

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import Placements, Search, Tally


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1

    def queens(row: int, left: int, right: int) -> Placements:
        tally.node(row.bit_count())
        if row == full:
            tally.solution()
            yield ()
            return
        free = full & ~(row | left | right)  # idea: all attacked columns at once
        while free:
            bit = free & -free
            free -= bit
            tally.test(row.bit_count(), bit.bit_length() - 1)
            for below in queens(row + bit, (left + bit) << 1, (right + bit) >> 1):
                yield (bit.bit_length() - 1, *below)
        tally.exhausted(row.bit_count())

    return queens(0, 0, 0)


ALGORITHM = Search(
    name="bitmask", order=120,
    origin="The n-queens problem and its optimisations (blog), part 3, first listing",
    technique="bit masks of columns and diagonals, recursion", keeps_marks=True, search=visits,
    prints=count_line, core="nqbench._bitmask")
