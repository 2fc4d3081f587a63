"""Row by row: each square of a row is tested against the queens that the search has placed.

Here scans are the queens against which a square is tested. The squares that the placed queens
attack are known from the start.
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally


def solutions(board: Board, tally: Tally) -> Placements:
    rows = board.open_rows
    columns = board.begin()

    def queens(level: int) -> Placements:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return
        row = rows[level]
        for column in range(board.n):
            tally.test(row, column)
            if board.free[row] >> column & 1:
                for other in rows[:level]:
                    tally.scans += 1
                    if board.attacked(other, columns[other], row) >> column & 1:
                        break
                else:
                    columns[row] = column
                    yield from queens(level + 1)
        tally.exhausted(level)

    return queens(0)


ALGORITHM = Search(
    name="row_by_row", order=10, origin="nqbench, after the recursive search", year=2026,
    technique="each square against the placed queens, row by row", search=solutions)
