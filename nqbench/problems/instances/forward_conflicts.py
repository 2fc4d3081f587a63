"""Forward checking with conflict-directed backjumping: a queen is placed only if every open row
below keeps a free square, and a row goes back to the deepest queen that has taken squares from the
rows which failed.

It keeps the free squares of each row below, and a mask of the levels that have taken some of them;
both are copied for each queen. Scans are the rows below that are looked at, comparisons their tests
for emptiness.

Prosser, Hybrid algorithms for the constraint satisfaction problem, Computational Intelligence 9
(1993), as FC-CBJ.
"""

from nqbench.problems.instances.base import Blamed, Board, Search, Tally, Tree, bits, counted


def solutions(board: Board, tally: Tally) -> Blamed:
    rows = board.open_rows
    columns = board.begin()

    def queens(level: int, free: list[int], takers: list[int]) -> Blamed:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return (1 << level) - 1  # the next solution may differ in any queen
        row, below = rows[level], rows[level + 1:]
        blame = takers[row]
        for column in bits(free[row]):
            tally.test(row, column)
            left, taken = free[:], takers[:]
            for other in below:
                tally.scans += 1
                tally.comparisons += 1
                lost = left[other] & board.attacked(row, column, other)
                if lost:
                    tally.removals += lost.bit_count()
                    left[other] ^= lost
                    taken[other] |= 1 << level
                if not left[other]:
                    blame |= taken[other]
                    break
            else:
                columns[row] = column
                deeper = yield from queens(level + 1, left, taken)
                if not deeper >> level & 1:
                    return deeper
                blame |= deeper
        tally.exhausted(level)
        blame &= ~(1 << level)
        tally.jumps += blame.bit_length() < level
        tally.jumped += level - blame.bit_length()
        return blame

    return queens(0, [*board.free], [0] * board.n)


ALGORITHM = Search(
    name="forward_conflicts", order=32, origin="Prosser, Hybrid algorithms", year=1993,
    technique="free squares of every row below, and back to the queens that took them",
    keeps_marks=True, tree=Tree.OWN, counters=counted("jumps", "jumped", "removals"),
    search=solutions)
