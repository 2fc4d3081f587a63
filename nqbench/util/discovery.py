"""Find the members of a kind by name: in a table, or in a folder.

Topics are found by their folders: nothing imports one by name.
"""

import json
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, TypeVar

from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_text
from nqbench.util.text import unknown

Member = TypeVar("Member")
TOPICS = f"{__name__.partition('.')[0]}.topics"


class Members(Mapping[str, Member]):
    """The members of a kind, by name, in their order.

    Parameters
    ----------
    noun
        the word for a member in messages.
    members
        the members.

    Examples
    --------
    >>> fruits = Members("fruit", {"pear": "green", "apple": "red"})
    >>> fruits, fruits["apple"]
    (<Members: pear, apple>, 'red')
    >>> fruits.find("peer")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no fruit 'peer'; did you mean pear?
    """

    def __init__(self, noun: str, members: Mapping[str, Member]) -> None:
        self.noun, self.members = noun, members

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
        return self.members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self)}>"


class Folder(Members[Member]):
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

    Examples
    --------
    >>> modules = Folder("json", "__name__", "module", shared={"tool"})
    >>> modules.names(), modules["decoder"]
    (('decoder', 'encoder', 'scanner'), 'json.decoder')
    """

    def __init__(self, package: str, attribute: str, noun: str,
                 shared: Collection[str] = ()) -> None:
        self.package, self.attribute, self.noun = package, attribute, noun
        self.shared = frozenset(shared)

    def names(self) -> tuple[str, ...]:
        """Return the names of all members, sorted."""
        module = sys.modules.get(self.package) or import_module(self.package)
        return _modules(tuple(module.__path__), self.shared)

    def __getitem__(self, name: str) -> Member:
        if name not in self:
            raise KeyError(name)
        return self._load(name)

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
        if own != name:
            raise InvalidValueError(f"{module.__file__} must hold the {self.noun} {name!r}, not "
                                    f"{own!r}")
        return member

    def __contains__(self, name: Any) -> bool:
        return name in self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())


def topics() -> dict[str, Path]:
    """Return the folder of each topic by the name of its package.

    >>> {"nqbench.topics.engines", "nqbench.topics.sudoku"} <= {*topics()}
    True
    """
    return {f"{TOPICS}.{folder.name}": folder for place in import_module(TOPICS).__path__
            for folder in sorted(Path(place).iterdir())
            if folder.is_dir() and folder.name[0] != "_"}


def read_topics() -> dict[str, dict[str, Any]]:
    """Return what the `topic.json` of each topic says, by the name of its package: where its
    `experiments` are, MODULE:CLASS by name, and its `metrics`.

    >>> read_topics()["nqbench.topics.sudoku"]["experiments"]
    {'rates': 'measurement:Rates'}
    """
    return {package: _read_once(file) for package, folder in topics().items()
            if (file := folder / "topic.json").exists()}


@cache
def _read_once(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def topic_files(pattern: str) -> list[Path]:
    """Return the files of all topics that match a pattern, by topic and name.

    >>> {path.parent.name for path in topic_files("ladder.toml")}
    {'instances'}
    """
    return [path for folder in topics().values() for path in sorted(folder.glob(pattern))]


@cache
def _modules(path: tuple[str, ...], but: frozenset[str]) -> tuple[str, ...]:
    """Return the names of the modules in these folders, which are read once; see `Folder`."""
    names = {module.name for module in iter_modules(path) if module.name[0] != "_"}
    return tuple(sorted(names - but))
