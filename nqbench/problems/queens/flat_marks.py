"""Columns and both diagonals as marks in one array.

Source: Andor, 2002, a C program of four lines for n = 8, quoted in Deng Junhui's lecture "Probe and
backtrack: eight queens". There the array has 39 entries: columns j at 1 .. 8, sums at j + i + 7,
differences at j - i + 31. In general the offsets are n-1 and 4n-1 and the array has 5n-1 entries.
Rows i and columns j are counted from 1; each row tries its columns from n down to 1. The three
marks are combined by a bitwise or, so all three are always read.
"""

from nqbench.problems.queens._printing import rows_by_column
from nqbench.problems.queens.base import Placements, Search, Tally


def visits(n: int, tally: Tally) -> Placements:
    a = [0] * (5 * n - 1)
    sums, differences = n - 1, 4 * n - 1

    def place(i: int) -> Placements:
        tally.node(i - 1)
        if i > n:
            tally.solution()
            yield tuple(a.index(row, 1, n + 1) - 1 for row in range(1, n + 1))
            return
        for j in range(n, 0, -1):
            tally.test(i - 1, j - 1)
            tally.scans += 1
            tally.comparisons += 3
            if not a[j] | a[j + i + sums] | a[j - i + differences]:  # idea: three marks, no scan
                a[j] = a[j + i + sums] = a[j - i + differences] = i
                yield from place(i + 1)
                a[j] = a[j + i + sums] = a[j - i + differences] = 0
        tally.exhausted(i - 1)

    return place(1)


ALGORITHM = Search(
    name="flat_marks", order=50,
    origin="Andor, quoted by Deng Junhui, Probe and backtrack: eight queens", year=2002,
    technique="marks for columns and diagonals in one array, recursion", keeps_marks=True,
    search=visits, prints=rows_by_column)
