"""The external algorithms that are known in this process, by name."""

import linecache
from collections.abc import Mapping
from hashlib import sha256
from inspect import getsourcefile, unwrap
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar, cast

from nqbench._algorithm import Algorithm
from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems import PROBLEMS
from nqbench.util.arguments import require_text
from nqbench.util.files import LARGE, read_bounded

MAIN = "__main__"  # a script or a notebook
NOTEBOOK = "a script or notebook"
QUEENS = "queens"
Entry = TypeVar("Entry", bound=Algorithm[Any, Any])

known: dict[str, Algorithm[Any, Any]] = {}
sources: dict[str, str] = {}  # the SHA-256 of their sources when they were registered


def register(algorithm: Entry) -> Entry:
    """Register an algorithm under its name, like the decorator, and return it.

    Another algorithm of that name from the same file, or from a notebook, is replaced.

    Raises
    ------
    TypeError, ValueError
        if it is not an algorithm of a problem, or if its name is taken.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import nqbench
    >>> mine = nqbench.register(replace(nqbench.algorithms.find("bitmask"), name="mine"))
    >>> nqbench.count(8, algorithm="mine")
    92
    """
    if not isinstance(algorithm, Algorithm) or algorithm.problem not in PROBLEMS:
        raise InvalidTypeError(f"an algorithm must be one of {', '.join(PROBLEMS)}, not "
                               f"{algorithm!r:.80}")
    name = require_name(algorithm.name, "an algorithm")
    for problem in (algorithm.problem, QUEENS):
        other = built_in(problem).get(name)
        if other is algorithm:
            return algorithm
        if other is not None:
            raise InvalidValueError(f"the name {name!r} is taken by a built-in algorithm "
                                    f"({other.origin}); choose another name")
    other = known.get(name)
    if other is not None:
        homes = home(other), home(algorithm)
        if homes[0] != homes[1] and MAIN not in homes:
            raise InvalidValueError(f"the name {name!r} is taken by an algorithm of "
                                    f"{describe_home(homes[0])}; choose another name")
    known[name], sources[name] = algorithm, digest(algorithm)
    return algorithm


def built_in(problem: str) -> Mapping[str, Algorithm[Any, Any]]:
    """Return the built-in algorithms of a problem by name.

    >>> "fewest_lines" in built_in("queens"), "restarts_luby" in built_in("queens")
    (True, False)
    """
    return PROBLEMS.find(problem).catalogue


def is_outside(algorithm: object) -> bool:
    """Return whether an algorithm is external.

    >>> is_outside(built_in("queens")["bitmask"])
    False
    """
    return isinstance(algorithm, Algorithm) and algorithm.problem in PROBLEMS and (
        algorithm.name.partition(":")[0] not in built_in(algorithm.problem))


def registered() -> Mapping[str, Algorithm[Any, Any]]:
    """Return the external algorithms that are known in this process, by name."""
    return dict(known)


def require_name(name: object, what: str) -> str:
    """Check that a name is valid in the notation, and return it.

    >>> require_name("my idea", "an algorithm")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: the name of an algorithm must be an identifier, not 'my idea'
    """
    if not require_text(name, f"the name of {what}").isidentifier():
        raise InvalidValueError(f"the name of {what} must be an identifier, not {name!r}")
    return cast(str, name)


def home(search: object) -> str:
    """Return the file of a search or algorithm, or `__main__` for a script or notebook."""
    function: Any = getattr(search, "search", None) or search
    module = str(getattr(function, "__module__", type(function).__module__))
    code = find_code(search)
    return module if module == MAIN or code is None else code.co_filename


def describe_home(name: str) -> str:
    return NOTEBOOK if name == MAIN else Path(name).name


def digest(algorithm: Algorithm[Any, Any]) -> str:
    """Return the SHA-256 of the source of an algorithm as it is now."""
    code = find_code(algorithm)
    name = code.co_filename if code else getsourcefile(type(algorithm)) or ""
    path = Path(name)
    return sha256(read_bounded(path, LARGE) if path.is_file() else
                  "".join(linecache.getlines(name)).encode()).hexdigest()


def find_code(algorithm: Any) -> CodeType | None:
    """Return the code of an algorithm or function."""
    function = unwrap(getattr(algorithm, "search", None) or algorithm)
    return getattr(function, "__code__", None)
