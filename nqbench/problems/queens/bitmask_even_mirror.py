"""The bit mask search, mirrored for even n only.

Source: "The n-queens problem and its optimisations" (blog, undated), part 3, second listing, C++.
For even n, the first row skips the columns of its right half, after taking each of them as a
candidate, and the count is doubled. For odd n, the bound lies beyond the board, and everything is
searched.
"""

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import Placements, Search, Tally, Tree, even


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1
    half = 1 << (n - 1) // 2 if n % 2 == 0 and n else full

    def queens(row: int, left: int, right: int) -> Placements:
        tally.node(row.bit_count())
        if row == full:
            tally.solution()
            yield ()
            return
        free = full & ~(row | left | right)
        while free:
            bit = free & -free
            free -= bit
            tally.test(row.bit_count(), bit.bit_length() - 1)
            if row == 0 and bit > half:  # idea: the mirror gives the other half
                continue
            for below in queens(row + bit, (left + bit) << 1, (right + bit) >> 1):
                yield (bit.bit_length() - 1, *below)
        tally.exhausted(row.bit_count())

    return queens(0, 0, 0)


ALGORITHM = Search(
    name="bitmask_even_mirror", order=130,
    origin="The n-queens problem and its optimisations (blog), part 3, second listing",
    technique="bit masks of columns and diagonals, recursion",
    worst_case="for even n about half of the plain tree, for odd n all of it", keeps_marks=True,
    search=visits, prints=count_line, symmetry="mirror for even n", uses_symmetry=True,
    mirrors=even, tree=Tree.OWN)
