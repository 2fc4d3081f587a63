"""What all commands share: their kinds of arguments, options, and ways to speak.

Data goes to standard output (with --json one object and nothing else), messages and
progress to standard error.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import partial
from typing import Any, TextIO

import click

from nqbench._arguments import require_seconds, require_whole
from nqbench._files import FULL
from nqbench._text import DAY, format_bytes, format_seconds, printable, unknown
from nqbench.errors import InvalidTypeError, InvalidValueError

LITTLE = 1e8  # bytes; every machine has more memory
DIGITS = 18  # of the largest number that is looked at; no board has so many rows
_NUMBER = re.compile(r"-\.?\d")


class Command(click.Command):
    """A command whose arguments may be negative numbers, so that the answer to one
    says what is allowed instead of calling it an unknown option.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["context_settings"] = {"ignore_unknown_options": True, "allow_extra_args": True,
                                      "help_option_names": ["-h", "--help"]}
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = [name for param in self.get_params(ctx) for name in param.opts
                 if name.startswith("-")]
        for word in args:
            if word.startswith("--") and word != "--" and word.partition("=")[0] not in known:
                raise click.NoSuchOption(
                    word, possibilities=get_close_matches(word, known, n=3), ctx=ctx)
        rest = super().parse_args(ctx, args)
        if ctx.args:
            raise click.UsageError(f"unexpected argument {ctx.args[0]!r}", ctx)
        return rest


command = partial(click.command, cls=Command)


class Group(click.Group):
    """Commands in the order of their definition, help if none is given, and near names for an
    unknown one.
    """

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(unknown("command", args[0], self.commands), ctx)
        return super().resolve_command(ctx, args)


class Size(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """A whole number, 0 or more, or from `least` on."""

    name = "number"

    def __init__(self, argument: str, least: int = 0) -> None:
        self.argument = argument
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None,
                ctx: click.Context | None) -> int:
        if isinstance(value, str) and value.startswith("-") and not _NUMBER.match(value):
            raise click.NoSuchOption(value, ctx=ctx)
        if isinstance(value, str) and value.isdecimal() and len(value) > DIGITS:
            raise click.UsageError(
                f"{self.argument} is far too large: a number of {len(value)} digits", ctx)
        try:
            number = require_whole(int(value) if isinstance(value, str) and value.isdecimal()
                           else value, self.argument)
        except (InvalidTypeError, InvalidValueError):
            number = -1
        if number < self.least:
            raise click.UsageError(f"{self.argument} must be a whole number, {self.least} or "
                                   f"more, not {value!r}", ctx)
        return number


class Seconds(click.ParamType):  # type: ignore[type-arg]
    """A time above 0."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None,
                ctx: click.Context | None) -> float:
        with suppress(ValueError):
            return require_seconds(float(value), "--budget")
        raise click.UsageError(f"--budget must be a number of seconds above 0, not {value!r}", ctx)


n_argument = click.argument("n", type=Size("N"), metavar="N")
algorithm_option = click.option("-a", "--algorithm", metavar="ALGORITHM",
                                help="See `nqbench list`.")
tree_option = click.option("-a", "--algorithm", default="iterative", show_default=True,
                           metavar="ALGORITHM", help="See `nqbench list`.")
json_option = click.option("--json", "as_json", is_flag=True,
                           help="Print one JSON object instead.")
yes_option = click.option("--yes", is_flag=True, help="Start even what is predicted to take more "
                          "than a day, or more memory than there is.")
implementation_option = click.option("-i", "--implementation", metavar="IMPLEMENTATION",
                                     help="python or cython.")
results_option = click.option("--results", default="results", show_default=True, metavar="DIR",
                              help="Folder of the records; its subfolder local is read, too.")
records_option = click.option("--results", default="results/local", show_default=True,
                              metavar="DIR", help="Write the records to a new file in DIR.")
processes_option = click.option("--processes", type=Size("--processes", least=1), metavar="P",
                                help="Take the samples in P processes, one after the other. "
                                     "Default: 5, or 3 to 4 for a budget under 10 s.")


def example(*lines: str) -> str:
    """The examples at the end of a command's help."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


@contextmanager
def print_warnings() -> Iterator[None]:
    """Print each warning as one line on standard error, when it comes."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *rest, **more: say(f"warning: {message}")
        yield


@contextmanager
def folder(option: str, path: str) -> Iterator[None]:
    """Name the option whose folder cannot be read or written."""
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


def emit(data: dict[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(data))


BEGUN = "nqbench.begun"  # in the context: a JSON object has been printed in part


@contextmanager
def emitting(data: dict[str, Any], name: str) -> Iterator[Callable[[object], None]]:
    """Print one JSON object whose last member, `name`, is a list: yields a function that prints
    the next item, so that the list need not fit into memory.
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
    """Send what is still to be written to a stream nowhere, so that leaving does not fail."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]


LONG = 10.0  # seconds; what will take longer is announced


def allow(seconds: float | None, yes: bool, size: float = 0.0) -> bool:
    """Announce work that is predicted to take long, and return whether it was announced.

    `seconds` and `size`, in bytes, are predictions; None is one that nobody can make.

    Raises
    ------
    InvalidValueError
        for what takes more than a day or more memory than the machine has, unless `yes`.
    """
    if not yes and seconds is not None and seconds > DAY:
        raise InvalidValueError(f"this would take about {format_seconds(seconds)}, which is more "
                                "than a day; add --yes to start it nevertheless")
    if not yes and size > LITTLE:
        from psutil import virtual_memory

        memory = virtual_memory().total
        if size > memory:
            raise InvalidValueError(
                f"this would take about {format_bytes(size)} of memory, and this machine has "
                f"{format_bytes(memory)}; add --yes to start it nevertheless")
    if seconds is None or seconds <= LONG:
        return False
    say(f"this will take about {format_seconds(seconds)}; Ctrl-C stops it")
    return True
