from itertools import permutations


class Solution:
    def totalNQueens(self, n):  # noqa: N802
        return len(self.solveNQueens(n))

    def solveNQueens(self, n):  # noqa: N802
        return [["." * c + "Q" + "." * (n - c - 1) for c in p] for p in permutations(range(n))
                if len({c + r for r, c in enumerate(p)}) == n
                and len({c - r for r, c in enumerate(p)}) == n]


class Queens:
    def __init__(self, n):
        self.n = n

    def solve(self):
        return Solution().totalNQueens(self.n)
