"""Depth limited: give up below a depth. The search reaches the placements of `depth` queens in the
first `depth` rows, whether they can be completed or not: the nodes of one level of the plain tree.

Give the depth after a colon, as in depth_limited:4. By default it is the largest n, so there is no
limit.

Source: the unsigned list of ideas below "The n-queens problem and its optimisations" (blog), which
only names it.
"""

from nqbench.problems.queens.base import PART, RECURSION, Placements, Search, Tally


def visits(n: int, tally: Tally, depth: int = RECURSION) -> Placements:
    full = (1 << n) - 1
    last = min(depth, n)
    columns = [0] * last

    def queens(row: int, taken: int, left: int, right: int) -> Placements:
        tally.node(row)
        if row == last:  # idea: give up here, solution or not
            tally.solution()
            yield tuple(columns)
            return
        free = full & ~(taken | left | right)
        while free:
            bit = free & -free
            free -= bit
            tally.test(row, bit.bit_length() - 1)
            columns[row] = bit.bit_length() - 1
            yield from queens(row + 1, taken | bit, (left | bit) << 1, (right | bit) >> 1)
        tally.exhausted(row)

    return queens(0, 0, 0, 0)


ALGORITHM = Search(
    name="depth_limited", order=170,
    origin="a list of ideas below The n-queens problem and its optimisations (blog)",
    technique="bit masks, recursion to a depth",
    worst_case="at most n! / (n-k)! nodes on level k, down to the depth", keeps_marks=True,
    search=visits, finds=PART)
