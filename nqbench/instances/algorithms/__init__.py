"""The catalogue of searches in instances of queens: one file, one algorithm."""

from nqbench._catalogue import Catalogue
from nqbench.instances.algorithms.base import Search

__all__ = ["Search", "catalogue", "find"]

_catalogue: Catalogue[Search] = Catalogue(__name__, "algorithm of instances")


def catalogue() -> Catalogue[Search]:
    """Return all algorithms by name.

    >>> catalogue()["forward_checking"].year
    1980
    """
    return _catalogue


def find(name: str) -> Search:
    """Return the algorithm of that name; behind a colon some take a random seed, as in luby:7.

    >>> find("bitmasks")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm of instances 'bitmasks'; did you ...
    """
    return _catalogue.find(name)
