"""Load algorithms from files, modules and installed packages."""

import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any
from warnings import warn

from nqbench._algorithm import Algorithm
from nqbench.errors import DistrustError, InvalidValueError, NqbenchError, PluginError
from nqbench.plugins.registering import built_in, home, known, register
from nqbench.util.files import LARGE, read_bounded
from nqbench.util.text import describe_error

GROUP = "nqbench.algorithms"
OURS = {Path(__file__).parent.parent, Path(importlib.__file__).parent}  # not code of a plug-in

_files: dict[Path, tuple[tuple[int, int], ModuleType]] = {}  # time and size when it was loaded
_entry_points: list[bool] = []  # not empty once they are loaded


def load(place: str) -> Mapping[str, Algorithm[Any, Any]]:
    """Return the algorithms of a file or module by name.

    Raises
    ------
    InvalidValueError
        naming the file or module, if it cannot be loaded or has none.
    """
    is_file = place.endswith(".py")
    before = dict(known)
    try:
        with _containing(), _searching(Path(place).resolve().parent if is_file else Path.cwd()):
            module = _load_file(Path(place)) if is_file else importlib.import_module(place)
        found = _members(module)
        for each in found.values():
            register(each)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a plug-in raises
        known.clear()
        known.update(before)
        raise InvalidValueError(f"{place} cannot be loaded: {describe_failure(error)}") from error
    if not found:
        raise InvalidValueError(f"{place} has no algorithm; decorate a generator with "
                                "@nqbench.algorithm")
    return found


def _members(module: ModuleType) -> dict[str, Algorithm[Any, Any]]:
    """Return the algorithms of a module by name, without built-in ones."""
    return {each.name: each for each in vars(module).values()
            if isinstance(each, Algorithm) and each.problem
            and built_in(each.problem).get(each.name) is not each}


@contextmanager
def _containing() -> Iterator[None]:
    """Undo what an import does to the standard streams, and end the copies that it makes of this
    process.
    """
    process = os.getpid()
    kept: list[tuple[int, int]] = []
    for number in range(3):
        with suppress(OSError):  # it is closed
            kept.append((os.dup(number), number))
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(0)
        for copy, number in kept:
            os.dup2(copy, number)
            os.close(copy)


@contextmanager
def _searching(folder: Path) -> Iterator[None]:
    """Let imported files import their neighbours in a folder, after all installed modules."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _load_file(path: Path) -> ModuleType:
    """Run a file as a module, or return it if the file has not changed.

    Python's own import would keep a compiled file beside it, and could take an old one.
    """
    path = path.resolve()
    status = path.stat()
    stamp = status.st_mtime_ns, status.st_size
    if path in _files and _files[path][0] == stamp:
        return _files[path][1]
    module = ModuleType(f"nqbench_plugin_{sha256(str(path).encode()).hexdigest()[:12]}")
    module.__file__ = str(path)
    code = compile(read_bounded(path, LARGE), str(path), "exec", dont_inherit=True)
    sys.modules[module.__name__] = module  # dataclasses look up their module
    exec(code, vars(module))
    _files[path] = stamp, module
    return module


def describe_failure(error: BaseException) -> str:
    """Return an error of a plug-in in one line, with the last line of its own code."""
    if isinstance(error, NqbenchError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = [frame for frame in extract_tb(error.__traceback__)
             if not frame.filename.startswith("<frozen")
             and OURS.isdisjoint(Path(frame.filename).parents)]
    where = f"{Path(lines[-1].filename).name}, line {lines[-1].lineno}: " if lines else ""
    return where + describe_error(error)


def blame(error: BaseException) -> str | None:
    """Return the message for an error that the search of a plug-in raised; None for other errors.
    """
    if isinstance(error, PluginError | DistrustError):
        return str(error)
    files = {home(each): name for name, each in known.items()}
    culprit = next((files[frame.filename] for frame in reversed(extract_tb(error.__traceback__))
                    if frame.filename in files), None)
    return culprit and f"the plug-in {culprit} failed: {describe_failure(error)}"


def load_entry_points() -> None:
    """Register the algorithms of installed packages, only once; warn about each that cannot be
    used.
    """
    if _entry_points:
        return
    _entry_points.append(True)
    for entry in entry_points(group=GROUP):
        try:
            with _containing():
                found = entry.load()
            members = _members(found).values() if isinstance(found, ModuleType) else [found]
            for each in members:
                register(each)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a plug-in raises
            warn(f"the plug-in {entry.name} ({entry.value}) cannot be used: "
                 f"{describe_failure(error)}", RuntimeWarning, stacklevel=2)
