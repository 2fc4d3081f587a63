"""Conflict-directed backjumping: every row goes back to the deepest queen that has a part in its
dead end, and hands the others on as its conflict set.

It keeps a mask of levels for each row: the first queen that attacks each of its squares, and the
conflict sets of the rows below that came back to it. Scans are the queens against which a square is
tested.

Prosser, Hybrid algorithms for the constraint satisfaction problem, Computational Intelligence 9
(1993).
"""

from nqbench.problems.instances.base import Blamed, Board, Search, Tally, Tree, bits, counted


def solutions(board: Board, tally: Tally) -> Blamed:
    rows = board.open_rows
    columns = board.begin()

    def queens(level: int) -> Blamed:  # returns the levels of the conflict set, as bits
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return (1 << level) - 1  # the next solution may differ in any queen
        row, blame = rows[level], 0
        for column in bits(board.free[row]):
            tally.test(row, column)
            for above in range(level):
                tally.scans += 1
                if board.attacked(rows[above], columns[rows[above]], row) >> column & 1:
                    blame |= 1 << above
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
    name="conflict_backjumping", order=13, origin="Prosser, Hybrid algorithms", year=1993,
    technique="from every row back to the deepest queen of its conflict set", tree=Tree.OWN,
    counters=counted("jumps", "jumped"), search=solutions)
