"""The peers: other packages with which a Python user could count the solutions of n queens.

There is one file for each peer. It is used as its own documentation recommends for finding all
solutions, with one thread and the default settings. It is imported only when it is used. All peers
are optional: `pip install "nqbench[peers]"`. An installed package adds others by entry points of
the group `nqbench.peers`.

>>> [peer.name for peer in peers()][:6]
['CP-SAT', 'python-sat', 'clingo', 'exact-cover', 'dlx-cython', 'numba']
"""

from typing import Any

from nqbench.peers._peer import Peer
from nqbench.util.discovery import Folder, Open

__all__ = ["Peer", "peers"]

_FOLDER: Open[Peer] = Open(
    Folder(__name__, "PEER", "peer", named=False), group="nqbench.peers", kind=Peer)


def peers() -> tuple[Peer, ...]:
    """Return all peers, in the order of their `order`."""
    return tuple(sorted(_FOLDER.values(), key=lambda peer: (peer.order, peer.name)))


def __getattr__(name: str) -> Any:
    """Return PEERS, all peers."""
    if name == "PEERS":
        return peers()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
