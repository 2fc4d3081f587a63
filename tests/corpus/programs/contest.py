# As handed in where List is imported for everyone.
# ruff: noqa: F821, N802
class Solution:
    def solveNQueens(self, n: int) -> List[List[str]]:
        boards: List[List[str]] = []

        def place(columns: List[int]) -> None:
            if len(columns) == n:
                boards.append(["." * c + "Q" + "." * (n - c - 1) for c in columns])
            for c in range(n * (len(columns) < n)):
                if all(c != d and abs(c - d) != len(columns) - r for r, d in enumerate(columns)):
                    place([*columns, c])

        place([])
        return boards
