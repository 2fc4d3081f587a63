"""Forward checking with a choice: which row is next, and in which order its squares are tried.

All keep the free squares of each open row, copied for each queen. Scans are the rows that are
looked at, comparisons their tests for emptiness.
"""

from collections.abc import Callable, Iterable

from nqbench.problems.instances.base import (
    Board,
    Placements,
    Tally,
    Tree,
    bits,
    neighbours,
    read_family,
)

Free = dict[int, int]  # of each open row, the mask of its free squares


def ignore(row: int, other: int) -> None:
    """Learn nothing."""


def left_to_right(row: int, free: Free) -> Iterable[int]:
    return bits(free[row])


def least_first(board: Board, row: int, free: Free, tally: Tally) -> list[int]:
    """Return the squares of a row, first those that leave most squares to the other rows."""
    def lost(column: int) -> int:
        tally.scans += len(free) - 1
        return sum((free[other] & board.attacked(row, column, other)).bit_count()
                   for other in free if other != row)

    return sorted(bits(free[row]), key=lost)


def check_forward(board: Board, row: int, column: int, free: Free, fail: Callable[[int, int], None],
                  tally: Tally) -> Free | None:
    """Return the free squares of the other rows after a queen; None if one has none left."""
    below = {}
    for other, mask in free.items():
        if other != row:
            tally.scans += 1
            tally.comparisons += 1
            below[other] = mask & ~board.attacked(row, column, other)
            if not below[other]:
                fail(row, other)
                return None
    return below


def choosing(board: Board, choose: Callable[[Free], int], tally: Tally,
             order: Callable[[int, Free], Iterable[int]] = left_to_right,
             fail: Callable[[int, int], None] = ignore,
             leave: Callable[[int, int], None] = ignore) -> Placements:
    """Yield the solutions, with the rows in the order of `choose`. `fail` is told of a queen's row
    and the row that it empties, `leave` of a row whose squares are all tried, and its level.
    """
    columns = board.begin()

    def queens(free: Free, level: int) -> Placements:
        tally.node(level)
        if not free:
            tally.solution()
            yield tuple(columns)
            return
        row = choose(free)
        for column in order(row, free):
            tally.test(row, column)
            below = check_forward(board, row, column, free, fail, tally)
            if below is not None:
                columns[row] = column
                yield from queens(below, level + 1)
        tally.exhausted(level)
        leave(row, level)

    return queens({row: board.free[row] for row in board.open_rows}, 0)


def smallest_degree(board: Board, tally: Tally) -> Placements:
    """The row with the smallest ratio of free squares to the open rows that it can attack. Where
    all rows can attack each other, as on an empty board, that is the one with the fewest squares.
    """
    near = {row: {other for other in board.open_rows if other != row
                  and neighbours(board, row, other)} for row in board.open_rows}

    def choose(free: Free) -> int:
        return min(free, key=lambda row: (
            free[row].bit_count() / max(1, len(near[row] & free.keys())), row))

    return choosing(board, choose, tally)


def weighted_degree(board: Board, tally: Tally) -> Placements:
    """The row with the smallest ratio of free squares to the weight of its pairs with other open
    rows: 1, and 1 more for each time that a queen in one has left the other without a free square.
    """
    weights = {(row, other): 1 for row in board.open_rows for other in board.open_rows}

    def choose(free: Free) -> int:
        return min(free, key=lambda row: (free[row].bit_count() / sum(
            weights[row, other] for other in free), row))

    def fail(row: int, other: int) -> None:
        weights[row, other] += 1
        weights[other, row] += 1

    return choosing(board, choose, tally, fail=fail)


def last_conflict(board: Board, tally: Tally) -> Placements:
    """The row whose squares were all tried last, until it has a queen; otherwise the row with the
    fewest free squares.
    """
    last: list[int] = []

    def choose(free: Free) -> int:
        if last and last[0] in free:
            return last.pop()
        return min(free, key=lambda row: (free[row].bit_count(), row))

    def leave(row: int, level: int) -> None:
        last[:] = [row]

    return choosing(board, choose, tally, leave=leave)


def least_constraining(board: Board, tally: Tally) -> Placements:
    """First the square that takes fewest from the rows below, row by row. A search for all
    solutions has the tree of forward checking; the order changes where its first solution is.
    """
    def order(row: int, free: Free) -> list[int]:
        return least_first(board, row, free, tally)

    return choosing(board, min, tally, order=order)


def limited_discrepancy(board: Board, tally: Tally) -> Placements:
    """First the placements with the least constraining square everywhere, then those with one other
    square, with two, and so on. Each wave begins at the root and has exactly as many as its number
    (Korf, Improved limited discrepancy search, AAAI 1996), so no solution is found twice. But the
    waves visit nodes again: together they have no tree, which could be traced.
    """
    columns = board.begin()

    def queens(free: Free, level: int, discrepancies: int) -> Placements:
        tally.node(level)
        if not free:
            tally.solution()
            yield tuple(columns)
            return
        row = min(free)
        for rank, column in enumerate(least_first(board, row, free, tally)):
            left = discrepancies - (rank > 0)
            if not 0 <= left < len(free):
                continue
            tally.test(row, column)
            below = check_forward(board, row, column, free, ignore, tally)
            if below is not None:
                columns[row] = column
                yield from queens(below, level + 1, left)
        tally.exhausted(level)

    for wave in range(len(board.open_rows) + 1):
        yield from queens({row: board.free[row] for row in board.open_rows}, 0, wave)


ALGORITHMS = (
    *read_family(__file__, (smallest_degree, weighted_degree, last_conflict, least_constraining),
                 keeps_marks=True, tree=Tree.OWN),
    *read_family(__file__, (limited_discrepancy,), keeps_marks=True, tree=Tree.NONE))
