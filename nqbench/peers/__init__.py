"""The peers: what a Python user would otherwise pick to count the solutions of n queens.

Each is asked in the way that its own documentation recommends for finding all solutions, and
as it comes: one thread, the default settings. None is imported before it is used; all are
optional: `pip install "nqbench[peers]"`.

>>> [peer.name for peer in PEERS]
['CP-SAT', 'python-sat', 'clingo', 'exact-cover', 'dlx-cython', 'numba']
"""

from nqbench.peers import asp, compiled, cover, cp, sat
from nqbench.peers._peer import Peer

PEERS = (
    Peer("CP-SAT", "ortools", "constraints: all columns, sums and differences different",
         cp.count),
    Peer("python-sat", "python-sat", "clauses for CaDiCaL, each solution excluded by one more",
         sat.count),
    Peer("clingo", "clingo", "a logic program of four rules", asp.count),
    Peer("exact-cover", "exact-cover", "an exact cover by dancing links in C", cover.by_c),
    Peer("dlx-cython", "dlx-cython", "an exact cover by dancing links in Cython",
         cover.by_cython),
    Peer("numba", "numba", "the recursion with bit masks, compiled at run time",
         compiled.count),
)

__all__ = ["PEERS", "Peer"]
