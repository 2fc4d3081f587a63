"""Symmetry breaking during search: once a placement is searched, its images are refused.

A board may have up to eight symmetries, those that keep its placed queens, its blocked squares and
its excluded diagonals. When all below a queen is searched, each image of the placement with it
becomes a nogood of the rows that follow: it refuses the square that would complete it. So one
solution of each orbit is found; the others are its images. It keeps the nogoods that can still be
completed, as masks of squares (bit row n + column).

Gent and Smith, Symmetry breaking in constraint programming, ECAI (2000), as SBDS; Backofen and
Will, Excluding symmetries in constraint-based search, CP (1999).
"""

from nqbench.problems.instances.base import (
    Board,
    Columns,
    Placements,
    Search,
    Tally,
    Tree,
    bits,
    counted,
)
from nqbench.search.board import Square


def turns(n: int, square: Square) -> list[Square]:
    """Return the eight images of a square, itself first."""
    row, column = square
    found = []
    for _ in range(4):
        found += [(row, column), (column, row)]
        row, column = column, n - 1 - row
    return found


def symmetries(board: Board) -> list[int]:
    """Return which of the eight images keep the free squares of the board, its placed queens too,
    but for the first, which moves nothing.
    """
    free = {(row, column) for row in range(board.n) for column in bits(board.free[row])}
    return [each for each in range(1, 8)
            if free == {turns(board.n, square)[each] for square in free}]


def solutions(board: Board, tally: Tally) -> Placements:
    n, rows, columns = board.n, board.open_rows, board.begin()
    kinds = symmetries(board)
    images = {(row, column): [turns(n, (row, column))[each] for each in kinds]
              for row in rows for column in range(n)}

    def orbit() -> dict[Columns, None]:
        """Return the images of the placement, itself first."""
        squares = [turns(n, square) for square in enumerate(columns)]
        return dict.fromkeys(tuple(column for _, column in sorted(each[kind] for each in squares))
                             for kind in [0, *kinds])

    def queens(level: int, taken: int, nogoods: list[int], moved: list[int]) -> Placements:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield from orbit()
            return
        row = rows[level]
        for column in bits(board.free[row]):
            tally.test(row, column)
            square = 1 << row * n + column
            if any(board.attacked(above, columns[above], row) >> column & 1
                   for above in rows[:level]) or any(
                       not nogood & ~(taken | square) for nogood in nogoods):
                continue
            columns[row] = column
            those = [mask | 1 << r * n + c
                     for mask, (r, c) in zip(moved, images[row, column], strict=True)]
            yield from queens(level + 1, taken | square, nogoods, those)
            nogoods = [*nogoods, *those]
            tally.nogoods += len(those)
        tally.exhausted(level)

    return queens(0, 0, [], [0] * len(kinds))


ALGORITHM = Search(
    name="symmetry_breaking", order=70, origin="Gent and Smith, Symmetry breaking", year=2000,
    technique="images of what was searched are refused", symmetry="those that the board has",
    uses_symmetry=True, keeps_marks=True, tree=Tree.OWN, counters=counted("nogoods"),
    search=solutions)
