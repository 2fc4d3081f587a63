"""An explicit array, place(x, k), and one step back by k -= 1.

Source: Zhou Shiping (ed.), "C Programming", section 8.6.1, example 8.12.
Rows and columns are counted from 1, as there; x[0] is never used.
"""

from nqbench.problems.queens._printing import starred_boards
from nqbench.problems.queens.base import MEMORY, Placements, Search, Tally


def place(x: list[int], k: int, tally: Tally) -> bool:
    """Return whether no queen above attacks the queen of row k, in column x[k]."""
    tally.test(k - 1, x[k] - 1)
    for i in range(1, k):
        tally.scans += 1
        tally.comparisons += 1 if x[i] == x[k] else 2
        if x[i] == x[k] or abs(x[i] - x[k]) == abs(i - k):
            return False
    return True


def visits(n: int, tally: Tally) -> Placements:
    x = [0] * (n + 1)
    tally.node(0)
    if n == 0:
        tally.solution()
        yield ()
        return
    k = 1
    while k > 0:
        x[k] += 1
        while x[k] <= n and not place(x, k, tally):
            x[k] += 1
        if x[k] > n:
            tally.exhausted(k - 1)
            k -= 1  # idea: one row back, whose queen moves on
            continue
        tally.node(k)
        if k == n:
            tally.solution()
            yield tuple(column - 1 for column in x[1:])
        else:
            k += 1
            x[k] = 0


ALGORITHM = Search(
    name="iterative", order=10, origin="Zhou Shiping (ed.), C Programming, example 8.12",
    technique="array of columns, scan of earlier rows, explicit backtracking", search=visits,
    prints=starred_boards, largest_n=MEMORY)
