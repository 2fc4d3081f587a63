"""Dancing links: the queens as an exact cover.

Rows and columns are primary items, each to be covered by exactly one queen; diagonals are
secondary, covered by one at most. An option is a square with its four lines. See
`nqbench.search.exact_cover`, which solves it.

Knuth, Dancing links (2000), who uses the queens as an example.
"""

from dataclasses import replace

from nqbench.problems.queens.base import Placements, Search, Tally, Tree
from nqbench.search.exact_cover import UPDATES, covers


def options(n: int) -> list[tuple[tuple[int, int], list[int]]]:
    """Return the squares, each with its row, column, sum and difference as items.

    >>> options(2)[1]
    ((0, 1), [1, 4, 6, 10])
    """
    return [((r, c), [1 + r, 1 + n + c, 1 + 2 * n + r + c, 1 + 4 * n - 1 + c - r + n - 1])
            for r in range(n) for c in range(n)]  # idea: a queen covers a row and a column


def visits(n: int, tally: Tally) -> Placements:
    for squares in covers(range(1, 2 * n + 1), options(n), tally):
        yield tuple(column for _, column in sorted(squares))


def from_the_middle(n: int, tally: Tally) -> Placements:
    """Yield the solutions as Knuth counts them: items from the middle, rows and columns in turns,
    and no diagonals of one square.
    """
    outwards = sorted(range(1, n + 1), key=lambda row: (abs(2 * row - n - 1), -row))
    alone = {1 + 2 * n, 4 * n - 1, 4 * n, 6 * n - 2}
    for squares in covers([item for row in outwards for item in (row, n + row)], [
            (square, [line for line in lines if line not in alone])
            for square, lines in options(n)], tally):
        yield tuple(column for _, column in sorted(squares))


ALGORITHM = Search(
    name="dancing_links", order=260, origin="Knuth, Dancing links", year=2000,
    technique="exact cover with linked lists, item with the fewest options next",
    worst_case="fewer than 2.72 n! nodes; each choice removes up to 4n options from the lists",
    search=visits, tree=Tree.OWN, counters=UPDATES)
# Of the table that he published: nqbench.problems.queens.dancing_links::knuth_2000.
KNUTH = replace(ALGORITHM, name="knuth_2000", search=from_the_middle,
                technique="exact cover with linked lists, items from the middle")
