"""Pauls' construction: write down a solution without a search, for any n >= 4 (and for 0 and 1,
where there is nothing to choose).

Rows and columns from 1; m = n for even n. If n mod 6 is not 2, the queens stand in two knight's
walks, at (i, 2i) and (m/2 + i, 2i - 1) for i = 1 .. m/2. If n mod 6 is not 0, they stand at (i, 1 +
(2i + m/2 - 3 mod m)) and, turned by half, at (m + 1 - i, m - (2i + m/2 - 3 mod m)). At least one of
the two conditions always holds, and both placements leave the main diagonal free. So an odd n takes
the solution for m = n - 1 and one more queen at (n, n).

E. Pauls, Das Maximalproblem der Damen auf dem Schachbrete, Deutsche Schachzeitung 29 (1874);
as given by Bell and Stevens, A survey of known results and research areas for n-queens,
Discrete Mathematics 309 (2009).
"""

from nqbench.problems.queens.base import MEMORY, ONE, Placements, Search, Tally, Tree


def construct(m: int) -> list[int]:
    """Return the columns, from 0, of a solution for even m >= 4, or for m = 0."""
    if m % 6 != 2:
        return [*range(1, m, 2), *range(0, m, 2)]  # idea: two knight's walks
    half = [(2 * i + m // 2 - 3) % m for i in range(1, m // 2 + 1)]
    return half + [m - 1 - column for column in reversed(half)]


def visits(n: int, tally: Tally) -> Placements:
    tally.node(0)
    if n not in (2, 3):
        columns = tuple(construct(n - n % 2) + [n - 1] * (n % 2))
        tally.solution()
        yield columns


ALGORITHM = Search(
    name="explicit", order=300, origin="Pauls, Das Maximalproblem der Damen auf dem Schachbrete",
    year=1874, technique="written down, no search", worst_case="n steps", search=visits, finds=ONE,
    tree=Tree.NONE, largest_n=10 * MEMORY)
