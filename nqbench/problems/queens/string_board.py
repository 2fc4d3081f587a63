"""The board as a list of strings, searched by recursion.

Source: "Backtracking, part 5: board problems" (blog, undated), C++ listing, an answer to LeetCode
problem 51. A row is a string of `Q` and `.`; a queen is placed after its square was found to be
valid.
"""

from nqbench.problems.queens._printing import leetcode_list
from nqbench.problems.queens.base import Placements, Search, Tally


def is_valid(row: int, col: int, chessboard: list[str], tally: Tally) -> bool:
    """Return whether there is no queen in the column and on the two diagonals above the square."""
    tally.test(row, col)
    for i in range(row):
        tally.scans += 1
        tally.comparisons += 1
        if chessboard[i][col] == "Q":
            return False
    i, j = row - 1, col - 1
    while i >= 0 and j >= 0:
        tally.scans += 1
        tally.comparisons += 1
        if chessboard[i][j] == "Q":
            return False
        i, j = i - 1, j - 1
    i, j = row - 1, col + 1
    while i >= 0 and j < len(chessboard):
        tally.scans += 1
        tally.comparisons += 1
        if chessboard[i][j] == "Q":
            return False
        i, j = i - 1, j + 1
    return True


def visits(n: int, tally: Tally) -> Placements:
    empty = "." * n
    chessboard = [empty] * n

    def backtracking(row: int) -> Placements:
        tally.node(row)
        if row == n:
            tally.solution()
            yield tuple(squares.index("Q") for squares in chessboard)
            return
        for col in range(n):
            if is_valid(row, col, chessboard, tally):
                chessboard[row] = empty[:col] + "Q" + empty[col + 1:]  # idea: a row is a text
                yield from backtracking(row + 1)
                chessboard[row] = empty
        tally.exhausted(row)

    return backtracking(0)


ALGORITHM = Search(
    name="string_board", order=150,
    origin="Backtracking, part 5: board problems (blog), C++ listing",
    technique="rows as strings, scan of column and two diagonals, recursion", search=visits,
    prints=leetcode_list)
