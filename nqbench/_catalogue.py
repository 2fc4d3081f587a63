"""A catalogue: the algorithms of a problem, found in their folder, one file for each algorithm."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from nqbench._algorithm import Algorithm
from nqbench._arguments import require_text
from nqbench._discovery import Folder
from nqbench._text import unknown
from nqbench.errors import InvalidValueError

Entry = TypeVar("Entry", bound=Algorithm[Any, Any])

SHARED = ("base",)  # public modules in a folder of algorithms that are not algorithms


class Catalogue(Folder[Entry]):
    """The algorithms in the folder of a package, by name, in the order of their `order`.

    Each is the `ALGORITHM` of a module that has its name. Looking one up imports its module.

    >>> queens = Catalogue("nqbench.algorithms")
    >>> list(queens)[:2], queens["somers"].year
    (['iterative', 'board_matrix'], 2002)
    """

    def __init__(self, package: str, noun: str = "algorithm") -> None:
        super().__init__(package, "ALGORITHM", noun, SHARED)
        self._order: dict[tuple[str, ...], list[str]] = {}

    def __iter__(self) -> Iterator[str]:
        names = self.names()
        if names not in self._order:
            self._order[names] = sorted(names, key=lambda name: (self[name].order, name))
        return iter(self._order[names])

    def find(self, name: str) -> Entry:
        """Return the algorithm of that name; if it has a parameter, a value may follow after a
        colon.

        Raises
        ------
        TypeError, ValueError
            if there is none, naming the nearest names.

        Examples
        --------
        >>> Catalogue("nqbench.algorithms").find("width_limited:4").count(8)
        39
        """
        return find_algorithm(self, name, self.noun)


def find_algorithm(catalogue: Mapping[str, Entry], name: str, noun: str = "algorithm") -> Entry:
    """Return the algorithm of that name; see `Catalogue.find`."""
    if require_text(name, noun) in catalogue:
        return catalogue[name]
    plain, colon, value = name.partition(":")
    if not colon or plain not in catalogue:
        if "." in plain:
            raise InvalidValueError(f"there is no {noun} {name!r}; a file must end in .py")
        raise InvalidValueError(unknown(noun, name, catalogue, "run `nqbench list`"))
    chosen: Any = catalogue[plain].chosen(value)
    found: Entry = chosen
    return found
