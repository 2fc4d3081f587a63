"""Look back: a row without a free square goes back to the deepest queen to blame, and hands the
others on to it.

Each row keeps its blame, a mask of levels: the first queen that attacks each of its squares, and
what the rows below that came back to it have handed on. The queens between the row and the deepest
one to blame are jumped over. The searches differ in what else they blame. Scans are the queens and
nogoods against which a square is tested.
"""

from collections.abc import Callable, Sequence

from nqbench.problems.instances.base import (
    Blamed,
    Board,
    Tally,
    Tree,
    bits,
    counted,
    neighbours,
    read_family,
)


def accept(level: int, column: int) -> int | None:
    """Refuse no square."""


def forget(blame: int) -> None:
    """Learn nothing from a dead end."""


def look_back(board: Board, columns: list[int], blamed: Sequence[int], tally: Tally,
              refuse: Callable[[int, int], int | None] = accept,
              learn: Callable[[int], None] = forget) -> Blamed:
    """Yield the solutions. `blamed` are the levels to blame for each level from the start, as bits;
    `refuse` returns those to blame for a square that no queen attacks, None if it is not refused;
    `learn` is told of the blame for each dead end.
    """
    rows = board.open_rows

    def queens(level: int) -> Blamed:
        tally.node(level)
        if level == len(rows):
            tally.solution()
            yield tuple(columns)
            return (1 << level) - 1  # the next solution may differ in any queen
        row, blame = rows[level], blamed[level]
        for column in bits(board.free[row]):
            tally.test(row, column)
            for above in range(level):
                tally.scans += 1
                if board.attacked(rows[above], columns[rows[above]], row) >> column & 1:
                    blame |= 1 << above
                    break
            else:
                others = refuse(level, column)
                if others is not None:
                    blame |= others
                    continue
                columns[row] = column
                deeper = yield from queens(level + 1)
                if not deeper >> level & 1:
                    return deeper
                blame |= deeper ^ 1 << level
        tally.exhausted(level)
        tally.jumps += blame.bit_length() < level
        tally.jumped += level - blame.bit_length()
        learn(blame)
        return blame

    return queens(0)


def conflict_backjumping(board: Board, tally: Tally) -> Blamed:
    """Conflict-directed backjumping: the blame is the conflict set of the row."""
    return look_back(board, board.begin(), [0] * len(board.open_rows), tally)


def graph_backjumping(board: Board, tally: Tally) -> Blamed:
    """Graph-based backjumping: to blame are all rows above that can attack the row at all, whether
    they do or not.

    Two rows are neighbours if a queen on a free square of one attacks a free square of the other.
    Where all rows are neighbours, as on an empty board, this is plain backtracking.
    """
    rows = board.open_rows
    parents = [sum(1 << above for above in range(level)
                   if neighbours(board, rows[above], rows[level])) for level in range(len(rows))]
    return look_back(board, board.begin(), parents, tally)


def nogoods(board: Board, tally: Tally, size: int = 3) -> Blamed:
    """Nogood recording: conflict-directed backjumping that keeps small conflict sets.

    A nogood is a set of squares that no solution below them has. One of at most `size` queens is
    kept with its deepest square, and refuses that square wherever the others are placed.
    """
    rows, columns = board.open_rows, board.begin()
    # By square: the levels of the other queens, as bits, and their columns.
    kept: dict[tuple[int, int], dict[int, set[tuple[int, ...]]]] = {}

    def on(levels: int) -> tuple[int, ...]:
        return tuple(columns[rows[each]] for each in bits(levels))

    def refuse(level: int, column: int) -> int | None:
        for levels, placements in kept.get((level, column), {}).items():
            tally.scans += 1
            if on(levels) in placements:
                return levels
        return None

    def learn(blame: int) -> None:
        if 0 < blame.bit_count() <= size:
            last = blame.bit_length() - 1
            others = blame ^ 1 << last
            kept.setdefault((last, columns[rows[last]]), {}).setdefault(others, set()).add(
                on(others))
            tally.nogoods += 1

    return look_back(board, columns, [0] * len(rows), tally, refuse, learn)


ALGORITHMS = (
    *read_family(__file__, (graph_backjumping, conflict_backjumping), tree=Tree.OWN,
                 counters=counted("jumps", "jumped")),
    *read_family(__file__, (nogoods,), tree=Tree.OWN,
                 counters=counted("jumps", "jumped", "nogoods")))
