"""Find the members of a kind in their folder. Each is a module, imported when it is first needed.
"""

import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, TypeVar

from nqbench._arguments import require_text
from nqbench._text import describe_error, unknown
from nqbench.errors import InvalidValueError

Member = TypeVar("Member")


class Folder(Mapping[str, Member]):
    """The members in the folder of a package, by the names of their modules.

    Looking a member up imports its module; listing the names imports none. Modules whose names
    begin with an underscore are not members.

    Parameters
    ----------
    package
        name of the package; this process also searches a folder that is added to its `__path__`.
    attribute
        the name of the member in its module.
    noun
        the word for a member in messages.
    shared
        names of the modules without a member.
    named
        whether a member that has a name must have the name of its module.

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
        self._members: dict[str, Member] = {}  # the members looked up so far

    def names(self) -> tuple[str, ...]:
        """Return the names of all members, sorted."""
        self._follow_path()
        return self._names

    def _follow_path(self) -> None:
        """Read the folders again if they have changed."""
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
            if the name is not a string.
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
        """Import a member, and check that its name, if it has one, is the name of its module.

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


class OpenFolder(Folder[Member]):
    """A folder to which installed packages add members by entry points. The name of an entry point
    is the name of the member, and its value refers to the member.

    Parameters
    ----------
    group
        the group of the entry points.
    kind
        the class of the members.
    explain_fault
        a function that returns why a member of a package cannot be used; empty if it can.

    Examples
    --------
    >>> OpenFolder("json", "__name__", "module", group="mylab.modules", kind=str).installed()
    {}
    """

    def __init__(self, package: str, attribute: str, noun: str, *, group: str, kind: type[Member],
                 explain_fault: Callable[[Member], str] = lambda member: "",
                 named: bool = True) -> None:
        super().__init__(package, attribute, noun, named=named)
        self.group, self.kind, self.explain_fault = group, kind, explain_fault
        self._installed: dict[str, Member] | None = None
        self.homes: set[str] = set()  # the folders of the modules of installed members

    def names(self) -> tuple[str, ...]:
        return tuple(sorted({*super().names(), *self.installed()}))

    def __contains__(self, name: Any) -> bool:
        return name in super().names() or name in self.installed()

    def __getitem__(self, name: str) -> Member:
        """Return the member; entry points are looked at only if it is not in the folder."""
        if name in super().names():
            return super().__getitem__(name)
        return self.installed()[name]

    def forget(self) -> None:
        """Read the entry points again when they are next needed."""
        self._installed = None

    def installed(self) -> dict[str, Member]:
        """Return the members that entry points name; a warning names each one that is broken."""
        if self._installed is not None:
            return self._installed
        from importlib.metadata import entry_points

        found: dict[str, Member] = {}
        for point in sorted(entry_points(group=self.group)):
            try:
                fault = self._explain_fault(point.name, member := point.load())
            except (Exception, SystemExit) as error:  # anything that an external module raises
                fault = describe_error(error)
            if fault:
                warnings.warn(f"the {self.noun} {point.name!r} ({point.value}) is ignored: {fault}",
                              stacklevel=3)
            else:
                found[point.name] = member
                self.homes.add(str(Path(str(sys.modules[point.module].__file__)).parent))
        self._installed = found
        return found

    def _explain_fault(self, name: str, member: Any) -> str:
        """Return why the object of an entry point is not a member; empty if it is."""
        if not isinstance(member, self.kind):
            return f"it is no {self.kind.__name__}, but of type {type(member).__name__}"
        own = getattr(member, "name", name)
        if self.named and own != name:
            return f"its name is {own!r}"
        if name in super().names():
            return f"nqbench has a {self.noun} of this name"
        return self.explain_fault(member)


@cache
def _modules(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all modules in these folders, which are read once."""
    return tuple(sorted({module.name for module in iter_modules(path)}))
