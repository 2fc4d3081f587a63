"""dlx-cython: the same matrix as for exact-cover, by dancing links in Cython.

https://github.com/robmbrooks/dlx
"""

from nqbench.peers._peer import Peer
from nqbench.peers.cover import matrix


def count(n: int) -> int:
    """Count all solutions, of which dlx-cython makes a list."""
    from dlxsolver import DLXSolver

    return len(DLXSolver(matrix(n)).solve(find_all=True))


PEER = Peer("dlx-cython", "dlx-cython", "an exact cover by dancing links in Cython", count,
            order=50)
