"""Backmarking: the tree of plain backtracking, without the tests whose outcome is known.

It keeps for each square how many queens it was tested against last time (the last of them attacks
it, or none does), and for each row the highest queen that has moved since. A square that was
attacked by a queen that has not moved is not tested again, and queens that have not moved are
skipped. Scans are the queens against which a square is tested.

Gaschnig, A general backtrack algorithm that eliminates most redundant tests, IJCAI (1977).
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, bits


def solutions(board: Board, tally: Tally) -> Placements:
    rows, n = board.open_rows, board.n
    columns = board.begin()
    passed = [[0] * n for _ in rows]  # by level and column: the first queens that do not attack it
    moved = [0] * len(rows)  # by level: the first queen that has moved

    def queens(level: int) -> Placements:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return
        row, known = rows[level], passed[level]
        for column in bits(board.free[row]):
            tally.test(row, column)
            if known[column] < moved[level]:
                continue
            known[column] = level
            for above in range(moved[level], level):
                tally.scans += 1
                if board.attacked(rows[above], columns[rows[above]], row) >> column & 1:
                    known[column] = above
                    break
            else:
                columns[row] = column
                yield from queens(level + 1)
        tally.exhausted(level)
        back = max(level - 1, 0)
        moved[level] = back
        for below in range(level + 1, len(rows)):
            moved[below] = min(moved[below], back)

    return queens(0)


ALGORITHM = Search(
    name="backmarking", order=14, origin="Gaschnig, A general backtrack algorithm", year=1977,
    technique="each square against the queens that have moved since its last test",
    search=solutions)
