"""Backjumping: a row without a free square goes back to the deepest queen that attacks one of its
squares first; any other row goes back one level.

It keeps, of each row, the deepest of the queens that were the first to attack a square. The queens
between that one and the row have no part in the dead end. Scans are the queens against which a
square is tested.

Gaschnig, Performance measurement and analysis of certain search algorithms, thesis, Carnegie-Mellon
University (1979); first in his report of 1977.
"""

from nqbench.problems.instances.base import Blamed, Board, Search, Tally, Tree, bits, counted


def solutions(board: Board, tally: Tally) -> Blamed:
    rows = board.open_rows
    columns = board.begin()

    def queens(level: int) -> Blamed:  # returns the queen to move next, as a bit of its level
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return 1 << level >> 1
        row, deepest = rows[level], 0
        for column in bits(board.free[row]):
            tally.test(row, column)
            for above in range(level):
                tally.scans += 1
                if board.attacked(rows[above], columns[rows[above]], row) >> column & 1:
                    deepest = max(deepest, 1 << above)
                    break
            else:
                columns[row] = column
                moved = yield from queens(level + 1)
                if moved < 1 << level:
                    return moved
                deepest = 1 << level >> 1
        tally.exhausted(level)
        tally.jumps += deepest.bit_length() < level
        tally.jumped += level - deepest.bit_length()
        return deepest

    return queens(0)


ALGORITHM = Search(
    name="backjumping", order=12, origin="Gaschnig, Performance measurement and analysis",
    year=1977, technique="from a row without a free square back to the deepest queen to blame",
    tree=Tree.OWN, counters=counted("jumps", "jumped"), search=solutions)
