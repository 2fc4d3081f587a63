"""Arc consistency: after each queen, remove the squares that would leave another row without a free
square.

A square is removed if the queen on it would attack all free squares of another row. A queen attacks
at most three squares of a row, so only rows with three free squares or fewer remove any: the
squares that all their candidates attack. This is repeated until no square is removed. The next row
is the one with the fewest free squares. Here scans are the pairs of rows looked at, and comparisons
are tests for emptiness.

Mackworth, Consistency in networks of relations, Artificial Intelligence 8 (1977); maintained during
the search: Sabin and Freuder, Contradicting conventional wisdom in constraint satisfaction (1994).
"""

from nqbench.problems.instances.base import Board, Placements, Search, Tally, Tree, bits

FEW = 3  # the most squares of another row that a queen attacks


def propagate(board: Board, free: dict[int, int], changed: list[int], tally: Tally) -> bool:
    """Remove the squares that leave another open row without one; False if a row has none left.

    `free` are the masks of the open rows, `changed` those that lost squares.
    """
    while changed:
        row = changed.pop()
        if free[row].bit_count() > FEW:
            continue
        for other in free:
            if other != row:
                tally.scans += 1
                tally.comparisons += 1
                refuted = free[other]
                for column in bits(free[row]):
                    refuted &= board.attacked(row, column, other)
                if refuted:
                    free[other] &= ~refuted
                    if not free[other]:
                        return False
                    if other not in changed:
                        changed.append(other)
    return True


def solutions(board: Board, tally: Tally) -> Placements:
    columns = board.begin()

    def queens(free: dict[int, int], level: int) -> Placements:
        tally.node(level)
        if not free:
            tally.solution()
            yield tuple(columns)
            return
        row = min(free, key=lambda each: (free[each].bit_count(), each))
        for column in bits(free[row]):
            tally.test(row, column)
            below = {other: mask & ~board.attacked(row, column, other)
                     for other, mask in free.items() if other != row}
            if 0 not in below.values() and propagate(board, below, list(below), tally):
                columns[row] = column
                yield from queens(below, level + 1)
        tally.exhausted(level)

    free = {row: board.free[row] for row in board.open_rows}
    if 0 in free.values() or not propagate(board, free, list(free), tally):
        tally.node(0)
        tally.exhausted(0)
        return
    yield from queens(free, 0)


ALGORITHM = Search(
    name="arc_consistency", order=60, origin="Mackworth, Consistency in networks of relations",
    year=1977, technique="arc consistency after each queen, row with the fewest free squares next",
    keeps_marks=True, tree=Tree.OWN, search=solutions)
