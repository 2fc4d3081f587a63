"""The matchings of the package on the binary tree of constraint solvers: x = v, or x != v.

x != v is followed like a queen, and `refuted` counts where it leaves some row without a square. In
a count of all solutions, the failures of a solver at domain consistency are
`tests - (nodes - 1) + refuted`, and its nodes `2 * (failures + solutions) - 1`.
"""

import nqbench
from nqbench.problems.instances.lines import Walk, filter_matchings, keep_all
from nqbench.problems.instances.parts import look_ahead


@nqbench.algorithm(problem="instances", counters={
    "checks": "pairs of squares compared",
    "refuted": "rows in which no square after those tried can have a queen",
    "revisions": "times that all rows are made consistent", "removals": "squares removed"})
def all_different(board, tally):
    walk, columns = Walk(board, False, "given", 0), board.begin()
    look, _ = look_ahead(walk, tally, "fc", keep_all, False)

    def queens(level):
        tally.node(level)
        free = walk.free
        if not free:
            tally.solution()
            yield tuple(columns)
            return
        row = min(free)
        while free[row]:
            queen = free[row] & -free[row]
            column = queen.bit_length() - 1
            tally.test(row, column)
            if look(row, column, level) is None and filter_matchings(
                    walk, tally):
                columns[row] = column
                yield from queens(level + 1)
            walk.free = free
            free[row] ^= queen
            if free[row] and not filter_matchings(walk, tally):
                tally.refuted += 1
                break
        tally.exhausted(level)

    if 0 in walk.free.values() or not filter_matchings(walk, tally):
        tally.node(0)
        tally.exhausted(0)
        return
    yield from queens(0)
