"""The catalogue of searches in instances of queens, one file for each algorithm."""

from nqbench._algorithm import Catalogue
from nqbench.instances.algorithms.base import Search

__all__ = ["Search", "catalogue", "find"]


class _Catalogue(Catalogue[Search]):
    """The built-in algorithms; `find` also knows external algorithms."""

    def find(self, name: str | Search) -> Search:
        if isinstance(name, str) and name in self:
            return self[name]
        from nqbench import plugins

        found: Search = plugins.find(name, "instances")
        return found


_catalogue = _Catalogue(__name__, "algorithm of instances")


def catalogue() -> Catalogue[Search]:
    """Return all algorithms by name.

    >>> catalogue()["forward_checking"].year
    1980
    """
    return _catalogue


def find(name: str | Search) -> Search:
    """Return the algorithm of that name, in the notation of `nqbench.plugins`; some take a random
    seed after a colon, as in restarts_luby:7. Return an algorithm unchanged.

    >>> find("bitmasks")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm of instances 'bitmasks'; did you ...
    """
    return _catalogue.find(name)
