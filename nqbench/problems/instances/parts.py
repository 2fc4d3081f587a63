"""The parts of a composed search in an instance, one table for each kind of part; the search itself
is `nqbench.problems.instances.composed_family`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import count, repeat
from math import inf
from typing import Any

from nqbench.errors import PluginError
from nqbench.problems.instances.base import Board, Columns, Tally, bits
from nqbench.problems.instances.lines import Filter, Masks, Walk, keep_all
from nqbench.search.board import SYMMETRIES

Ended = tuple[int, int]  # the levels to blame for a dead end, and the level to go back to
Test = Callable[[int, int, int], int | None]  # of a row, a column and a level; None: not refused
Leave = Callable[[int, int], None]  # of a line, and the level to go back to
Rule = Callable[[Board, Masks], Any]  # of the open lines; see `read_refusals`
GIVEN = "given"


# Which line is next: the least key first, then the first line.

def degree(walk: Walk, line: int) -> int:
    """Return how many open lines a line can attack."""
    return len(walk.near(line) & walk.free.keys())


ORDERS: dict[str, Callable[[Walk, int], float]] = {
    GIVEN: lambda walk, line: line,
    "middle": lambda walk, line: abs(2 * (line % walk.n) - (walk.n - 1)),
    "dom": lambda walk, line: walk.free[line].bit_count(),
    "deg": lambda walk, line: -degree(walk, line),
    "dom/deg": lambda walk, line: walk.free[line].bit_count() / max(1, degree(walk, line)),
    "dom/wdeg": lambda walk, line: walk.free[line].bit_count() / sum(
        walk.weights[line, other] for other in walk.free)}


def find_first(walk: Walk) -> int:
    return next(iter(walk.free))


def find_fewest(walk: Walk) -> int:
    chosen, fewest = -1, inf
    for line, mask in walk.free.items():
        many = mask.bit_count()
        if many < fewest:
            chosen, fewest = line, many
    return chosen


def choose_by(order: str) -> Callable[[Walk], int]:
    """Return what chooses the next line. First may come `last`, the line of the last dead end until
    it has a queen; at the end `random`, which draws among equals.
    """
    names = order.split("+")
    keys = [ORDERS[name] for name in names if name in ORDERS]

    def choose(walk: Walk) -> int:
        if names[0] == "last" and walk.last in walk.free:
            line, walk.last = walk.last, -1
            return line
        found = {line: [key(walk, line) for key in keys] for line in walk.free}
        least = min(found.values())
        equal = [line for line, values in found.items() if values == least]
        return equal[int(walk.random.random() * len(equal)) if names[-1] == "random" else 0]

    return {GIVEN: find_first, "dom": find_fewest}.get(order, choose)


# In which order its squares are tried.

def leave_most(walk: Walk, line: int) -> Iterable[int]:
    """Return first the squares that take fewest from the other lines."""
    def lost(place: int) -> int:
        row, column = (line, place) if line < walk.n else (place, line - walk.n)
        spare = walk.spares(row, column)
        return sum((mask & ~spare[other]).bit_count() for other, mask in walk.free.items()
                   if other not in (row, walk.n + column))

    return sorted(bits(walk.free[line]), key=lost)


def draw(walk: Walk, line: int) -> Iterator[int]:
    """Yield the squares in a random order."""
    places = [*bits(walk.free[line])]
    while places:
        at = int(walk.random.random() * len(places))
        places[at], places[-1] = places[-1], places[at]
        yield places.pop()


VALUES: dict[str, Callable[[Walk, int], Iterable[int]] | None] = {
    GIVEN: None, "least": leave_most, "random": draw,
    "middle": lambda walk, line: sorted(bits(walk.free[line]),
                                        key=lambda place: abs(2 * place - (walk.n - 1)))}


# Whether a square is refused, and which levels are to blame; else its queen is placed. The second
# function learns that the search goes back from a line whose squares are all tried. The search
# restores what a refused queen took.

def forget(line: int, target: int) -> None:
    """Learn nothing."""


def look_back(walk: Walk, tally: Tally, marking: bool) -> tuple[Test, Leave]:
    """Test a square against the queens, from the first; if marking, only against those that have
    moved since its last test (backmarking).

    By square, it keeps how many queens do not attack it; by row, the first queen that has moved
    since all its squares were tested.
    """
    n = walk.n
    spares: list[list[int]] = [[]] * n  # by level
    passed, moved = [[0] * n for _ in range(n)], [0] * n

    def look(row: int, column: int, level: int) -> int | None:
        known, first = passed[row], moved[row]
        if known[column] < first:
            return 1 << known[column]
        for above in range(first, level):
            tally.scans += 1
            tally.checks += 1
            if not spares[above][row] >> column & 1:
                known[column] = above
                return 1 << above
        known[column] = level
        spares[level] = walk.spares(row, column)
        walk.close(row, column)
        return None

    def leave(row: int, target: int) -> None:
        back = max(0, target)
        moved[row] = back
        moved[:] = [min(first, back) for first in moved]

    return look, leave if marking else forget


def look_ahead(walk: Walk, tally: Tally, ahead: str, after: Filter,
               blaming: bool) -> tuple[Test, Leave]:
    """Take from the other lines what a queen attacks, and what the filter then finds. A queen that
    leaves a line without a square is refused, but with `marks`, which only keep what is free.
    Without blaming, the levels to blame are always 0.
    """
    spares = walk.spares

    def mark(row: int, column: int, level: int) -> None:
        spare = spares(row, column)
        walk.free = free = {line: mask & spare[line] for line, mask in walk.free.items()}
        del free[row]
        if walk.both:
            del free[walk.n + column]
        tally.scans += len(free)

    def look(row: int, column: int, level: int) -> int | None:
        walk.close(row, column)
        spare, free, why = spares(row, column), walk.free, blaming << level
        if why:
            walk.taken = walk.taken.copy()
        for line, mask in free.items():
            tally.revisions += 1
            tally.scans += 1
            tally.checks += mask.bit_count()
            free[line] = left = mask & spare[line]
            tally.removals += (mask ^ left).bit_count()
            if why and left != mask:
                walk.taken[line] |= why
            if not left and strict:
                tally.refused(level, "wiped_out")
                walk.weigh(row, line)
                return walk.taken[line]
        if after is not keep_all and not after(walk, tally):
            tally.refused(level, "filtered")
            return walk.blame()
        return None

    strict = ahead != "marks"
    return look if strict or blaming else mark, forget


def follow(after: Filter, rule: Rule) -> Filter:
    """Return a filter that does what another one and a rule do, until neither removes a square."""
    def apply(walk: Walk, tally: Tally) -> bool:
        while after(walk, tally):
            tally.look()
            walk.changed.clear()
            for shift in (0, walk.n) if walk.both else (0,):  # the rows, then the columns
                free = {line - shift: mask for line, mask in walk.free.items()
                        if 0 <= line - shift < walk.n}
                board = walk.board.turned if shift else walk.board
                for refused in read_refusals(rule, board, free) if free else ():
                    line, squares, because = refused
                    why = walk.all(each + shift for each in because)
                    if not walk.remove(line + shift, squares, why, line + shift, tally):
                        return False
            if not walk.changed:
                return True
        return False

    return apply


def read_refusals(rule: Rule, board: Board,
                  free: Masks) -> Iterator[tuple[int, int, Collection[int]]]:
    """Yield what a rule refuses: an open line, a mask of squares that are in no solution, and the
    open lines whose losses show that; all, if it names none.

    >>> [*read_refusals(lambda board, free: [(2, 0b100)], Board(4), {1: 0b1001, 2: 0b110})]
    [(2, 4, dict_keys([1, 2]))]

    Raises
    ------
    PluginError
        if it yields anything else.
    """
    found = rule(board, free)
    if not isinstance(found, Iterable):
        raise PluginError(f"a rule must yield what it refuses, not return {found!r:.80}")
    for refused in found:
        match refused:
            case (int(line), int(squares)):
                because: Collection[int] = free.keys()
            case (int(line), int(squares), Iterable() as lines):
                because = tuple(lines)  # which may be read only once
            case _:
                line, squares, because = -1, 0, ()
        if line not in free or any(each not in free for each in because):
            raise PluginError(f"a rule must yield an open line, a mask, and perhaps a list of open "
                              f"lines, not {refused!r:.80}; open are {', '.join(map(str, free))}")
        yield line, squares, because


# The queens to blame for a dead end are in no solution that was not found.

def go_back(walk: Walk, back: str, line: int, level: int, blame: int, inner: bool) -> Ended:
    """Return the levels to blame for a dead end, and the level whose queen moves next. `inner` says
    that a queen was placed below.
    """
    if back == "graph":
        near = walk.near(line)
        for above, (row, _) in enumerate(walk.queens[:level]):
            blame |= (row in near) << above
    if back == "none" or (back == "deepest" and inner):
        return blame, level - 1
    return blame, blame.bit_length() - 1


BROKEN = {"none": (), "mirror": ("mirror",), "sbds": [*SYMMETRIES][1:]}  # all but the identity


class Nogoods:
    """Squares that no solution that was not found has together: the images of what was searched,
    what a run that is cut has searched, and conflict sets of at most `size` queens.

    Attributes
    ----------
    symmetries
        those that keep the free squares of the board, its placed queens too.
    searched
        the images of what was searched.
    kept
        the conflict sets: by square, and by the rows of the others, their squares.
    """

    def __init__(self, walk: Walk, learn: str, size: int, symmetry: str) -> None:
        n, board = walk.n, walk.board
        self.walk, self.size = walk, size if "conflicts" in learn else 0
        free = {(row, column) for row in range(n) for column in bits(board.free[row])
                } if symmetry != "none" else set()
        self.symmetries = [image for image in map(SYMMETRIES.__getitem__, BROKEN[symmetry])
                           if free == {image(n - 1, *square) for square in free}]
        # The placement itself is for later runs.
        self.images = [SYMMETRIES["identity"]] * ("branch" in learn) + self.symmetries
        self.searched: list[int] = []
        self.kept: dict[int, dict[int, set[int]]] = {}
        self.image = cache(self._find_images)

    def _find_images(self, row: int, column: int) -> list[int]:
        n = self.walk.n
        squares = [image(n - 1, row, column) for image in self.images]
        return [1 << row * n + column for row, column in squares]

    def orbit(self, columns: Columns) -> Iterable[Columns]:
        """Return the images of a placement, itself first."""
        found = {columns: None}
        for image in self.symmetries:
            squares = sorted(image(len(columns) - 1, *square) for square in enumerate(columns))
            found[tuple(column for _, column in squares)] = None
        return found

    def refuse(self, row: int, column: int, level: int) -> int | None:
        """Return the levels of the other queens of a nogood that a square completes."""
        square = 1 << row * self.walk.n + column
        taken = ~(self.walk.occupied | square)
        for nogood in self.searched:
            if not nogood & taken:
                return self.walk.levels(level, nogood)
        for rows, found in self.kept.get(square, {}).items():
            if self.walk.occupied & rows in found:
                return self.walk.levels(level, rows)
        return None

    def learn(self, blame: int, tally: Tally) -> None:
        """Keep the queens of these levels as a conflict set, if they are few."""
        if 0 < blame.bit_count() <= self.size:
            n, queens = self.walk.n, [self.walk.queens[level] for level in bits(blame)]
            for last in queens:
                others = [each for each in queens if each != last]
                rows = sum((1 << n) - 1 << row * n for row, _ in others)
                self.kept.setdefault(1 << last[0] * n + last[1], {}).setdefault(rows, set()).add(
                    sum(1 << row * n + column for row, column in others))
            tally.nogoods += 1


UNIT, GROWTH = 32, 1.5  # backtracks of the shortest run; what each is times the one before
RESTARTS: dict[str, Callable[[], Iterable[float]]] = {
    "none": lambda: [inf], "once": lambda: [inf], "fixed": lambda: repeat(UNIT),
    "geometric": lambda: (int(UNIT * GROWTH**k) for k in count()),
    "luby": lambda: (UNIT * luby(k) for k in count(1))}


def luby(k: int) -> int:
    """Return the k-th term of the sequence of Luby, Sinclair and Zuckerman, from k = 1 on: without
    knowledge of the run lengths, no other is better by more than a constant and a logarithmic
    factor.

    >>> [luby(k) for k in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while k & k + 1:
        k -= (1 << k.bit_length() - 1) - 1
    return k + 1 >> 1
