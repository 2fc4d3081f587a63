"""Count sets of nonattacking queens, all and maximal ones, and toroidal placements; find how many
queens can always be completed.

Each count is compiled if possible, unless `implementation` is python; the Python search is a
different one where that is simple.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import combinations
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.search.board import Columns, Square, attacks
from nqbench.util.arguments import require_whole

LARGEST_N = 31  # compiled


def sets_by_size(n: int, implementation: str | None = None) -> list[int]:
    """Return how many sets of k nonattacking queens there are, for k = 0 to n.

    In Python, square by square.

    >>> sets_by_size(4), sets_by_size(4, "python")
    ([1, 16, 44, 24, 2], [1, 16, 44, 24, 2])
    """
    core = _core(n, implementation)
    if core:
        return list(core.sets_by_size(n)) if n else [1]
    counts = [0] * (n + 1)
    for queens, _ in _sets(n):
        counts[len(queens)] += 1
    return counts


def maximal_sets(n: int, implementation: str | None = None) -> int:
    """Return the number of sets of nonattacking queens that leave no square free.

    >>> [maximal_sets(n) for n in range(1, 7)]
    [1, 4, 9, 18, 58, 348]
    """
    core = _core(n, implementation)
    if core:
        return int(core.maximal_sets(n)) if n else 1
    return sum(all(any(attacks(queen, square) for queen in queens)
                   for square in _squares(n)) for queens, _ in _sets(n))


def toroidal(n: int, implementation: str | None = None) -> int:
    """Return the number of ways to place n nonattacking queens on a torus of n x n squares.

    >>> [toroidal(n) for n in range(1, 12, 2)]
    [1, 0, 10, 28, 0, 88]
    """
    core = _core(n, implementation)
    if core:
        return int(core.toroidal(n)) if n else 1

    def fill(row: int, columns: int, sums: int, differences: int) -> int:
        found = int(row == n)
        for column in range(n if row < n else 0):
            lines = 1 << column, 1 << (column + row) % n, 1 << (column - row) % n
            if not (columns & lines[0] or sums & lines[1] or differences & lines[2]):
                found += fill(row + 1, columns | lines[0], sums | lines[1], differences | lines[2])
        return found

    return n * fill(1, 1, 1, 1) if n else 1  # the first queen may stand in any column


def sets_of_size(n: int, size: int) -> Iterator[tuple[Square, ...]]:
    """Yield every set of `size` nonattacking queens.

    >>> len(list(sets_of_size(5, 2)))
    140
    """
    return (queens for queens, _ in _sets(n, size) if len(queens) == size)


def completion_threshold(n: int, solutions: Iterable[Columns]) -> int:
    """Return the largest k such that all sets of k or fewer nonattacking queens are parts of
    solutions, given all `solutions`; n must have one.

    >>> completion_threshold(5, [(c, (c + 2) % 5, (c + 4) % 5, (c + 1) % 5, (c + 3) % 5)
    ...     for c in range(5)] + [(c, (c + 3) % 5, (c + 1) % 5, (c + 4) % 5, (c + 2) % 5)
    ...     for c in range(5)])
    1
    """
    found = [[row * n + column for row, column in enumerate(columns)] for columns in solutions]
    sets = sets_by_size(n)
    for size in range(1, n + 1):
        covered: set[tuple[int, ...]] = set()
        for squares in found:
            covered.update(combinations(squares, size))
            if len(covered) == sets[size]:
                break
        if len(covered) < sets[size]:
            return size - 1
    return n


def _core(n: int, implementation: str | None) -> Any:
    """Return the compiled core; None for a search in Python.

    Raises
    ------
    InvalidValueError
        if n is too large for it.
    """
    require_whole(n)
    core = find_core("nqbench._sets", implementation)
    if core and n > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N}, not {n}")
    return core


def find_core(name: str, implementation: str | None) -> Any:
    """Return a compiled core; None for a search in Python, or without a C compiler."""
    with suppress(ImportError):
        return None if implementation == "python" else import_module(name)
    return None


def _squares(n: int) -> list[Square]:
    return [(row, column) for row in range(n) for column in range(n)]


def _sets(n: int, most: int | None = None) -> Iterable[tuple[tuple[Square, ...], list[Square]]]:
    """Yield every set of at most `most` nonattacking queens, by default of any number, and the free
    squares after its last queen.
    """
    waiting: list[tuple[tuple[Square, ...], list[Square]]] = [((), _squares(n))]
    while waiting:
        queens, free = waiting.pop()
        yield queens, free
        for place, square in enumerate(free if len(queens) != most else []):
            waiting.append(((*queens, square), [other for other in free[place + 1:]
                                                if not attacks(square, other)]))
