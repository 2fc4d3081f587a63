"""What all commands share: types of arguments, options, output and messages.

Data goes to standard output (with --json one object and nothing else), messages and
progress to standard error.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EPIPE
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import click

from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_seconds
from nqbench.util.files import FULL, require_target, write_whole
from nqbench.util.text import DAY, format_bytes, format_seconds, printable, unknown

LITTLE = 1e8  # bytes; every machine has more memory
KERNELS = "avx512, avx2, sse4, neon or portable"
DIGITS = 18  # digits of the largest number; no board has as many rows
MOST = 10**9  # a larger limit of an option is not worth mentioning
_NEGATIVE = re.compile(r"-\.?\d")


class Command(click.Command):
    """A command that accepts a negative number as an argument.

    click would take it for an option, and would not say which numbers are allowed.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, [*args])
        except click.NoSuchOption as error:
            numbers = [word for word in args
                       if _NEGATIVE.match(word) and word.startswith(error.option_name)]
            for argument in self.params if numbers else []:
                if isinstance(argument, click.Argument):
                    argument.type_cast_value(ctx, numbers[0])  # raises what is allowed
            raise


command = partial(click.command, cls=Command)


class Group(click.Group):
    """Commands in the order of their definition."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:  # click before 8.2 would exit with 0
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # click sorts them

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None:  # click would not say which commands there are
            raise click.UsageError(unknown("command", args[0], self.list_commands(ctx)), ctx)
        return super().resolve_command(ctx, args)


class Size(click.IntRange):
    """A whole number, 0 or more, or from `least` on, and at most `most`.

    Not all messages of click say which numbers are allowed, so this has its own. The help does not
    show the range, whose end means nothing to a reader.
    """

    def __init__(self, option: str, least: int = 0, most: int = 10 ** DIGITS - 1) -> None:
        super().__init__(min=least, max=most)
        self.option = option
        self.allowed = f"{least} or more" if most > MOST else f"{least} to {most:,}"

    def _describe_range(self) -> str:
        return ""

    def convert(self, value: Any, param: click.Parameter | None,
                ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            fault = (f"is far too large: a number of {len(value)} digits"
                     if value.isdecimal() and len(value) > DIGITS else
                     f"must be a whole number, {self.allowed}, not {value!r:.40}")
            raise click.UsageError(f"{self.option} {fault}", ctx) from None


class Seconds(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """A time above 0; click's FloatRange lets nan pass, and not all of its messages say the range.
    """

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None,
                ctx: click.Context | None) -> float:
        with suppress(ValueError):
            return require_seconds(float(value), "--budget")
        raise click.UsageError(f"--budget must be a number of seconds above 0, not {value!r}", ctx)


n_argument = click.argument("n", type=Size("N"), metavar="N")
NAMES = "A name from `nqbench list`, or FILE.py, FILE.py::NAME or MODULE::NAME."
algorithm_option = click.option("-a", "--algorithm", metavar="ALGORITHM", help=NAMES)
algorithms_option = click.option("-a", "--algorithm", "algorithms", multiple=True,
                                 metavar="ALGORITHM", help=f"{NAMES} May be repeated. "
                                 "Default: all.")
tree_option = click.option("-a", "--algorithm", default="iterative", show_default=True,
                           metavar="ALGORITHM", help=NAMES)
json_option = click.option("--json", "as_json", is_flag=True,
                           help="Print one JSON object instead.")
YES: dict[str, Any] = {"is_flag": True, "help": "Start even if this is predicted to take more than "
                       "a day, or more memory than there is."}
yes_option = click.option("--yes", **YES)
implementation_option = click.option("-i", "--implementation", metavar="IMPLEMENTATION",
                                     help="python, cython, or another one of a plug-in. Also: "
                                     "ALGORITHM@IMPLEMENTATION.")
results_option = click.option("--results", default="results", show_default=True, metavar="DIR",
                              help="Folder of the records; its subfolder local is read too.")
records_option = click.option("--results", default="results/local", show_default=True,
                              metavar="DIR", help="Write the records to a new file in DIR.")
processes_option = click.option("--processes", type=Size("--processes", least=1),
                                metavar="P",
                                help="Take the samples in P processes, one after the other. "
                                     "Default: 5, or 3 to 4 for a budget under 10 s.")


def example(*lines: str) -> str:
    """Return the examples at the end of a command's help."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


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
