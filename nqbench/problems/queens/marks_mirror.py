"""Mark arrays, and the mirror: half of the first row, and twice the count.

Source: "The n-queens problem and its optimisations" (blog, undated), part 2, C++, after the book
"Algorithm Competition Canon". Rows x and columns i are counted from 1. For odd n, a first queen in
the middle is its own image; then the second queen stays in the left half.
"""

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import Placements, Search, Tally, Tree


def visits(n: int, tally: Tally) -> Placements:
    a = [0] * (n + 1)
    columns = [False] * (n + 1)
    sums = [False] * (2 * n + 1)
    differences = [False] * (2 * n)

    def mark(x: int, i: int, taken: bool) -> None:
        columns[i] = sums[x + i] = differences[x - i + n] = taken

    def queens(x: int, last: int) -> Placements:
        """Fill the rows from x on; row x tries its columns up to `last`."""
        tally.node(x - 1)
        if x > n:
            tally.solution()
            yield tuple(column - 1 for column in a[1:])
            return
        for i in range(1, last + 1):
            tally.test(x - 1, i - 1)
            tally.comparisons += 1 if columns[i] else 2 if sums[x + i] else 3
            if not columns[i] and not sums[x + i] and not differences[x - i + n]:  # idea: 3 marks
                a[x] = i
                mark(x, i, True)
                if n % 2 != 0 and x == 1 and i == (n + 1) // 2:
                    yield from queens(2, (n + 1) // 2 - 1)
                else:
                    yield from queens(x + 1, n)
                mark(x, i, False)
        tally.exhausted(x - 1)

    return queens(1, (n + 1) // 2)  # idea: the mirror gives the other half


ALGORITHM = Search(
    name="marks_mirror", order=110,
    origin="The n-queens problem and its optimisations (blog), part 2",
    technique="marks for columns and diagonals, recursion",
    worst_case="about half of the plain tree", keeps_marks=True, search=visits, prints=count_line,
    symmetry="mirror", uses_symmetry=True, mirrors=True, tree=Tree.OWN)
