"""Forward checking: a queen is placed only if every row below keeps a free square.

The free squares of all rows are always known. A queen removes from each row below the column and
the two diagonals that it attacks. If this leaves a row without a free square, the queen is not
placed, although no queen attacks it. So the search detects a dead end before it enters it. Here
scans are the rows below that are looked at, and comparisons are their tests for emptiness.

Haralick and Elliott, Increasing tree search efficiency for constraint satisfaction
problems, Artificial Intelligence 14 (1980), who introduced it on the n queens.
"""

from nqbench.problems.queens.base import Placements, Search, Tally, Tree


def visits(n: int, tally: Tally) -> Placements:
    free = [(1 << n) - 1] * n  # by row: the columns that no queen attacks
    columns = [0] * n

    def queens(row: int) -> Placements:
        tally.node(row)
        if row == n:
            tally.solution()
            yield tuple(columns)
            return
        candidates = free[row]
        while candidates:
            bit = candidates & -candidates
            candidates -= bit
            tally.test(row, bit.bit_length() - 1)
            kept = free[row + 1:]
            for below in range(row + 1, n):
                distance = below - row
                free[below] &= ~(bit | bit << distance | bit >> distance)  # idea: look ahead
                tally.scans += 1
                tally.comparisons += 1
                if not free[below]:  # idea: a row without a square: not this queen
                    tally.refused(row, "wiped_out")
                    break
            else:
                columns[row] = bit.bit_length() - 1
                yield from queens(row + 1)
            free[row + 1:] = kept
        tally.exhausted(row)

    return queens(0)


ALGORITHM = Search(
    name="forward_checking", order=230,
    origin="Haralick and Elliott, Increasing tree search efficiency", year=1980,
    technique="bit masks of the free squares of every row below, recursion",
    worst_case="no more nodes than the plain tree; each test looks at up to n rows below",
    keeps_marks=True, search=visits, tree=Tree.OWN)
