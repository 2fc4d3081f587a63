"""exact-cover: the queens as a matrix whose rows must cover each column once; dancing links in C.

It knows only columns that must be covered. But a diagonal may stay free, so each diagonal has one
more row, which covers nothing else. `nqbench.exact_cover` needs no such rows.

https://github.com/jwg4/exact_cover
"""

from typing import Any

from nqbench.algorithms.dancing_links import options
from nqbench.peers._peer import Peer


def matrix(n: int) -> Any:
    """Return a NumPy array of 0 and 1: a row for each square, then one for each diagonal.

    >>> matrix(1).tolist()
    [[1, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 1]]
    """
    import numpy

    lines, diagonals = 6 * n - 2, range(2 * n, 6 * n - 2)
    made = numpy.zeros((n * n + len(diagonals), lines), dtype=numpy.int32)
    for square, (_, items) in enumerate(options(n)):
        made[square, [item - 1 for item in items]] = 1
    for row, diagonal in enumerate(diagonals, n * n):
        made[row, diagonal] = 1
    return made


def count(n: int) -> int:
    """Count all solutions with exact-cover."""
    from exact_cover import get_solution_count

    return int(get_solution_count(matrix(n)))


PEER = Peer("exact-cover", "exact-cover", "an exact cover by dancing links in C", count, order=40)
