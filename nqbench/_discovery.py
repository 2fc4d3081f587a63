"""Find the members of a kind in their folder: a module each, imported when it is first needed."""

import sys
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
        name of the package; a folder that is added to its `__path__` is searched, too, in this
        process.
    attribute
        what a module calls its member.
    noun
        what messages call a member.
    shared
        names of the modules that hold no member.
    named
        whether a member that has a name has that of its module.

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
                 shared: Collection[str] = (), named: bool = True) -> None:
        self.package, self.attribute, self.noun = package, attribute, noun
        self.shared, self.named = frozenset(shared), named
        self._path: tuple[str, ...] | None = None
        self._names: tuple[str, ...] = ()
        self._members: dict[str, Member] = {}  # those looked up so far

    def names(self) -> tuple[str, ...]:
        """Return the names of all members, sorted."""
        self._follow_path()
        return self._names

    def _follow_path(self) -> None:
        """Read the folders again if there are others."""
        module = sys.modules.get(self.package) or import_module(self.package)
        path = tuple(module.__path__)
        if path != self._path:
            self._path, self._members = path, {}
            self._names = tuple(name for name in _modules(path)
                                if name[0] != "_" and name not in self.shared)

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
        return self[name]

    def __getitem__(self, name: str) -> Member:
        self._follow_path()
        if name not in self._members:
            if name not in self._names:
                raise KeyError(name)
            self._members[name] = self._load(name)
        return self._members[name]

    def _load(self, name: str) -> Member:
        """Import a member; its own name, if it has one, is that of its module.

        Raises
        ------
        InvalidValueError
            if the module has no member, or one of another name.
        """
        module = import_module(f"{self.package}.{name}")
        if not hasattr(module, self.attribute):
            raise InvalidValueError(f"{module.__file__} must define {self.attribute}; the name of "
                                    "a module that is no member begins with _")
        member: Member = getattr(module, self.attribute)
        own = getattr(member, "name", name)
        if self.named and own != name:
            raise InvalidValueError(f"{module.__file__} must hold the {self.noun} {name!r}, not "
                                    f"{own!r}")
        return member

    def __contains__(self, name: Any) -> bool:
        return name in self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())


@cache
def _modules(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all modules in these folders, which are read once."""
    return tuple(sorted({module.name for module in iter_modules(path)}))
