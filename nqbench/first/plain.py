"""The plain search for the first solution: row by row, the columns of a row in their order.

In every row it tries the squares one by one, as its authors count (A140450). A placement of k < n
queens that has no completion costs all n squares of the next row, so the squares tried are

    n * (placements without completion that are visited) + n (n + 1) / 2

where the second term is the path to the solution, which is a permutation of the columns. The
placements are those of the complete subtrees to the left of that path. Each of these can be
counted alone, in any order.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock
from typing import Any

from nqbench._arguments import require_whole
from nqbench.board import Columns, attacks
from nqbench.errors import DistrustError

PARTS = 4096  # at least so many prefixes, if the upper half of the board has them
INTERVAL = 0.1  # seconds between two reports

Prefix = tuple[int, ...]


def search(n: int) -> tuple[Columns | None, int]:
    """Return the first solution, or None, and how many squares were tried: the definition.

    >>> search(4), search(3)
    (((1, 3, 0, 2), 26), (None, 18))
    """
    n = require_whole(n)
    placed: list[int] = []
    tried = 0

    def extend() -> bool:
        nonlocal tried
        row = len(placed)
        if row == n:
            return True
        for column in range(n):
            tried += 1
            if all(column != other and abs(column - other) != row - above
                   for above, other in enumerate(placed)):
                placed.append(column)
                if extend():
                    return True
                placed.pop()
        return False

    return (tuple(placed) if extend() else None), tried


def free_columns(n: int, prefix: Prefix) -> list[int]:
    """Return the columns that are free in the row below a prefix.

    >>> free_columns(5, (0, 2))
    [4]
    """
    row = len(prefix)
    return [column for column in range(n)
            if not any(attacks(queen, (row, column)) for queen in enumerate(prefix))]


@dataclass(frozen=True)
class Division:
    """The placements to the left of a solution: the number of short ones, and the prefixes below
    which the others are; without a solution all placements.
    """

    inner: int
    parts: list[Prefix]

    @classmethod
    def of(cls, n: int, columns: Columns | None) -> "Division":
        """Return the division for a first solution; None if there is none.

        >>> Division.of(4, (1, 3, 0, 2))
        Division(inner=1, parts=[(0, 2), (0, 3)])
        """
        path = columns or ()
        inner = 0 if columns else 1  # the empty placement
        level: list[Prefix] = [] if columns else [()]
        for row in range(n):
            level = [(*prefix, column) for prefix in level for column in free_columns(n, prefix)]
            level += _left_of(n, path, row)
            if len(level) >= PARTS or row >= n // 2 - 1:
                break
            inner += len(level)
        below = [prefix for later in range(row + 1, n) for prefix in _left_of(n, path, later)]
        return cls(inner, level + below)


def _left_of(n: int, path: Columns, row: int) -> list[Prefix]:
    """Return the prefixes that leave a path to the left in a row."""
    if row >= len(path):
        return []
    start = tuple(path[:row])
    return [(*start, column) for column in free_columns(n, start) if column < path[row]]


def squares_tried(n: int, columns: Columns | None, dead: int) -> int:
    """Return the squares tried, given the number of placements that have no completion.

    >>> squares_tried(8, (0, 4, 7, 5, 2, 6, 1, 3), 105)
    876
    """
    return n * dead + (n * (n + 1) // 2 if columns is not None else 0)


def count_parts(core: Any, n: int, parts: Iterable[tuple[int, Prefix]], threads: int,
                add: Callable[[int, int], None], go_on: Callable[[], bool]) -> None:
    """Count the placements in each part, in threads; `add` gets the number of the part and its
    placements. Call `go_on` ten times a second, and stop when it returns False.

    Raises
    ------
    DistrustError
        if a part holds a solution.
    """
    stop, lock, left = bytearray(1), Lock(), iter(parts)
    counted: SimpleQueue[tuple[int, int]] = SimpleQueue()

    def work() -> None:
        while not stop[0]:
            with lock:
                part = next(left, None)
            if part is None:
                return
            number, prefix = part
            found = core.count_below(n, prefix, stop)
            if found is None:
                return
            nodes, solutions = found
            if solutions:
                raise DistrustError(f"{solutions} solutions begin with the columns "
                                    f"{[column + 1 for column in prefix]}, to the left of the "
                                    "solution that was found first")
            counted.put((number, nodes + 1))

    def collect() -> None:  # in the thread that saves what was added
        while not counted.empty():
            add(*counted.get())

    with ThreadPoolExecutor(threads) as pool:
        try:
            waiting = {pool.submit(work) for _ in range(threads)}
            while waiting:
                done, waiting = wait(waiting, INTERVAL)
                for future in done:
                    future.result()
                collect()
                if not go_on():
                    break
        finally:
            stop[0] = 1
    collect()
