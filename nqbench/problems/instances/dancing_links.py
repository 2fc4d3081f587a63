"""Dancing links: an instance as an exact cover.

Open rows and columns are primary items, diagonals are secondary; an option is a free square with
its four lines. See `nqbench.search.exact_cover`, which solves it.

Knuth, Dancing links (2000).
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, bits
from nqbench.search.exact_cover import UPDATES, covers


def solutions(board: Board, tally: Tally) -> Placements:
    lines = [("row", row) for row in board.open_rows]
    lines += [("column", column) for column in board.open_columns]
    options = [((row, column), board.lines(row, column))
               for row in board.open_rows for column in bits(board.free[row])]
    for chosen in covers(lines, options, tally):
        found = dict([*board.placed, *chosen])
        yield tuple(found[row] for row in range(board.n))


ALGORITHM = Search(
    name="dancing_links", order=70, origin="Knuth, Dancing links", year=2000,
    technique="exact cover with linked lists, item with the fewest options next", tree=Tree.OWN,
    search=solutions, counters=UPDATES)
