"""Fewest first among rows and columns together: always fill the line, row or column, that
has the fewest free squares left.

Every row and every column needs a queen. So a column without a free square is a dead end, like a
row, and a column with one forces its queen, too. If several lines have the fewest, the first row is
taken, then the first column. Here scans are the lines looked at in choosing, and comparisons
compare their numbers of free squares with the fewest so far.

Notation: bit c of `columns` and bit r of `rows` are lines that have a queen. For the square
in row r and column c, bit r + c of `sums` and bit c - r + n-1 of `differences` are its
diagonals, and bit r - c + n-1 of `mirrored` is the difference again, as a column sees it.
"""

from nqbench.problems.queens.base import Placements, Search, Tally, Tree


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1
    queen = [-1] * n  # by row: its column

    def queens(level: int, rows: int, columns: int, sums: int, differences: int,
               mirrored: int) -> Placements:
        tally.node(level)
        if level == n:
            tally.solution()
            yield tuple(queen)
            return
        line, candidates, fewest = 0, 0, n + 1
        for x in range(2 * n):  # idea: the rows, then the columns
            at = x % n
            if not (rows, columns)[x // n] >> at & 1:
                free = full & ~(
                    columns | sums >> at | differences >> (n - 1 - at) if x < n else
                    rows | sums >> at | mirrored >> (n - 1 - at))
                tally.scans += 1
                tally.comparisons += 1
                if free.bit_count() < fewest:  # idea: the line with the fewest free squares
                    line, candidates, fewest = x, free, free.bit_count()
                    if not free:
                        break
        while candidates:
            bit = candidates & -candidates
            candidates -= bit
            r, c = line, bit.bit_length() - 1
            if line >= n:
                r, c = c, line - n
            tally.test(r, c)
            queen[r] = c
            yield from queens(level + 1, rows | 1 << r, columns | 1 << c, sums | 1 << (r + c),
                              differences | 1 << (c - r + n - 1), mirrored | 1 << (r - c + n - 1))
        tally.exhausted(level)

    return queens(0, 0, 0, 0, 0, 0)


ALGORITHM = Search(
    name="fewest_lines", order=250,
    origin="nqbench, after Golomb and Baumert, Backtrack programming", year=2026,
    technique="row or column with the fewest free squares next, bit masks, recursion",
    worst_case="fewer than 2.72 n! nodes; each looks at up to 2n rows and columns",
    keeps_marks=True, search=visits, tree=Tree.OWN)
