"""The catalogue of the queens, one file for each algorithm: first those of the documents in
docs/sources.md, in their order, then further ideas.
"""

from typing import Any

from nqbench._algorithm import Algorithm, Catalogue, Finds, Tree
from nqbench.algorithms._implementations import Implementation
from nqbench.algorithms.base import PART, QueensAlgorithm, Search

__all__ = ["PART", "Algorithm", "Finds", "Implementation", "QueensAlgorithm", "Search", "Tree",
           "catalogue", "find"]


class _Catalogue(Catalogue[QueensAlgorithm]):
    """The built-in algorithms; `find` also knows external algorithms."""

    def find(self, name: str | QueensAlgorithm) -> QueensAlgorithm:
        if isinstance(name, str) and name in self:
            return self[name]
        from nqbench import plugins

        found: QueensAlgorithm = plugins.find(name)
        return found


_catalogue = _Catalogue(__name__)


def catalogue() -> Catalogue[QueensAlgorithm]:
    """Return all built-in algorithms by name.

    >>> catalogue()["somers"].year
    2002
    """
    return _catalogue


def find(name: str | QueensAlgorithm) -> QueensAlgorithm:
    """Return the algorithm of that name, in the notation of `nqbench.plugins`; return an algorithm
    unchanged.

    Raises
    ------
    TypeError, ValueError
        if there is none, naming the nearest names, or if its file cannot be loaded.

    Examples
    --------
    >>> find("width_limited:4").count(8)
    39
    >>> find("sommers")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm 'sommers'; did you mean somers?
    """
    return _catalogue.find(name)


def __getattr__(name: str) -> Any:
    """Return NAMES, the names of all algorithms, or PUBLISHED, the names of those that come from
    the documents in docs/sources.md.
    """
    if name == "NAMES":
        return tuple(_catalogue)
    if name == "PUBLISHED":
        return tuple(each for each, algorithm in _catalogue.items()
                     if isinstance(algorithm, Search) and algorithm.prints)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
