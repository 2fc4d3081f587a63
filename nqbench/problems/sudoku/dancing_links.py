"""Dancing links: Sudoku as an exact cover, by the same solver as for the queens.

The items must each be covered once: a digit in each cell, and each digit in each row, column and
box. An option is a digit in a cell, with its four items. The items that the givens cover are
removed before the search. See `nqbench.search.exact_cover`.

Knuth, Dancing links (2000).
"""

from nqbench.problems.sudoku.base import PuzzleTally, Search, Solutions
from nqbench.problems.sudoku.grid import BOX, COLUMN, ROW, Digits
from nqbench.search.exact_cover import UPDATES, covers


def items(cell: int, digit: int) -> list[int]:
    """Return the four things that a digit in a cell provides, numbered from 0 to 323.

    >>> items(0, 1), items(80, 9)
    ([0, 81, 162, 243], [80, 161, 242, 323])
    """
    return [cell, *(81 * k + 9 * line + digit - 1
                    for k, line in enumerate((ROW[cell], COLUMN[cell], BOX[cell]), 1))]


def solutions(givens: Digits, tally: PuzzleTally) -> Solutions:
    covered = {item for cell, digit in enumerate(givens) if digit for item in items(cell, digit)}
    open_items = [item for item in range(324) if item not in covered]
    options = [((ROW[cell], COLUMN[cell], digit), items(cell, digit))
               for cell in range(81) for digit in range(1, 10)
               if covered.isdisjoint(items(cell, digit))]
    for chosen in covers(open_items, options, tally):
        digits = list(givens)
        for row, column, digit in chosen:
            digits[9 * row + column] = digit
        yield tuple(digits)


ALGORITHM = Search(
    name="dancing_links", order=40, origin="Knuth, Dancing links", year=2000,
    technique="exact cover with linked lists, item with the fewest options next", search=solutions,
    counters=UPDATES)
