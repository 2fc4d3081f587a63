"""Graph-based backjumping: a row without a free square goes back to the deepest row above that can
attack it at all, and hands the others on as parents.

It looks only at the board: two rows are neighbours if a queen on a free square of one attacks a
free square of the other. Where all rows are neighbours, as on an empty board, it is plain
backtracking. It keeps a mask of levels for each row. Scans are the queens against which a square is
tested.

Dechter, Enhancement schemes for constraint processing, Artificial Intelligence 41 (1990).
"""

from nqbench.problems.instances.base import (
    Blamed,
    Board,
    Search,
    Tally,
    Tree,
    bits,
    counted,
    neighbours,
)


def solutions(board: Board, tally: Tally) -> Blamed:
    rows = board.open_rows
    columns = board.begin()
    parents = [sum(1 << above for above in range(level)
                   if neighbours(board, rows[above], rows[level])) for level in range(len(rows))]

    def queens(level: int) -> Blamed:  # returns the levels of the parents, as bits
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return (1 << level) - 1  # the next solution may differ in any queen
        row, blame = rows[level], parents[level]
        for column in bits(board.free[row]):
            tally.test(row, column)
            for above in range(level):
                tally.scans += 1
                if board.attacked(rows[above], columns[rows[above]], row) >> column & 1:
                    break
            else:
                columns[row] = column
                deeper = yield from queens(level + 1)
                if not deeper >> level & 1:
                    return deeper
                blame |= deeper ^ 1 << level
        tally.exhausted(level)
        tally.jumps += blame.bit_length() < level
        tally.jumped += level - blame.bit_length()
        return blame

    return queens(0)


ALGORITHM = Search(
    name="graph_backjumping", order=11, origin="Dechter, Enhancement schemes", year=1990,
    technique="from a row without a free square back to the deepest row that can attack it",
    tree=Tree.OWN, counters=counted("jumps", "jumped"), search=solutions)
