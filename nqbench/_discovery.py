"""Find the members of a kind in their folder: a module each, imported when it is first needed."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

from nqbench._arguments import require_text
from nqbench._text import unknown
from nqbench.errors import InvalidValueError

Member = TypeVar("Member")


class Folder(Mapping[str, Member]):
    """The members in the folder of a package, by the names of their modules.

    Looking a member up imports its module; listing the names imports none. Modules whose names
    begin with an underscore are not members.

    Parameters
    ----------
    package
        name of the package; a folder that is added to its `__path__` is searched, too.
    attribute
        what a module calls its member.
    noun
        what messages call a member.
    shared
        names of the modules that hold no member.

    Examples
    --------
    >>> modules = Folder("json", "__name__", "module", shared={"tool"})
    >>> modules.names(), modules["decoder"]
    (('decoder', 'encoder', 'scanner'), 'json.decoder')
    >>> modules.find("scaner")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no module 'scaner'; did you mean scanner?
    """

    def __init__(self, package: str, attribute: str, noun: str,
                 shared: Collection[str] = ()) -> None:
        self.package, self.attribute, self.noun = package, attribute, noun
        self.shared = frozenset(shared)

    def names(self) -> tuple[str, ...]:
        """Return the names of all members, sorted."""
        return _names(tuple(import_module(self.package).__path__), self.shared)

    def find(self, name: str) -> Member:
        """Return the member of that name.

        Raises
        ------
        InvalidTypeError
            if the name is no text.
        InvalidValueError
            if there is no such member; the message has the nearest names.
        """
        if require_text(name, self.noun) not in self:
            raise InvalidValueError(unknown(self.noun, name, self))
        return self._load(name)

    def __getitem__(self, name: str) -> Member:
        if name not in self:
            raise KeyError(name)
        return self._load(name)

    def _load(self, name: str) -> Member:
        member: Member = getattr(import_module(f"{self.package}.{name}"), self.attribute)
        return member

    def __contains__(self, name: Any) -> bool:
        return name in self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())


@cache
def _names(path: tuple[str, ...], shared: frozenset[str]) -> tuple[str, ...]:
    """Return the names of the public modules in these folders, which are read once."""
    found = {module.name for module in iter_modules(path)} - shared
    return tuple(sorted(name for name in found if name[0] != "_"))
