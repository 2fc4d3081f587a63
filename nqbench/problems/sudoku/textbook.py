"""Cell by cell in reading order; each digit is tested against row, column and box.

Source: "Backtracking, part 5: board problems" (blog, undated), C listing, an answer to LeetCode
problem 37. Every call looks for the first empty cell from the top again. The listing stops at the
first solution; this search continues if more are wanted.
"""

from nqbench.problems.sudoku.base import PuzzleTally, Search, Solutions
from nqbench.problems.sudoku.grid import Digits


def is_valid(board: list[list[int]], row: int, col: int, k: int, tally: PuzzleTally) -> bool:
    """Return whether no cell of column, row and box holds k."""
    tally.test(row, col, k)
    for i in range(9):
        tally.scans += 1
        tally.comparisons += 1
        if board[i][col] == k:
            return False
    for j in range(9):
        tally.scans += 1
        tally.comparisons += 1
        if board[row][j] == k:
            return False
    for i in range(row // 3 * 3, row // 3 * 3 + 3):
        for j in range(col // 3 * 3, col // 3 * 3 + 3):
            tally.scans += 1
            tally.comparisons += 1
            if board[i][j] == k:
                return False
    return True


def solutions(givens: Digits, tally: PuzzleTally) -> Solutions:
    board = [list(givens[9 * row:9 * row + 9]) for row in range(9)]

    def backtracking(level: int) -> Solutions:
        tally.node(level)
        for i in range(9):
            for j in range(9):
                if board[i][j] != 0:
                    continue
                for k in range(1, 10):
                    if is_valid(board, i, j, k, tally):
                        tally.guess()
                        board[i][j] = k
                        yield from backtracking(level + 1)
                        board[i][j] = 0
                tally.exhausted(level)
                return
        tally.solution()
        yield tuple(digit for row in board for digit in row)

    return backtracking(0)


ALGORITHM = Search(
    name="textbook", order=10, origin="Backtracking, part 5: board problems (blog), C listing",
    year=None, technique="cells in reading order, digits from 1 to 9, scan of column, row and box",
    search=solutions)
