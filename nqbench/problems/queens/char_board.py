"""The board as rows of characters, scanned in every direction.

Source: "Backtracking, part 5: board problems" (blog, undated), C listing, an answer to LeetCode
problem 51. The test reads the whole row and the whole column, then all four half diagonals, even
below the row, where there can be no queen yet.
"""

from nqbench.problems.queens._printing import leetcode_list
from nqbench.problems.queens.base import Placements, Search, Tally


def is_valid(path: list[list[str]], x: int, y: int, n: int, tally: Tally) -> bool:
    """Return whether no queen stands in row y, column x or on a diagonal of that square."""
    tally.test(y, x)
    for i in range(n):
        tally.scans += 1
        tally.comparisons += 1 if path[y][i] == "Q" else 2
        if path[y][i] == "Q" or path[i][x] == "Q":
            return False
    for down, right in ((-1, -1), (1, 1), (-1, 1), (1, -1)):  # idea: look in every direction
        i, j = y + down, x + right
        while 0 <= i < n and 0 <= j < n:
            tally.scans += 1
            tally.comparisons += 1
            if path[i][j] == "Q":
                return False
            i, j = i + down, j + right
    return True


def visits(n: int, tally: Tally) -> Placements:
    path = [["."] * n for _ in range(n)]

    def backtracking(depth: int) -> Placements:
        tally.node(depth)
        if depth == n:
            tally.solution()
            yield tuple(squares.index("Q") for squares in path)
            return
        for i in range(n):
            if is_valid(path, i, depth, n, tally):
                path[depth][i] = "Q"
                yield from backtracking(depth + 1)
                path[depth][i] = "."
        tally.exhausted(depth)

    return backtracking(0)


ALGORITHM = Search(
    name="char_board", order=160, origin="Backtracking, part 5: board problems (blog), C listing",
    technique="matrix of characters, scan of row, column and four diagonals, recursion",
    search=visits, prints=leetcode_list)
