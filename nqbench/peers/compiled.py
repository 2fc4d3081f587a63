"""numba: the recursion with bit masks in plain Python, compiled by numba when first called.

It was not copied from anywhere; anyone who knows `nqbench.algorithms.bitmask` would write it so.

https://numba.readthedocs.io
"""

from collections.abc import Callable
from functools import cache

from nqbench.peers._peer import Peer


def count(n: int) -> int:
    """Count all solutions; the first call compiles, which takes seconds."""
    return int(_compiled()((1 << n) - 1, 0, 0, 0))


@cache
def _compiled() -> Callable[[int, int, int, int], int]:
    from numba import njit

    @njit
    def placed(board: int, columns: int, falling: int, rising: int) -> int:
        """Return the number of ways to fill the remaining rows, given the attacked squares of the
        next row.
        """
        if columns == board:
            return 1
        found = 0
        free = board & ~(columns | falling | rising)
        while free:
            queen = free & -free
            free ^= queen
            found += placed(board, columns | queen, (falling | queen) << 1, (rising | queen) >> 1)
        return found

    compiled: Callable[[int, int, int, int], int] = placed
    return compiled


PEER = Peer("numba", "numba", "the recursion with bit masks, compiled at run time", count,
            order=60)
