"""Dynamic backtracking: a dead end takes away the deepest queen to blame, and leaves those placed
after it where they are.

It keeps for each refuted square a mask of the rows whose queens refute it; a queen that is taken
away ends what it refuted. So it needs no more room than all squares times all rows, and it searches
no tree: a node is a placement after one more queen, and its level the number of its queens. Scans
are the queens against which a square is tested.

Ginsberg, Dynamic backtracking, Journal of Artificial Intelligence Research 1 (1993).
"""

from functools import reduce
from operator import or_

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, bits, counted


def solutions(board: Board, tally: Tally) -> Placements:
    columns = board.begin()
    placed: list[int] = []  # rows in the order of their queens
    refuted: dict[int, dict[int, int]] = {row: {} for row in board.open_rows}

    def fits(row: int, column: int) -> bool:
        tally.test(row, column)
        for above in placed:
            tally.scans += 1
            if board.attacked(above, columns[above], row) >> column & 1:
                refuted[row][column] = 1 << above
                return False
        return True

    tally.node(0)
    while True:
        row = next((each for each in board.open_rows if each not in placed), None)
        if row is None:
            tally.solution()
            yield tuple(columns)
            blame = sum(1 << each for each in placed)  # the next solution may differ in any queen
        else:
            column = next((each for each in bits(board.free[row])
                           if each not in refuted[row] and fits(row, each)), None)
            if column is not None:
                columns[row] = column
                placed.append(row)
                tally.node(len(placed))
                continue
            tally.exhausted(len(placed))
            blame = reduce(or_, refuted[row].values(), 0)
        if not blame:
            return
        place = max(k for k, each in enumerate(placed) if blame >> each & 1)
        tally.jumps += place < len(placed) - 1
        tally.jumped += len(placed) - 1 - place
        last = placed.pop(place)
        for squares in refuted.values():
            for column in [each for each, rows in squares.items() if rows >> last & 1]:
                del squares[column]
        refuted[last][columns[last]] = blame ^ 1 << last
        tally.nogoods += 1


ALGORITHM = Search(
    name="dynamic_backtracking", order=16, origin="Ginsberg, Dynamic backtracking", year=1993,
    technique="the queen to blame leaves, those placed after it stay", tree=Tree.NONE,
    counters=counted("jumps", "jumped", "nogoods"), search=solutions)
