"""numba: the recursion with bit masks in plain Python, compiled by numba when first called.

Not copied from anywhere: it is what one writes who knows `nqbench.algorithms.bitmask`.

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
        """Return how many solutions fill the rows left, given what is attacked in the next."""
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
