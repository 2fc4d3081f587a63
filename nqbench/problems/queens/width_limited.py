"""Width limited: in each row, try only the first `width` candidates, from left to right.

The other candidates are not searched, so some solutions are lost; the question is what share of
them survives. Give the width after a colon, as in width_limited:4; by default it is 3, as the
source proposes.

Source: the unsigned list of ideas below "The n-queens problem and its optimisations" (blog): "try
at most 3 positions in each row".
"""

from nqbench.problems.queens.base import SOME, Placements, Search, Tally, Tree


def visits(n: int, tally: Tally, width: int = 3) -> Placements:
    full = (1 << n) - 1
    columns = [0] * n

    def queens(row: int, taken: int, left: int, right: int) -> Placements:
        tally.node(row)
        if row == n:
            tally.solution()
            yield tuple(columns)
            return
        free = full & ~(taken | left | right)
        for _ in range(min(width, free.bit_count())):  # idea: the first candidates only
            bit = free & -free
            free -= bit
            tally.test(row, bit.bit_length() - 1)
            columns[row] = bit.bit_length() - 1
            yield from queens(row + 1, taken | bit, (left | bit) << 1, (right | bit) >> 1)
        tally.exhausted(row)

    return queens(0, 0, 0, 0)


ALGORITHM = Search(
    name="width_limited", order=180,
    origin="a list of ideas below The n-queens problem and its optimisations (blog)",
    technique="bit masks, at most `width` candidates in each row, recursion",
    worst_case="at most width^k nodes on level k", keeps_marks=True, search=visits, finds=SOME,
    tree=Tree.OWN)
