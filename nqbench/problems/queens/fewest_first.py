"""Fewest first: always fill the row that has the fewest free squares left.

A row without a free square ends the branch at once, a row with one forces its queen, and fewer
candidates near the root make the tree smaller. If several rows have the fewest, the topmost of them
is taken. Here scans are the rows looked at in choosing, and comparisons compare their numbers of
free squares with the fewest so far.

Golomb and Baumert, Backtrack programming, Journal of the ACM 12 (1965).

Notation: bit c of a mask is column c; bit r + c of `sums` and bit c - r + n-1 of
`differences` are the diagonals of the square in row r and column c.
"""

from nqbench.problems.queens.base import Placements, Search, Tally, Tree


def visits(n: int, tally: Tally) -> Placements:
    full = (1 << n) - 1
    columns = [-1] * n

    def queens(level: int, taken: int, sums: int, differences: int) -> Placements:
        tally.node(level)
        if level == n:
            tally.solution()
            yield tuple(columns)
            return
        row, candidates, fewest = 0, 0, n + 1
        for r in range(n):
            if columns[r] < 0:
                free = full & ~(taken | sums >> r | differences >> (n - 1 - r))
                tally.scans += 1
                tally.comparisons += 1
                if free.bit_count() < fewest:  # idea: the row with the fewest free squares
                    row, candidates, fewest = r, free, free.bit_count()
                    if not free:
                        break
        while candidates:
            bit = candidates & -candidates
            candidates -= bit
            tally.test(row, bit.bit_length() - 1)
            columns[row] = bit.bit_length() - 1
            yield from queens(level + 1, taken | bit, sums | bit << row,
                              differences | bit << (n - 1 - row))
        columns[row] = -1
        tally.exhausted(level)

    return queens(0, 0, 0, 0)


ALGORITHM = Search(
    name="fewest_first", order=240, origin="Golomb and Baumert, Backtrack programming", year=1965,
    technique="row with the fewest free squares next, bit masks, recursion",
    worst_case="fewer than 2.72 n! nodes; each looks at up to n rows", keeps_marks=True,
    search=visits, tree=Tree.OWN)
