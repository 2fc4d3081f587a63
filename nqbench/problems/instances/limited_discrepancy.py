"""Limited discrepancy search: first the placements with the least constraining square everywhere,
then those with one other square, with two, and so on.

Each wave begins at the root and has exactly as many as its number, so no solution is found twice.
But the waves visit nodes again: together they have no tree, which could be traced. It looks ahead
like forward checking.

Harvey and Ginsberg, Limited discrepancy search, IJCAI (1995); Korf, Improved limited discrepancy
search, AAAI (1996).
"""

from math import inf

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, counted
from nqbench.problems.instances.lines import Walk, keep_all
from nqbench.problems.instances.parts import GIVEN, find_first, leave_most, look_ahead


def solutions(board: Board, tally: Tally) -> Placements:
    last, columns = len(board.open_rows), board.begin()
    walk = Walk(board, False, GIVEN, 0)
    look, _ = look_ahead(walk, tally, "fc", keep_all, False)

    def queens(level: int, discrepancies: int) -> Placements:
        tally.node(level)
        if level == last:
            tally.solution()
            yield tuple(columns)
            return
        row, free = find_first(walk), walk.free
        for rank, column in enumerate(leave_most(walk, row)):
            left = discrepancies - (rank > 0)
            if not 0 <= left < last - level:
                continue
            tally.test(row, column)
            if look(row, column, level) is None:
                columns[row] = column
                yield from queens(level + 1, left)
            walk.free = free
        tally.exhausted(level)

    for wave in range(last + 1):
        walk.begin(inf)
        yield from queens(0, wave)


ALGORITHM = Search(
    name="limited_discrepancy", order=46, origin="Harvey and Ginsberg, Limited discrepancy search",
    year=1995, technique="waves of one more departure from the least constraining squares",
    keeps_marks=True, tree=Tree.NONE, counters=counted("checks", "revisions", "removals"),
    search=solutions)
