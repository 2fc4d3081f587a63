"""The open lines of a search in an instance, and the filters that take squares from them.

A *line* needs a queen: row r is line r; column c is line n + c, if columns are lines, too. An open
line has a mask of free squares, and a mask of the levels to blame for those that it has lost: their
loss follows from the queens of these levels alone. So whoever looks back need not know who looked
ahead.

A filter removes squares that are in no solution, until it finds no more, and returns False if a
line has none left. Revisions are the times that a pair of lines, or all rows, are made consistent;
checks are the pairs of squares that are compared (Haralick and Elliott, Increasing tree search
efficiency for constraint satisfaction problems, Artificial Intelligence 14, 1980).

Pairs of lines are made consistent by AC-3 on masks of bits (Mackworth, Consistency in networks of
relations, Artificial Intelligence 8, 1977): a pair is revised again when its first line has lost
squares. As a queen attacks at most three squares of a line, only lines with three or fewer take
squares from others. If only lines with one square do, that is value consistency: such a line gets
its queen at once. Constraint solvers do the same with disequalities; their trees are binary (x = v
or x != v): in a count of all solutions, their failures are our `tests - (nodes - 1)`, and their
nodes are `2 * (failures + solutions) - 1`.

All rows at once are three constraints: different columns, different sums, different differences.
The columns, sums or differences of a row are a mask of its free squares, shifted so that two rows
have the same bit for the same one: a column as it is, a sum by the row, a difference by the rows
below it. On a torus the bits wrap around.
"""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, reduce
from itertools import product
from operator import or_
from random import Random

from nqbench.problems.instances.base import Board, Tally, bits
from nqbench.search.board import Square

FEW_SQUARES = 3  # the most squares of another line that a queen attacks
KEPT = 1 << 18  # squares times n: for so many, what a queen on them leaves is kept
Masks = dict[int, int]  # of each open line
Keep = Callable[[Masks], Masks | None]  # what rows may keep, None if not all can differ


@lru_cache(16)
def spared(n: int, torus: bool) -> list[list[int]]:
    """Return, by its place and the signed distance of a parallel line, what a queen leaves of that.

    >>> f"{spared(4, False)[1][-2] & 0b1111:04b}"
    '0101'
    """
    board = Board(n, torus=torus)
    table = [[~board.attacked(0, place, distance) for distance in range(n)] for place in range(n)]
    return [[*left, *left[:0:-1]] for left in table]


class Walk:
    """The state of a search: the open lines, the queens, and what was met on the way.

    Attributes
    ----------
    free, taken
        of each open line, its free squares, and the levels to blame for those that it has lost.
    queens, occupied
        the squares of the queens of the search, by level, and as bits row n + column.
    last
        the line of the last dead end, until it is chosen; else -1.
    left
        backtracks until the run is cut.
    weights
        of two lines, 1 more than how often one has left the other without a square, if an order
        needs it.
    changed
        the lines that have lost squares to a filter since it last looked, in their order.
    spares
        returns what a queen on a square leaves of each line, by its number.
    near
        returns the lines in which a queen on a free square of a line, on the empty board, can
        attack a free square; a row and a column always can.
    """

    def __init__(self, board: Board, both: bool, order: str, seed: int) -> None:
        n = self.n = board.n
        self.board, self.both, self.random, self.last = board, both, Random(seed), -1
        self.changed: dict[int, None] = {}
        self.free: Masks = {row: board.free[row] for row in board.open_rows}
        if both:
            self.free |= {n + column: board.free_by_column[column] for column in board.open_columns}
        self.taken = dict.fromkeys(self.free, 0)
        self.root = self.free, self.taken
        self.weights = dict.fromkeys(product(self.free, self.free), 1) if "wdeg" in order else {}
        self.spares = lru_cache(KEPT // max(1, n))(self._spare)
        self.near = cache(self._find_near)

    def _spare(self, row: int, column: int) -> list[int]:
        n, end = self.n, 2 * self.n - 1
        table = spared(n, self.board.torus)
        found = table[column][end - row:] + table[column][:n - row]
        found[row] = 0
        if self.both:
            found += table[row][end - column:] + table[row][:n - column]
            found[n + column] = 0
        return found

    def _find_near(self, line: int) -> set[int]:
        n, root = self.n, self.root[0]
        left = [self.spares(*((line, place) if line < n else (place, line - n)))
                for place in bits(root[line])]
        return {other for other, free in root.items() if other != line and (
            (line < n) != (other < n) or any(free & ~spare[other] for spare in left))}

    def begin(self, cutoff: float) -> None:
        """Begin a run, with empty lines."""
        self.left, self.occupied = cutoff, 0
        self.queens: list[Square] = [(0, 0)] * self.n
        self.free, self.taken = (each.copy() for each in self.root)

    def levels(self, level: int, squares: int) -> int:
        """Return which of the queens above a level are on these squares."""
        return sum(1 << above for above, (row, column) in enumerate(self.queens[:level])
                   if squares >> row * self.n + column & 1)

    def remove(self, line: int, squares: int, why: int, by: int, tally: Tally) -> bool:
        """Remove those squares of a line that are free; levels `why` are to blame, and the line
        `by` did it. Return whether it keeps one.
        """
        lost = self.free[line] & squares
        if lost:
            tally.removals += lost.bit_count()
            self.free[line] ^= lost
            self.taken[line] |= why
            self.changed[line] = None
            for place in bits(lost) if self.both else ():  # the line that crosses loses it, too
                crossing, at = (self.n + place, line) if line < self.n else (place, line - self.n)
                if self.free.get(crossing, 0) >> at & 1 and not self.remove(
                        crossing, 1 << at, why, by, tally):
                    return False
        if not self.free[line]:
            self.weigh(by, line)
        return self.free[line] != 0

    def close(self, row: int, column: int) -> None:
        """Close the lines of a square. What was before stays untouched, here and below."""
        self.free = free = self.free.copy()
        del free[row]
        if self.both:
            del free[self.n + column]

    def attack(self, row: int, column: int, tally: Tally) -> bool:
        """Remove what a queen on trial attacks; no level is to blame. What was before stays
        untouched. Return whether each line keeps a square.
        """
        self.close(row, column)
        self.taken = self.taken.copy()
        spare = self.spares(row, column)
        for line, mask in self.free.items():
            tally.revisions += 1
            tally.scans += 1
            tally.checks += mask.bit_count()
            if not self.remove(line, ~spare[line], 0, row, tally):
                return False
        return True

    def weigh(self, line: int, other: int) -> None:
        """Note that one has left the other without a square, if an order needs it."""
        if self.weights:
            self.weights[line, other] += 1
            self.weights[other, line] += 1

    def blame(self) -> int:
        """Return the levels to blame once a line is empty."""
        empty = [self.taken[line] for line, mask in self.free.items() if not mask]
        return empty[0] if empty else self.all(self.free)

    def all(self, lines: Iterable[int]) -> int:
        """Return the levels to blame for all that these open lines have lost."""
        return reduce(or_, map(self.taken.__getitem__, lines), 0)


Filter = Callable[[Walk, Tally], bool]


def keep_all(walk: Walk, tally: Tally) -> bool:
    """Remove nothing."""
    return True


def revise(walk: Walk, line: int, other: int, tally: Tally) -> bool:
    """Remove the squares of the other line that attack all free squares of this one; return whether
    the other line keeps one.
    """
    tally.revisions += 1
    refuted, table = walk.free[other], spared(walk.n, walk.board.torus)
    for place in bits(walk.free[line]):
        tally.checks += refuted.bit_count()
        refuted &= ~table[place][other - line]
    return not refuted or walk.remove(other, refuted, walk.taken[line], line, tally)


def filter_pairs(walk: Walk, tally: Tally, few: int = FEW_SQUARES) -> bool:
    """Make all pairs of parallel open lines consistent, as far as lines with few squares take
    squares from others.
    """
    waiting, n = [*walk.free], walk.n
    while waiting:
        line = waiting.pop()
        if walk.free[line].bit_count() > few:
            continue
        for other in walk.free:
            if other != line and (other < n) == (line < n):
                walk.changed.clear()
                if not revise(walk, line, other, tally):
                    return False
                waiting += [each for each in walk.changed if each not in waiting]
    return True


def filter_singles(walk: Walk, tally: Tally) -> bool:
    """Do what `filter_pairs` does, as far as lines with one square take squares from others."""
    return filter_pairs(walk, tally, 1)


def try_squares(walk: Walk, tally: Tally) -> bool:
    """Try each free square until a whole round removes none: a square leaves if a queen on it makes
    another line empty by arc consistency.
    """
    removed = filter_pairs(walk, tally)
    while removed:
        removed = False
        for line in walk.free:
            for place in bits(walk.free[line]):
                if not walk.free[line] >> place & 1:
                    continue
                tally.look()
                before = walk.free, walk.taken
                row, column = (line, place) if line < walk.n else (place, line - walk.n)
                why = None
                if not walk.attack(row, column, tally) or not filter_pairs(walk, tally):
                    why = walk.blame()
                walk.free, walk.taken = before
                if why is not None:
                    removed = True
                    left = walk.remove(line, 1 << place, why, line, tally)
                    if not left or not filter_pairs(walk, tally):
                        return False
    return 0 not in walk.free.values()


def turn(mask: int, by: int, board: Board) -> int:
    """Shift a mask to the left, on a torus around; a negative shift goes back."""
    n, full = board.n, (1 << board.n) - 1
    if board.torus:
        by %= n
        return (mask << by | mask >> (n - by)) & full
    return mask << by if by >= 0 else mask >> -by & full


def filter_all(walk: Walk, tally: Tally, keep: Keep) -> bool:
    """Remove the squares on columns, sums and differences that `keep` does not keep, until it keeps
    all.
    """
    n, waiting, kind, board = walk.n, 3, 0, walk.board
    rows = [line for line in walk.free if line < n]
    while waiting:
        tally.revisions += 1
        tally.look()
        by = {row: (0, row, n - 1 - row)[kind] for row in rows}
        kept = keep({row: turn(walk.free[row], by[row], board) for row in rows})
        if kept is None:
            return False
        waiting, kind, why = waiting - 1, (kind + 1) % 3, walk.all(walk.free)
        for row, mask in kept.items():
            lost = walk.free[row] & ~turn(mask, -by[row], board)
            if lost:
                waiting = 3
                if not walk.remove(row, lost, why, row, tally):
                    return False
    return True


def filter_intervals(walk: Walk, tally: Tally) -> bool:
    """Do what `filter_all` does with `narrow`."""
    return filter_all(walk, tally, narrow)


def filter_matchings(walk: Walk, tally: Tally) -> bool:
    """Do what `filter_all` does with `match`."""
    return filter_all(walk, tally, match)


FILTERS: dict[str, Filter] = {
    "none": keep_all, "marks": keep_all, "fc": keep_all, "single": filter_singles,
    "ac": filter_pairs, "singleton": try_squares, "hall": filter_intervals,
    "matching": filter_matchings}


def ends(mask: int) -> tuple[int, int]:
    """Return the lowest and the highest bit of a mask."""
    return (mask & -mask).bit_length() - 1, mask.bit_length() - 1


def narrow(values: Masks) -> Masks | None:
    """Return what rows keep of their values where k rows have all of theirs within k neighbouring
    ones: no other row begins or ends there. None if an interval has more rows than values.
    """
    kept = dict(values)
    for low in sorted({ends(mask)[0] for mask in values.values()}):
        for high in sorted({ends(mask)[1] for mask in values.values()}):
            inside = {row for row, mask in values.items()
                      if not mask >> high + 1 and not mask & (1 << low) - 1}
            if len(inside) > max(0, high - low + 1):
                return None
            if inside and len(inside) == high - low + 1:
                for row in kept.keys() - inside:
                    first, last = ends(values[row])
                    if low <= first <= high:
                        kept[row] &= ~((1 << high + 1) - 1)
                    if low <= last <= high:
                        kept[row] &= (1 << low) - 1
    return kept


def assign(values: Masks, owners: dict[int, int], row: int, seen: set[int]) -> bool:
    """Give a row a value, by an augmenting path over values that are not seen yet; `owners` are the
    rows of those that have one.
    """
    for value in bits(values[row]):
        if value not in seen:
            seen.add(value)
            if value not in owners or assign(values, owners, owners[value], seen):
                owners[value] = row
                return True
    return False


def match(values: Masks) -> Masks | None:
    """Return the values that a row has in some maximum matching; None if rows are left over. Régin
    finds the same by strongly connected components.
    """
    owners: dict[int, int] = {}
    if not all(assign(values, owners, row, set()) for row in values):
        return None
    kept = {row: 1 << value for value, row in owners.items()}
    for row, mask in values.items():
        for value in bits(mask & ~kept[row]):
            others = {each: owner for each, owner in owners.items() if owner != row}
            if value not in others or assign(values, others, others[value], {value}):
                kept[row] |= 1 << value
    return kept
