"""exact-cover and dlx-cython: the queens as a matrix, of which rows must cover each column once.

Both know only columns that must be covered. A diagonal may stay free: so each has one row more,
which covers nothing else. They are solved by dancing links, as `nqbench.exact_cover` does.

https://github.com/jwg4/exact_cover and https://github.com/robmbrooks/dlx
"""

from typing import Any

from nqbench.algorithms.dancing_links import options


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


def by_c(n: int) -> int:
    """Count all solutions with exact-cover."""
    from exact_cover import get_solution_count

    return int(get_solution_count(matrix(n)))


def by_cython(n: int) -> int:
    """Count all solutions with dlx-cython, which makes a list of them."""
    from dlxsolver import DLXSolver

    return len(DLXSolver(matrix(n)).solve(find_all=True))
