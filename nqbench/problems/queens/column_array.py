"""One array of columns, searched by recursion.

Source: "Backtracking for the eight queens" (blog, undated), second listing, C++.
The three conflicts are compared one after the other: column, difference, sum.
"""

from nqbench.problems.queens._printing import numbered_matrices
from nqbench.problems.queens.base import Placements, Search, Tally


def check(column: list[int], row: int, tally: Tally) -> bool:
    """Return whether no queen above attacks the queen of `row`."""
    tally.test(row, column[row])
    for i in range(row):
        tally.scans += 1
        tally.comparisons += (1 if column[i] == column[row]
                              else 2 if i - row == column[i] - column[row] else 3)
        if (column[i] == column[row]  # idea: a queen a row: one number says where it is
                or i - row == column[i] - column[row]
                or i + column[i] == row + column[row]):
            return False
    return True


def visits(n: int, tally: Tally) -> Placements:
    column = [0] * n

    def resolve(row: int) -> Placements:
        tally.node(row)
        if row == n:
            tally.solution()
            yield tuple(column)
            return
        for i in range(n):
            column[row] = i
            if check(column, row, tally):
                yield from resolve(row + 1)
        tally.exhausted(row)

    return resolve(0)


ALGORITHM = Search(
    name="column_array", order=30,
    origin="Backtracking for the eight queens (blog), second listing",
    technique="array of columns, scan of earlier rows, recursion", search=visits,
    prints=numbered_matrices)
