"""One array and one loop in two modes.

Source: D. Osovlanski and B. Nissenbaum, 1990 (best small program of the International Obfuscated C
Code Contest, www.ioccc.org/1990/baruch), quoted in Deng Junhui's lecture "Probe and backtrack:
eight queens", where the copy is damaged: `nqbench show one_loop` says how.

a[i] is the column of row i. In a search, j runs over the rows above i, one in each step. The queen
of row i is compared with the queen of row j: it must be on the board, in another column and on
other diagonals. j reaches i when all rows above are passed. When all rows have a queen, the loop
prints the placement; here it yields it. It ends when a[0] has run out of columns.
"""

from nqbench.problems.queens._printing import chequered_boards
from nqbench.problems.queens.base import MEMORY, Placements, Search, Tally


def visits(n: int, tally: Tally) -> Placements:
    a = [0] * (n + 1)
    i = j = 0
    tally.node(0)
    if n == 0:
        tally.solution()
        yield ()
        return
    while a[0] != n:
        if i == n:  # printing
            tally.solution()
            yield tuple(a[:n])
            i -= 1
            a[i] += 1
            continue
        v = a[j] - a[i]
        if a[i] < n and j == 0:
            tally.test(i, a[i])
        tally.scans += a[i] < n and j < i
        tally.comparisons += 1 if a[i] >= n else 2 if not v else 3 if v == i - j else 4
        if a[i] < n and v and v != i - j and v != j - i:  # idea: one comparison a step
            j += 1
            continue
        if i == j:
            i += 1
            a[i] = 0
            tally.node(i)
        else:
            a[i] += 1
            if a[i] >= n:
                tally.exhausted(i)
                i -= 1
                a[i] += 1
        j = 0


ALGORITHM = Search(
    name="one_loop", order=40,
    origin="Osovlanski and Nissenbaum, quoted by Deng Junhui, Probe and backtrack", year=1990,
    technique="array of columns in one loop, one comparison of rows in each step", search=visits,
    prints=chequered_boards, largest_n=MEMORY)
