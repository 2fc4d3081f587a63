"""Find algorithms by the notation of `nqbench.problems.plugins`."""

import json
import re
import shlex
import sys
from collections import ChainMap
from collections.abc import Mapping
from contextlib import suppress
from inspect import unwrap
from pathlib import Path
from shutil import which
from typing import Any, TypeGuard, cast

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems import PROBLEMS
from nqbench.problems.plugins import registry
from nqbench.problems.plugins.registry import MAIN, QUEENS, is_outside, known
from nqbench.search.algorithm import Algorithm, find_algorithm
from nqbench.util.arguments import require_text
from nqbench.util.files import is_file
from nqbench.util.versions import remove_version, split_version

PUZZLES = "< {puzzles}"  # the end of a command that reads puzzles of Sudoku
# By the end of a file's name: the language, the build, and the command of a file; {} is its name.
LANGUAGES: dict[str, list[str]] = json.loads(
    Path(__file__).with_name("languages.json").read_text("utf-8"))
LANGUAGES[".sh"] = ["shell", "", f"{'bash' if which('bash') else 'sh'} {{}} {{n}}"]


def find(notation: object, problem: str | None = QUEENS) -> Any:
    """Return the algorithm of a problem that a notation names; return an algorithm unchanged.

    If `problem` is None, it may be one of any problem, of queens if several have the name.

    Raises
    ------
    TypeError, ValueError
        if there is none, or several, or if it cannot be loaded.

    Examples
    --------
    >>> find("width_limited:4").name
    'width_limited:4'
    >>> find("somers@cython")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: @cython is not supported here; give somers alone
    """
    return _require_one(find_all(notation, problem), notation)


def find_all(notation: object, problem: str | None = QUEENS) -> list[Any]:
    """Return the algorithms that a notation names: all of PATH.py, else one; see `find`."""
    found = resolve_all(notation, problem)
    if found[0][1] is not None:
        raise InvalidValueError(f"@{found[0][1]} is not supported here; give "
                                f"{str(notation).rpartition('@')[0]} alone")
    return [algorithm for algorithm, _ in found]


def resolve(notation: object, implementation: str | None = None,
            problem: str | None = QUEENS) -> tuple[Any, str | None]:
    """Return the algorithm and the implementation that a notation names, None if it names none.

    `implementation` is one that was given separately; for `problem` see `find`.

    Raises
    ------
    TypeError, ValueError
        if there is no such algorithm or implementation, or if two implementations are named.

    Examples
    --------
    >>> resolve("somers@cython")[1], resolve("somers")[1]
    ('cython', None)
    """
    found = resolve_all(notation, problem)
    named = found[0][1]
    chosen = _require_one([algorithm for algorithm, _ in found], notation)
    if named is not None and implementation not in (None, named):
        raise InvalidValueError(
            f"{notation} and the implementation {implementation!r} exclude each other")
    return chosen, implementation if named is None else named


def resolve_all(notation: object, problem: str | None = QUEENS) -> list[tuple[Any, str | None]]:
    """Return the algorithms that a notation names, as `find_all` does, each with the implementation
    that it names, None if it names none.
    """
    if isinstance(notation, Algorithm):
        return [(_require(notation, problem), None)]
    # The usual case, which a count of microseconds waits for.
    if problem and isinstance(notation, str) and notation in PROBLEMS[problem].catalogue:
        return [(PROBLEMS[problem].catalogue[notation], None)]
    if is_command(notation):
        from nqbench.problems.plugins import programs, puzzles

        kind = puzzles if notation.endswith(PUZZLES) else programs
        return [(_require(kind.from_command(notation), problem), None)]
    place, name, named = _split(require_algorithm(notation))
    _require_no_command(cast(str, notation), name in known or is_file(place or name))
    found = (_load(place, problem) if place is not None and not name else
             [_require(_find_named(place, name, problem), problem)])
    if named is not None:
        _require_one(found, place).find_implementation(named)
    return [(algorithm, named) for algorithm in found]


def find_version(place: str) -> Any:
    """Return the algorithm of queens of PATH.py or PATH.py@REVISION, or one of several, named by a
    `::NAME` at its end; raise what `find` raises.
    """
    return find(place) if "::" in place else _require_one(_load(place, QUEENS), place)


def locate(algorithm: Algorithm[Any, Any]) -> str:
    """Return the notation that finds an algorithm in another process; if only a script or notebook
    has it, return its name.

    >>> from nqbench.problems.queens import find
    >>> locate(find("somers"))
    'somers'
    """
    name = algorithm.name.partition(":")[0]
    if not is_outside(algorithm):
        return algorithm.name
    if algorithm.place:
        return algorithm.place
    function: Any = unwrap(algorithm.search) if algorithm.search else type(algorithm)
    module = sys.modules.get(function.__module__)
    if module is None or module.__name__ == MAIN or not any(
            isinstance(each, Algorithm) and remove_version(each.name) == remove_version(name)
            for each in vars(module).values()):
        return algorithm.name
    place = module.__name__ if hasattr(module, "__spec__") else Path(str(module.__file__)).resolve()
    return f"{place}::{remove_version(algorithm.name)}"


def is_command(notation: object) -> TypeGuard[str]:
    """Return whether a notation is a command that starts a program.

    >>> is_command("./queens {n}"), is_command("queens.py::solve")
    (True, False)
    """
    return isinstance(notation, str) and ("{n}" in notation or notation.endswith(PUZZLES))


def names_file(notation: str) -> bool:
    """Return whether a notation begins with the path of a file.

    >>> [names_file(each) for each in ("a/b.py", "b.py::one@numba", "mylab.queens::one", "bitmask")]
    [True, True, False, False]
    """
    return split_version(_split(notation)[0] or "")[0].endswith(".py")


def require_algorithm(notation: object) -> str:
    """Check that a notation is a string, and return it."""
    if callable(notation):
        raise InvalidTypeError(
            f"algorithm must be a name or an algorithm, not a function; decorate "
            f"{getattr(notation, '__name__', notation)} with @nqbench.algorithm")
    return require_text(notation, "algorithm")


def _require_no_command(text: str, exists: bool) -> None:
    """Reject what is a command without n, or a file that a command must run."""
    file = text.partition("::")[0]
    language, build, command = LANGUAGES.get(Path(file).suffix, ("", "", ""))
    if language and " " not in text:
        raise InvalidValueError(
            f"{file} is in {language}; give the command that runs it, as in "
            f"'{command.replace('{}', file)}'"
            + f", after {build.replace('{}', file)}" * bool(build))
    words = split_words(text)
    if (not exists and which(words[0]) if len(words) > 1 else not names_file(text)
            and "::" not in text and ("{" in text or re.match(r"[.~]*/", text))):
        raise InvalidValueError(f"{text!r} is no command that takes n; say where with {{n}}, as in "
                                f"'{re.sub(r'[{]N[}]', '', text.rstrip(' 8'))} {{n}}'; one that "
                                f"solves Sudoku ends in '{PUZZLES}'")


def split_words(command: str) -> list[str]:
    """Return the words of a command, without their quotes if these are valid.

    >>> split_words("'my python' -c '1'"), split_words("it's")
    (['my python', '-c', '1'], ["it's"])
    """
    with suppress(ValueError):
        return shlex.split(command)
    return command.split()


def _split(text: str) -> tuple[str | None, str, str | None]:
    """Return the file or module, the name, and the implementation of a notation."""
    place, colons, name = text.rpartition("::")
    if not colons:
        path, _, named = text.rpartition("@")
        if text.endswith(".py"):
            return text, "", None
        if path.endswith(".py"):
            return path, "", named
    name, at, named = name.partition("@")
    return place if colons else None, name, named if at else None


def _find_named(place: str | None, name: str, problem: str | None) -> Algorithm[Any, Any]:
    """Return an algorithm by its name, which may have a value after a colon, from one place or from
    all known algorithms.
    """
    if place is not None and place in PROBLEMS:
        return find_algorithm(PROBLEMS[place].catalogue, name, f"algorithm of {place}")
    if place is not None:
        return find_algorithm(registry.load(place, name), name, f"algorithm in {place}:")
    home = next(registry.find_problems(name, problem or QUEENS), None)
    maps = [algorithms for each in ([home] if home else PROBLEMS) for algorithms in (
        _only(known, each), cast(dict[str, Any], PROBLEMS[each].catalogue))]
    return find_algorithm(ChainMap(*maps), name)


def _load(place: str, problem: str | None) -> list[Algorithm[Any, Any]]:
    """Return the algorithms of a file that are for a problem."""
    every = registry.load(place)
    found = _only(every, problem)
    if not found:
        raise InvalidValueError(f"{place} has no algorithm of {problem}, only " + ", ".join(
            f"{name} of {each.problem}" for name, each in every.items()))
    return [*found.values()]


def _require_one(found: list[Algorithm[Any, Any]], notation: object) -> Algorithm[Any, Any]:
    if len(found) > 1:
        names = [remove_version(each.name) for each in found]
        raise InvalidValueError(f"{notation} has {len(found)} algorithms, {', '.join(names)}; "
                                f"choose one, as in {notation}::{names[0]}")
    return found[0]


def _only(algorithms: Mapping[str, Any], problem: str | None) -> dict[str, Algorithm[Any, Any]]:
    """Return the algorithms of a problem by name, or all if it is None."""
    return {name: each for name, each in algorithms.items() if problem in (None, each.problem)}


def _require(algorithm: Algorithm[Any, Any], problem: str | None) -> Algorithm[Any, Any]:
    if problem not in (None, algorithm.problem):
        raise InvalidValueError(f"{algorithm.name} is an algorithm of {algorithm.problem}, not of "
                                f"{problem}; it takes {PROBLEMS[algorithm.problem].form}")
    return algorithm
