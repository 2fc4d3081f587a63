"""The definition of a peer."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from nqbench.board import Columns
from nqbench.instances.board import Board

LAST = 1_000_000  # the place of a peer that does not name one


@dataclass(frozen=True)
class Peer:
    """A package that counts n queens. To add one, write `nqbench/peers/NAME.py` with `PEER =
    Peer(...)`.

    Attributes
    ----------
    name
        its name in tables and plots.
    package
        the name of its distribution.
    what
        how it is used, in a few words.
    count
        a function that returns the number of all solutions for n >= 1, and builds its model again
        each time. A process that measures imports it by name.
    order
        its place among the peers.
    solve
        a function that returns a solution of an instance, None if there is none; not all peers have
        it.

    Examples
    --------
    The whole of a file walk.py, a peer from the standard library:

    >>> from itertools import permutations
    >>> from nqbench.peers import Peer
    >>> def count(n):
    ...     return sum(n == len({r + c for r, c in enumerate(columns)})
    ...                  == len({r - c for r, c in enumerate(columns)})
    ...                for columns in permutations(range(n)))
    >>> PEER = Peer("itertools", "nqbench", "all permutations", count)

    What a study does with it:

    >>> PEER.count(6), PEER.installed() is None
    (4, False)
    """

    name: str
    package: str
    what: str
    count: Callable[[int], int]
    order: int = LAST
    solve: Callable[[Board], Columns | None] | None = None

    def installed(self) -> str | None:
        """Return the version of its package, None if it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None
