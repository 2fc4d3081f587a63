"""The external algorithms that are known in this process, and how they are loaded from files and
modules.
"""

import __future__

import importlib
import linecache
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import replace
from hashlib import sha256
from inspect import getsourcefile, unwrap
from pathlib import Path
from traceback import extract_tb
from types import CodeType, ModuleType
from typing import Any, TypeVar, cast

from nqbench import errors
from nqbench.errors import InvalidTypeError, InvalidValueError, describe_error
from nqbench.problems import PROBLEMS
from nqbench.search.algorithm import Algorithm
from nqbench.util.arguments import require_text
from nqbench.util.files import LARGE, read_bounded
from nqbench.util.versions import COMMIT_DIGITS, read_version, remove_version, split_version

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
    >>> mine = nqbench.register(replace(nqbench.problems.queens.find("bitmask"), name="mine"))
    >>> nqbench.count(8, algorithm="mine")
    92
    """
    if not isinstance(algorithm, Algorithm) or algorithm.problem not in PROBLEMS:
        raise InvalidTypeError(f"an algorithm must be one of {', '.join(PROBLEMS)}, not "
                               f"{algorithm!r:.80}")
    commit = split_version(home(algorithm))[1][:COMMIT_DIGITS]
    name = require_name(algorithm.name if not commit else remove_version(algorithm.name),
                        "an algorithm") + f" ({commit})" * bool(commit)
    algorithm = replace(algorithm, name=name) if commit else algorithm
    for problem in (algorithm.problem, QUEENS):
        other = PROBLEMS[problem].catalogue.get(name)
        if other is algorithm or (other and home(other) == home(algorithm)):  # in its own file
            return cast(Entry, other)
        if other is not None:
            raise InvalidValueError(f"the name {name!r} is taken by a built-in algorithm "
                                    f"({other.origin}); choose another name")
    other = known.get(name)
    if other is not None:
        homes = home(other), home(algorithm)
        if homes[0] != homes[1] and MAIN not in homes:
            raise InvalidValueError(f"the name {name!r} is taken by an algorithm of {homes[0]}; "
                                    "choose another name")
    known[name], sources[name] = algorithm, digest(algorithm)
    return algorithm


def find_problems(name: str, first: str = QUEENS) -> Iterator[str]:
    """Yield the problems that have an algorithm of this name, the one wanted and queens first, each
    when it is asked for: the problems after it are not imported.

    >>> [*find_problems("bitmask")], [*find_problems("fast:avx2")], [*find_problems("quick")]
    (['queens', 'instances'], ['sudoku'], [])
    """
    plain = name.partition(":")[0]
    for problem in sorted(PROBLEMS, key=lambda each: (each != first, each != QUEENS)):
        if plain in PROBLEMS[problem].catalogue or (
                plain in known and known[plain].problem == problem):
            yield problem


def list_all() -> list[Algorithm[Any, Any]]:
    """Return all known algorithms by problem, queens first: the built-in ones, then the external
    ones.

    >>> [each.name for each in list_all()][:2], list_all()[-1].problem
    (['iterative', 'board_matrix'], 'sudoku')
    """
    return [each for problem in sorted(PROBLEMS, key=lambda each: each != QUEENS)
            for each in (*PROBLEMS[problem].catalogue.values(), *known.values())
            if each.problem == problem]


def is_outside(algorithm: object) -> bool:
    """Return whether an algorithm is external.

    >>> is_outside(PROBLEMS["queens"].find("bitmask"))
    False
    """
    return isinstance(algorithm, Algorithm) and algorithm.problem in PROBLEMS and (
        algorithm.name.partition(":")[0] not in PROBLEMS[algorithm.problem].catalogue)


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


def describe(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the technique of a function, the first line of its docstring, and its origin."""
    title = (function.__doc__ or "").strip().partition("\n")[0]
    origin = NOTEBOOK if (place := home(function)) == MAIN else Path(place).name
    return {"technique": title or "not described", "origin": origin}


def digest(algorithm: Algorithm[Any, Any]) -> str:
    """Return the SHA-256 of the source of an algorithm as it is now."""
    if own := getattr(algorithm, "digest", None):
        return str(own())
    code = find_code(algorithm)
    name = code.co_filename if code else getsourcefile(type(algorithm)) or ""
    path = Path(name)
    return sha256(read_bounded(path, LARGE) if path.is_file() else
                  "".join(linecache.getlines(name)).encode()).hexdigest()


def find_code(algorithm: Any) -> CodeType | None:
    """Return the code of an algorithm or function; None of anything else."""
    search = getattr(algorithm, "search", None)  # of a frame, that may be a column
    return getattr(unwrap(search if callable(search) else algorithm), "__code__", None)


OWN_FOLDERS = {Path(__file__).parents[2], Path(importlib.__file__).parent}  # not code of a plug-in

_files: dict[Path, tuple[tuple[int, int], ModuleType]] = {}  # time and size when it was loaded
_adapted: dict[tuple[ModuleType, str], Algorithm[Any, Any]] = {}  # functions, by their paths


def load(place: str, path: str = "") -> Mapping[str, Algorithm[Any, Any]]:
    """Return the algorithms of a file or module by name. If none has the name `path`, a function of
    n that has it becomes one; without `path` and an algorithm, the only function that can be meant.
    The algorithms of a version of a file, PATH.py@REVISION, get names that say so; those of the
    file as it is now stay known.

    Raises
    ------
    InvalidValueError
        naming the file or module, if it cannot be loaded or has none.
    """
    file, revision = split_version(place)
    able: list[str] = []  # what can be meant
    is_file = file.endswith(".py")
    before = dict(known)
    try:
        with _containing(), _searching(Path(file).resolve().parent if is_file else Path.cwd()):
            module = (_load_version(Path(file).resolve(), revision) if revision else
                      load_file(Path(place)) if is_file else importlib.import_module(place))
            found = _members(module)
            if not found:
                from nqbench.problems.plugins.functions import find_able

                able = [*find_able(vars(module), module.__name__)]
                path = path or "".join(able * (len(able) == 1))
            if path and path.partition(":")[0] not in found:
                found |= _adapt(module, str(module.__file__) if revision else place, path)
        found = {name: register(each) for name, each in found.items()}
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # whatever a plug-in raises
        known.clear()
        known.update(before)
        (text, command), why = _read_command(place), describe_failure(error)
        raise InvalidValueError(f"{place} cannot be loaded: {why}" + (
            f"; if it is a program, run it {command}" if is_file and "as a command" not in why and (
                isinstance(error, SystemExit) or re.search(r"argv|input\(|stdin", text)) else "")
            ) from error
    if not found:
        raise InvalidValueError(f"{place} has no algorithm; " + (
            f"name one of its functions, as in {place}::{able[0]}" if able else
            "decorate a generator with @nqbench.algorithm, write a function of n or a puzzle alone"
            + f", or run it {_read_command(place)[1]}" * is_file))
    return found


def _read_command(place: str) -> tuple[str, str]:
    """Return the text of a file, empty if there is none, and how it is run as a program."""
    text = ""
    with suppress(OSError, ValueError):
        text = read_bounded(Path(split_version(place)[0]), LARGE).decode("utf-8", "replace")
    solves = re.search("sudoku", f"{place}{text}", re.I) and not re.search("queen", text, re.I)
    return text, f"as a command: python3 {place} " + ("< {puzzles}" if solves else "{n}")


def _adapt(module: ModuleType, place: str, path: str) -> dict[str, Algorithm[Any, Any]]:
    """Return the algorithm made of a function of n or of a puzzle, by its path; none if there is
    none.
    """
    from nqbench.problems.plugins import puzzles
    from nqbench.problems.plugins.functions import adapt, pick

    if (module, path) not in _adapted:
        function = pick(vars(module), path)
        if function is None:
            return {}
        name, notation = path.rpartition(".")[2], f"{place}::{path}"
        while name in PROBLEMS[QUEENS].catalogue or (  # as in the files of other students
                getattr(known.get(name), "place", notation) != notation):
            name = f"{Path(place).stem.rpartition('.')[2]}_{name}"
        makers: list[Callable[..., Algorithm[Any, Any]]] = [adapt, puzzles.adapt]
        if puzzles.takes_puzzle(function):
            makers.reverse()
        errors: list[InvalidValueError] = []
        for make in makers:
            try:
                _adapted[module, path] = make(function, name, notation)
                break
            except InvalidValueError as error:
                errors.append(error)
        else:
            raise errors[0]
    return {path: _adapted[module, path]}


def _members(module: ModuleType) -> dict[str, Algorithm[Any, Any]]:
    """Return the algorithms of a module by the names in it, without built-in ones."""
    members = [getattr(module, name) for name in [*vars(module)]]  # imports what is lazy
    return {remove_version(each.name): each for each in members
            if isinstance(each, Algorithm) and each.problem
            and PROBLEMS[each.problem].catalogue.get(each.name) is not each}


@contextmanager
def _containing() -> Iterator[None]:
    """Hide the words of the command from an import, send to standard error what it prints, undo
    what it does to the standard streams, return from a folder to which it goes, and end the copies
    that it makes of this process.
    """
    process, words, folder = os.getpid(), sys.argv, Path()
    sys.argv = words[:1]
    with suppress(OSError):  # it was removed
        folder = Path.cwd()
    usual = sys.stderr and sys.stderr is sys.__stderr__  # a wrapper closes what it wraps
    own = os.fdopen(2, "w", 1, errors="replace", closefd=False) if usual else sys.stderr
    kept: list[tuple[int, int]] = []
    for number in range(3):
        with suppress(OSError):  # it is closed
            kept.append((os.dup(number), number))
    try:
        with redirect_stdout(own):
            yield
    finally:
        sys.argv = words
        if os.getpid() != process:
            os._exit(0)
        for copy, number in kept:
            os.dup2(copy, number)
            os.close(copy)
        os.chdir(folder)


@contextmanager
def _searching(folder: Path) -> Iterator[None]:
    """Let imported files import their neighbours in a folder, after all installed modules."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def load_file(path: Path) -> ModuleType:
    """Run a file as a module, or return it if the file has not changed.

    Python's own import would keep a compiled file beside it, and could take an old one.
    """
    path = path.resolve()
    status = path.stat()
    stamp = status.st_mtime_ns, status.st_size
    if path in _files and _files[path][0] == stamp:
        return _files[path][1]
    _files[path] = stamp, _run(str(path), read_bounded(path, LARGE))
    return _files[path][1]


def _load_version(path: Path, revision: str) -> ModuleType:
    """Run a file as it was at a revision, or return it; the line cache keeps its source."""
    commit, text = read_version(path, revision)
    version = Path(f"{path}@{commit}")
    if version not in _files:
        linecache.cache[str(version)] = len(text), None, text.splitlines(True), str(version)
        _files[version] = (0, 0), _run(str(version), text)
    return _files[version][1]


def _run(place: str, text: str | bytes) -> ModuleType:
    """Run the text of a file as a module, and return it."""
    module = ModuleType(f"nqbench_plugin_{sha256(place.encode()).hexdigest()[:12]}")
    module.__file__ = place
    del module.__spec__  # there is none; Python 3.15 warns of one that is None
    # Annotations are not evaluated: contests import their names, as List, for those who take part.
    code = compile(text, place, "exec", __future__.annotations.compiler_flag, dont_inherit=True)
    sys.modules[module.__name__] = module  # dataclasses look up their module
    exec(code, vars(module))
    return module


def describe_failure(error: BaseException) -> str:
    """Return an error of a plug-in in one line, with the last line of its own code."""
    if isinstance(error, errors.NqbenchError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = [frame for frame in extract_tb(error.__traceback__)
             if not frame.filename.startswith("<frozen")
             and OWN_FOLDERS.isdisjoint(Path(frame.filename).parents)]
    where = f"{Path(lines[-1].filename).name}, line {lines[-1].lineno}: " if lines else ""
    return where + describe_error(error)


def blame(error: BaseException) -> str | None:
    """Return the message for an error that the search of a plug-in raised; None for other errors.
    """
    if isinstance(error, errors.PluginError | errors.MiscountError):
        return str(error)
    files = {home(each): name for name, each in known.items()}
    culprit = next((frame.name if frame.name in known else files[frame.filename]
                    for frame in reversed(extract_tb(error.__traceback__))
                    if frame.filename in files), None)
    return culprit and f"the plug-in {culprit} failed: {describe_failure(error)}"
