"""IDA*: depth first, below a bound on the estimated length of the path, for one solution.

A step places one queen, so the length g of the path to a placement is its number of queens. The
estimate h of the rest is the number of open rows, or infinite if one of them has no free square.

The estimate is admissible, that is, never more than the true length of the rest. Every open row
needs a queen, and a step places one queen, so there are at least as many steps as open rows. A row
without a free square never gets one again, because queens are only added; so there is no path from
there, and infinity is right.

As f = g + h is n or infinite, the first bound, h of the empty board, is already the f of every
solution. So one iteration is enough, and the tree is that of forward checking up to its first
solution. Here scans are the open rows that the estimate looks at.

Korf, Depth-first iterative-deepening, Artificial Intelligence 27 (1985); named in the list of ideas
below "The n-queens problem and its optimisations" (blog).
"""

from nqbench.problems.queens.base import ONE, Placements, Search, Tally, Tree

INFINITE = float("inf")


def estimate(n: int, row: int, taken: int, left: int, right: int, tally: Tally) -> float:
    """Return the least number of steps that remain when the rows above `row` are filled."""
    for below in range(n - row):
        tally.scans += 1
        tally.comparisons += 1
        if not ((1 << n) - 1) & ~(taken | left << below | right >> below):
            return INFINITE
    return n - row


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1
    columns = [0] * n

    def queens(row: int, taken: int, left: int, right: int, bound: float) -> Placements:
        tally.node(row)
        if row == n:
            tally.solution()
            yield tuple(columns)
            return
        free = full & ~(taken | left | right)
        while free:
            bit = free & -free
            free -= bit
            tally.test(row, bit.bit_length() - 1)
            lines = taken | bit, (left | bit) << 1, (right | bit) >> 1
            if row + 1 + estimate(n, row + 1, *lines, tally) <= bound:  # idea: stay below the bound
                columns[row] = bit.bit_length() - 1
                yield from queens(row + 1, *lines, bound)
        tally.exhausted(row)

    for found in queens(0, 0, 0, 0, estimate(n, 0, 0, 0, 0, tally)):
        yield found
        return


ALGORITHM = Search(
    name="ida_star", order=210, origin="Korf, Depth-first iterative-deepening", year=1985,
    technique="depth first below a bound, open rows as the estimate",
    worst_case="the tree of forward_checking up to its first solution", search=visits, finds=ONE,
    tree=Tree.OWN)
