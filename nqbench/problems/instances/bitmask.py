"""Row by row with bit masks: the taken columns and diagonals are kept as bits.

See `Board.diagonals` for the bits of the diagonals.
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, bits


def solutions(board: Board, tally: Tally) -> Placements:
    n, rows, free = board.n, board.open_rows, board.free
    columns = board.begin()

    def queens(level: int, taken: int, sums: int, differences: int) -> Placements:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return
        row = rows[level]
        for column in bits(free[row] & ~(taken | sums >> row | differences >> (n - row))):
            tally.test(row, column)
            columns[row] = column
            down, up = board.diagonals(row, column)
            yield from queens(level + 1, taken | 1 << column, sums | down, differences | up)
        tally.exhausted(level)

    return queens(0, 0, 0, 0)


ALGORITHM = Search(
    name="bitmask", order=20,
    origin="nqbench, after Richards, Backtracking algorithms in MCPL using bit patterns", year=2026,
    technique="bit masks of columns and diagonals, row by row", keeps_marks=True, search=solutions)
