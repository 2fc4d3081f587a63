"""The catalogue of Sudoku, one file for each algorithm."""

from typing import Any

from nqbench._algorithm import Algorithm, Catalogue
from nqbench.builds.running import Bounded as Implementation
from nqbench.builds.running import Outcome
from nqbench.sudoku.algorithms.base import Search

__all__ = ["Algorithm", "Implementation", "Outcome", "Search", "catalogue", "find"]


class _Catalogue(Catalogue[Search]):
    """The built-in algorithms; `find` also knows external algorithms."""

    def find(self, name: str | Search) -> Search:
        if isinstance(name, str) and name in self:
            return self[name]
        from nqbench import plugins

        found: Search = plugins.find(name, "sudoku")
        return found


_catalogue = _Catalogue(__name__, "algorithm of Sudoku")


def catalogue() -> Catalogue[Search]:
    """Return all algorithms by name.

    >>> catalogue()["fewest_first"].year
    2006
    """
    return _catalogue


def find(name: str | Search) -> Search:
    """Return the algorithm of that name, in the notation of `nqbench.plugins`; `fast` takes a
    kernel after a colon, as in fast:avx2. Return an algorithm unchanged.

    >>> find("fastest")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm of Sudoku 'fastest'; did you mean ...
    """
    return _catalogue.find(name)


def __getattr__(name: str) -> Any:
    """Return NAMES, those of all algorithms."""
    if name == "NAMES":
        return tuple(_catalogue)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
