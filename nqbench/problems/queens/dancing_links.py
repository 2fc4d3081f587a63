"""Dancing links: the queens as an exact cover.

Rows and columns are primary items, each to be covered by exactly one queen; diagonals are
secondary, covered by one at most. An option is a square with its four lines. See
`nqbench.search.exact_cover`, which solves it.

Knuth, Dancing links (2000), who uses the queens as an example.
"""

from nqbench.errors import InvalidValueError
from nqbench.problems.queens.base import Placements, Search, Tally, Tree
from nqbench.search.exact_cover import UPDATES, covers


def options(n: int) -> list[tuple[tuple[int, int], list[int]]]:
    """Return the squares, each with its row, column, sum and difference as items.

    >>> options(2)[1]
    ((0, 1), [1, 4, 6, 10])
    """
    return [((r, c), [1 + r, 1 + n + c, 1 + 2 * n + r + c, 1 + 4 * n - 1 + c - r + n - 1])
            for r in range(n) for c in range(n)]  # idea: a queen covers a row and a column


def from_the_middle(n: int) -> list[int]:
    """Return the rows and columns as items, in turns and from the middle.

    >>> from_the_middle(4)
    [3, 7, 2, 6, 4, 8, 1, 5]
    """
    outwards = sorted(range(1, n + 1), key=lambda row: (abs(2 * row - n - 1), -row))
    return [item for row in outwards for item in (row, n + row)]


def visits(n: int, tally: Tally, order: str = "rows") -> Placements:
    """Yield the solutions; with `order=middle`, from items in Knuth's order and without the
    diagonals of one square, as he counts them.
    """
    if order not in ("rows", "middle"):
        raise InvalidValueError(f"the order of dancing_links must be rows or middle, not {order!r}")
    chosen = options(n)
    if order == "middle":
        alone = {chosen[corner][1][line] for corner, line in (
            (0, 2), (-1, 2), (n - 1, 3), (-n, 3))} if n else set()
        chosen = [(square, [item for item in items if item not in alone])
                  for square, items in chosen]
    for squares in covers(from_the_middle(n) if order == "middle" else range(1, 2 * n + 1),
                          chosen, tally):
        yield tuple(column for _, column in sorted(squares))


ALGORITHM = Search(
    name="dancing_links", order=260, origin="Knuth, Dancing links", year=2000,
    technique="exact cover with linked lists, item with the fewest options next",
    worst_case="fewer than 2.72 n! nodes; each choice removes up to 4n options from the lists",
    search=visits, tree=Tree.OWN, counters=UPDATES)
