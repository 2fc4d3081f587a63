"""Consistency kept during the search: after each queen, squares leave that are in no solution.

`maintain` places queens; before the first one and after each, a *filter* removes squares from the
open rows until it finds no more, and returns False if a row has none left. The searches differ in
their filters, and in the next row: from the top, or that with the fewest free squares. All keep the
free squares of each open row, copied for each queen. Revisions are the times that a pair of rows,
or all rows, are made consistent.

The pairs of rows are made consistent by AC-3 on masks of bits (Mackworth, Consistency in networks
of relations, Artificial Intelligence 8, 1977): a pair is revised again when its first row has lost
squares. As a queen attacks at most three squares of a row, only rows with three or fewer take
squares from others. If only rows with one square do, that is value consistency: such a row gets its
queen at once. Constraint solvers do the same with disequalities; their trees are binary (x = v or
x != v): in a count of all solutions, their failures are our `tests - (nodes - 1)`, and their nodes
are `2 * (failures + solutions) - 1`.

All rows at once are three constraints: different columns, different sums, different differences.
The lines of a row are a mask of its free squares, shifted so that two rows have the same bit for
the same line: a column as it is, a sum by the row, a difference by the rows below it. On a torus
the bits wrap around.
"""

from collections.abc import Callable

from nqbench.problems.instances.base import (
    Board,
    Placements,
    Tally,
    Tree,
    bits,
    counted,
    read_family,
)

FEW = 3  # the most squares of another row that a queen attacks
Free = dict[int, int]  # of each open row, the mask of its free squares
Filter = Callable[[Board, Free, Tally], bool]
Keep = Callable[[Free], Free | None]  # the lines that rows may keep, None if not all can differ
Owners = dict[int, int]  # the row of each line that has one


def maintain(board: Board, first: Filter, after: Filter, tally: Tally,
             choose: Callable[[Free], int] = min) -> Placements:
    """Yield the solutions, with what `first` leaves at the root, and `after` after each queen."""
    columns = board.begin()

    def queens(free: Free, level: int) -> Placements:
        tally.node(level)
        if not free:
            tally.solution()
            yield tuple(columns)
            return
        row = choose(free)
        for column in bits(free[row]):
            tally.test(row, column)
            below = place(board, free, row, column, tally)
            if below is not None and after(board, below, tally):
                columns[row] = column
                yield from queens(below, level + 1)
        tally.exhausted(level)

    free = {row: board.free[row] for row in board.open_rows}
    if 0 in free.values() or not first(board, free, tally):
        tally.node(0)
        tally.exhausted(0)
        return
    yield from queens(free, 0)


def remove(free: Free, row: int, squares: int, tally: Tally) -> bool:
    """Remove those squares of a row that are free; return whether it keeps one."""
    tally.removals += (free[row] & squares).bit_count()
    free[row] &= ~squares
    return free[row] != 0


def place(board: Board, free: Free, row: int, column: int, tally: Tally) -> Free | None:
    """Return the free squares of the other rows after a queen; None if one has none left."""
    left = {other: mask for other, mask in free.items() if other != row}
    for other in left:
        tally.revisions += 1
        if not remove(left, other, board.attacked(row, column, other), tally):
            return None
    return left


def revise(board: Board, free: Free, row: int, other: int, tally: Tally) -> bool:
    """Remove the squares of the other row that attack all free squares of this one; return whether
    the other row keeps one.
    """
    tally.revisions += 1
    refuted = free[other]
    for column in bits(free[row]):
        refuted &= board.attacked(row, column, other)
    return remove(free, other, refuted, tally)


def filter_pairs(board: Board, free: Free, tally: Tally, few: int = FEW) -> bool:
    """Make all pairs of open rows consistent, as far as rows with few squares take squares from
    others; False if a row has no square left.
    """
    changed = [*free]
    while changed:
        row = changed.pop()
        if free[row].bit_count() > few:
            continue
        for other in free:
            before = free[other]
            if other != row and not revise(board, free, row, other, tally):
                return False
            if free[other] != before and other not in changed:
                changed.append(other)
    return True


def try_squares(board: Board, free: Free, tally: Tally) -> bool:
    """Try each free square until a whole round removes none: a square leaves if a queen on it makes
    another row empty by arc consistency. False if a row has none left.
    """
    removed = filter_pairs(board, free, tally)
    while removed:
        removed = False
        for row in free:
            for column in bits(free[row]):
                if not free[row] >> column & 1:
                    continue
                tally.look()
                left = place(board, free, row, column, tally)
                if left is None or not filter_pairs(board, left, tally):
                    removed = True
                    if not remove(free, row, 1 << column, tally) or not filter_pairs(
                            board, free, tally):
                        return False
    return 0 not in free.values()


def turn(mask: int, by: int, board: Board) -> int:
    """Shift a mask to the left, on a torus around; a negative shift goes back."""
    n, full = board.n, (1 << board.n) - 1
    if board.torus:
        by %= n
        return (mask << by | mask >> (n - by)) & full
    return mask << by if by >= 0 else mask >> -by & full


def filter_all(board: Board, free: Free, tally: Tally, keep: Keep) -> bool:
    """Remove the squares on lines that `keep` does not keep, until it keeps all; False if a row has
    none left.
    """
    n, waiting, kind = board.n, 3, 0
    while waiting:
        tally.revisions += 1
        tally.look()
        by = {row: (0, row, n - 1 - row)[kind] for row in free}
        kept = keep({row: turn(mask, by[row], board) for row, mask in free.items()})
        if kept is None:
            return False
        waiting, kind = waiting - 1, (kind + 1) % 3
        for row, lines in kept.items():
            lost = free[row] & ~turn(lines, -by[row], board)
            if lost:
                waiting = 3
                if not remove(free, row, lost, tally):
                    return False
    return True


def ends(lines: int) -> tuple[int, int]:
    """Return the lowest and the highest line of a mask."""
    return (lines & -lines).bit_length() - 1, lines.bit_length() - 1


def narrow(lines: Free) -> Free | None:
    """Return what rows keep of their lines where k rows have all of theirs within k neighbouring
    ones: no other row begins or ends there. None if an interval has more rows than lines.
    """
    kept = dict(lines)
    for low in sorted({ends(mask)[0] for mask in lines.values()}):
        for high in sorted({ends(mask)[1] for mask in lines.values()}):
            inside = {row for row, mask in lines.items()
                      if not mask >> high + 1 and not mask & (1 << low) - 1}
            if len(inside) > max(0, high - low + 1):
                return None
            if inside and len(inside) == high - low + 1:
                for row in kept.keys() - inside:
                    first, last = ends(lines[row])
                    if low <= first <= high:
                        kept[row] &= ~((1 << high + 1) - 1)
                    if low <= last <= high:
                        kept[row] &= (1 << low) - 1
    return kept


def assign(lines: Free, owners: Owners, row: int, seen: set[int]) -> bool:
    """Give a row a line, by an augmenting path over lines that are not seen yet."""
    for line in bits(lines[row]):
        if line not in seen:
            seen.add(line)
            if line not in owners or assign(lines, owners, owners[line], seen):
                owners[line] = row
                return True
    return False


def match(lines: Free) -> Free | None:
    """Return the lines that a row has in some maximum matching; None if rows are left over. Régin
    finds the same by strongly connected components.
    """
    owners: Owners = {}
    if not all(assign(lines, owners, row, set()) for row in lines):
        return None
    kept = {row: 1 << line for line, row in owners.items()}
    for row, mask in lines.items():
        for line in bits(mask & ~kept[row]):
            others = {each: owner for each, owner in owners.items() if owner != row}
            if line not in others or assign(lines, others, others[line], {line}):
                kept[row] |= 1 << line
    return kept


def arc_consistency(board: Board, tally: Tally) -> Placements:
    def fewest(free: Free) -> int:
        return min(free, key=lambda row: (free[row].bit_count(), row))

    return maintain(board, filter_pairs, filter_pairs, tally, fewest)


def maintained_arcs(board: Board, tally: Tally) -> Placements:
    return maintain(board, filter_pairs, filter_pairs, tally)


def single_squares(board: Board, tally: Tally) -> Placements:
    def follow(board: Board, free: Free, tally: Tally) -> bool:
        return filter_pairs(board, free, tally, 1)

    return maintain(board, follow, follow, tally)


def singletons(board: Board, tally: Tally, everywhere: bool = True) -> Placements:
    return maintain(board, try_squares, try_squares if everywhere else filter_pairs, tally)


def hall_intervals(board: Board, tally: Tally) -> Placements:
    def narrow_all(board: Board, free: Free, tally: Tally) -> bool:
        return filter_all(board, free, tally, narrow)

    return maintain(board, narrow_all, narrow_all, tally)


def matchings(board: Board, tally: Tally) -> Placements:
    def match_all(board: Board, free: Free, tally: Tally) -> bool:
        return filter_all(board, free, tally, match)

    return maintain(board, match_all, match_all, tally)


ALGORITHMS = read_family(
    __file__,
    (single_squares, arc_consistency, maintained_arcs, singletons, hall_intervals, matchings),
    keeps_marks=True, tree=Tree.OWN, counters=counted("revisions", "removals"))
