"""A*: always extend the placement whose whole path is estimated to be the shortest, for one
solution.

Path and estimate are those of `ida_star`, which shows that the estimate is admissible: g is the
number of queens, h the number of open rows, or infinite if one of them has no free square.
Placements with h infinite are dropped. All others have f = g + h = n, so only the ties decide the
order: deeper placements first, then lexicographic order. So A* visits placements in the order of
forward checking, and also stores every candidate that it passes.

A node is a placement taken from the queue. Scans are open rows that the estimate looks at.

Hart, Nilsson and Raphael, A formal basis for the heuristic determination of minimum cost
paths (1968); named in the list of ideas below "The n-queens problem and its optimisations" (blog).
"""

from heapq import heappop, heappush

from nqbench.problems.queens.base import ONE, Columns, Placements, Search, Tally, Tree
from nqbench.problems.queens.ida_star import estimate

INFINITE = float("inf")


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1
    # f, minus the number of queens, columns by row, lines taken
    waiting: list[tuple[float, int, Columns, tuple[int, int, int]]] = [(n, 0, (), (0, 0, 0))]
    while waiting:
        _, _, columns, (taken, left, right) = heappop(waiting)  # idea: the best estimate
        row = len(columns)
        tally.node(row)
        tally.jump(columns)
        if row == n:
            tally.solution()
            yield columns
            return
        children = 0
        free = full & ~(taken | left | right)
        while free:
            bit = free & -free
            free -= bit
            tally.test(row, bit.bit_length() - 1)
            lines = taken | bit, (left | bit) << 1, (right | bit) >> 1
            f = row + 1 + estimate(n, row + 1, *lines, tally)
            if f < INFINITE:
                children += 1
                tally.child(row)
                heappush(waiting, (f, -row - 1, (*columns, bit.bit_length() - 1), lines))
        if not children:
            tally.dead_end(row)


ALGORITHM = Search(
    name="a_star", order=200, origin="Hart, Nilsson and Raphael, A formal basis", year=1968,
    technique="best first from a queue, open rows as the estimate",
    worst_case="the tree of forward_checking; waiting placements fill the memory", search=visits,
    finds=ONE, tree=Tree.NONE, jumps=True,
    largest_n=10_000)  # the queue keeps whole placements
