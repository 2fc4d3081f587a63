"""An n x n matrix of 0 and 1, searched by recursion.

Source: "Backtracking for the eight queens" (blog, undated), first listing, C++. A queen is placed
on the board before its square is checked.
"""

from nqbench.problems.queens._printing import numbered_matrices
from nqbench.problems.queens.base import Placements, Search, Tally

Board = list[list[int]]


def check(board: Board, row: int, column: int, tally: Tally) -> bool:
    """Return whether the column and the two diagonals above the square are free."""
    tally.test(row, column)
    if row == 0:
        return True
    for i in range(row):
        tally.scans += 1
        tally.comparisons += 1
        if board[i][column] == 1:
            return False
    i, j = row - 1, column - 1
    while i >= 0 and j >= 0:
        tally.scans += 1
        tally.comparisons += 1
        if board[i][j] == 1:
            return False
        i, j = i - 1, j - 1
    i, j = row - 1, column + 1
    while i >= 0 and j < len(board):
        tally.scans += 1
        tally.comparisons += 1
        if board[i][j] == 1:
            return False
        i, j = i - 1, j + 1
    return True


def visits(n: int, tally: Tally) -> Placements:
    board = [[0] * n for _ in range(n)]

    def resolve(row: int) -> Placements:
        tally.node(row)
        if row == n:
            tally.solution()
            yield tuple(squares.index(1) for squares in board)
            return
        for j in range(n):
            board[row][j] = 1  # idea: a queen is set on the board itself
            if check(board, row, j, tally):
                yield from resolve(row + 1)
            board[row][j] = 0  # idea: and taken off it again
        tally.exhausted(row)

    return resolve(0)


ALGORITHM = Search(
    name="board_matrix", order=20, origin="Backtracking for the eight queens (blog), first listing",
    technique="matrix of squares, scan of column and two diagonals, recursion", search=visits,
    prints=numbered_matrices)
