"""Forward checking: a queen is placed only if every open row below keeps a free square.

Here scans are the rows below that are looked at, and comparisons are their tests for emptiness.

Haralick and Elliott, Increasing tree search efficiency for constraint satisfaction problems,
Artificial Intelligence 14 (1980).
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, bits


def solutions(board: Board, tally: Tally) -> Placements:
    rows = board.open_rows
    free = list(board.free)
    columns = board.begin()

    def queens(level: int) -> Placements:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return
        row, below = rows[level], rows[level + 1:]
        kept = free[:]
        for column in bits(free[row]):
            tally.test(row, column)
            for other in below:
                free[other] &= ~board.attacked(row, column, other)
                tally.scans += 1
                tally.comparisons += 1
                if not free[other]:
                    break
            else:
                columns[row] = column
                yield from queens(level + 1)
            free[:] = kept
        tally.exhausted(level)

    return queens(0)


ALGORITHM = Search(
    name="forward_checking", order=30,
    origin="Haralick and Elliott, Increasing tree search efficiency", year=1980,
    technique="free squares of every row below, row by row", keeps_marks=True, tree=Tree.OWN,
    search=solutions)
