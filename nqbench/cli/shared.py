"""What all commands share: output, messages, and announcements of long work.

Data goes to standard output (with --json one object and nothing else), messages and
progress to standard error.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EPIPE
from pathlib import Path
from typing import Any, TextIO

import click

from nqbench.errors import InvalidValueError
from nqbench.util.files import FULL, require_target, write_whole
from nqbench.util.text import DAY, format_bytes, format_seconds, printable

LITTLE = 1e8  # bytes; every machine has more memory


@contextmanager
def print_warnings(every: bool = True) -> Iterator[None]:
    """Print each warning at once, as one line on standard error; those that Python ignores by
    default only if `every`.
    """
    import warnings

    with warnings.catch_warnings():
        if every:
            warnings.simplefilter("always")
        warnings.showwarning = lambda message, *rest, **more: say(f"warning: {message}")
        yield


@contextmanager
def folder(option: str, path: str) -> Iterator[None]:
    """Add the name of the option to an error of reading or writing its folder."""
    if not path:
        raise InvalidValueError(f"{option} must be a folder, not ''")
    try:
        yield
    except OSError as error:
        if error.errno in FULL or not str(error.filename).startswith(path):
            raise
        raise InvalidValueError(
            f"{option} must be a folder that can be read and written, not {path!r} "
            f"({error.filename}: {error.strerror})") from None


def require_out(option: str, path: str | None, new: bool = False) -> None:
    """Reject a file that an option names and that `write_out` would not write, before any work."""
    if path is not None:
        with _out(option, path):
            require_target(Path(path), new)


def write_out(option: str, path: str, data: str | bytes, new: bool = False) -> None:
    """Write a file that an option names, as `write_whole` does; an error names the option."""
    with _out(option, path):
        write_whole(Path(path), data, new)


@contextmanager
def _out(option: str, path: str) -> Iterator[None]:
    """Add the name of the option to an error of writing its file."""
    if not path:
        raise InvalidValueError(f"{option} must be a file, not ''")
    try:
        yield
    except OSError as error:
        if error.errno in {*FULL, EPIPE}:
            raise
        raise InvalidValueError(f"{option} must be a file that can be written, not {path!r} "
                                f"({error.strerror})") from None


def emit(data: dict[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(data))


BEGUN = "nqbench.begun"  # in the context: a JSON object has been printed in part


@contextmanager
def emitting(data: dict[str, Any], name: str) -> Iterator[Callable[[object], None]]:
    """Print one JSON object whose last member, `name`, is a list.

    Yield a function that prints the next item, so that the list need not fit into memory.
    """
    meta = click.get_current_context().meta
    head = f'{json.dumps(data).removesuffix("}")}, "{name}": ['

    def add(item: object) -> None:
        click.echo((", " if BEGUN in meta else head) + json.dumps(item), nl=False)
        meta[BEGUN] = True

    yield add
    click.echo(("" if BEGUN in meta else head) + "]}")


def say(line: str) -> None:
    """Print a message on standard error, if that can be written."""
    try:
        click.echo(f"nqbench: {printable(line)}", err=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO | None) -> None:
    """Discard the output that a stream still holds, so that flushing it at exit cannot fail."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]


LONG = 10.0  # seconds; longer work is announced


def allow(seconds: float | None, yes: bool, size: float = 0.0, what: str = "this") -> bool:
    """Announce work that is predicted to take long, and return whether it was announced.

    `seconds` and `size`, in bytes, are predictions; None means that none can be made. `what` names
    the work.

    Raises
    ------
    InvalidValueError
        if the work takes more than a day or more memory than the machine has, unless `yes`.
    """
    if not yes and seconds is not None and seconds > DAY:
        raise InvalidValueError(f"{what} would take about {format_seconds(seconds)}, more than a "
                                "day; add --yes to start it anyway")
    if not yes and size > LITTLE:
        from psutil import virtual_memory

        memory = virtual_memory().total
        if size > memory:
            raise InvalidValueError(
                f"{what} would take about {format_bytes(size)} of memory, and this machine has "
                f"{format_bytes(memory)}; add --yes to start it anyway")
    if seconds is None or seconds <= LONG:
        return False
    say(f"{what} will take about {format_seconds(seconds)}; Ctrl-C stops it")
    return True
