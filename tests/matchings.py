"""The matchings of the package on the binary tree of constraint solvers: x = v, or x != v.

x != v is followed like a queen, and `refuted` counts where it leaves some row without a square. In
a count of all solutions, the failures of a solver at domain consistency are
`tests - (nodes - 1) + refuted`, and its nodes `2 * (failures + solutions) - 1`.
"""

import nqbench
from nqbench.problems.instances.consistency_family import filter_all, match, place


@nqbench.algorithm(problem="instances", counters={
    "refuted": "rows in which no square after those tried can have a queen",
    "revisions": "times that all rows are made consistent", "removals": "squares removed"})
def all_different(board, tally):
    columns = board.begin()

    def queens(free, level):
        tally.node(level)
        if not free:
            tally.solution()
            yield tuple(columns)
            return
        row = min(free)
        while free[row]:
            queen = free[row] & -free[row]
            column = queen.bit_length() - 1
            tally.test(row, column)
            below = place(board, free, row, column, tally)
            if below is not None and filter_all(board, below, tally, match):
                columns[row] = column
                yield from queens(below, level + 1)
            free[row] ^= queen
            if free[row] and not filter_all(board, free, tally, match):
                tally.refuted += 1
                break
        tally.exhausted(level)

    free = {row: board.free[row] for row in board.open_rows}
    if 0 in free.values() or not filter_all(board, free, tally, match):
        tally.node(0)
        tally.exhausted(0)
        return
    yield from queens(free, 0)
