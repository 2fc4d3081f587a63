"""Recursion over the rows with place(t).

Source: "The n-queens problem and its optimisations" (blog, undated), part 1, C++.
Rows t and columns i are counted from 1; a[0] is never used.
"""

from nqbench.problems.queens._printing import count_line
from nqbench.problems.queens.base import Placements, Search, Tally


def place(a: list[int], t: int, tally: Tally) -> bool:
    """Return whether no queen above attacks the queen of row t, in column a[t]."""
    tally.test(t - 1, a[t] - 1)
    for i in range(1, t):
        tally.scans += 1
        tally.comparisons += 1 if a[i] == a[t] else 2
        if a[i] == a[t] or abs(i - t) == abs(a[i] - a[t]):
            return False
    return True


def visits(n: int, tally: Tally) -> Placements:
    a = [0] * (n + 1)

    def queens(t: int) -> Placements:
        tally.node(t - 1)
        if t > n:
            tally.solution()
            yield tuple(column - 1 for column in a[1:])
            return
        for i in range(1, n + 1):
            a[t] = i
            if place(a, t, tally):
                yield from queens(t + 1)  # idea: the call stack remembers the way back
        tally.exhausted(t - 1)

    return queens(1)


ALGORITHM = Search(
    name="recursive", order=100, origin="The n-queens problem and its optimisations (blog), part 1",
    technique="array of columns, scan of earlier rows, recursion", search=visits, prints=count_line)
