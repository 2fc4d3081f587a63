"""What the commands declare: types of arguments, options that several have, and examples; and the
files and folders that options name.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EPIPE
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from nqbench.cli.terminal import own_output
from nqbench.errors import InvalidValueError
from nqbench.problems import SECONDS
from nqbench.util.arguments import N_DIGITS, require_seconds
from nqbench.util.files import FULL, require_target, write_whole
from nqbench.util.text import unknown

FC = TypeVar("FC", bound=Callable[..., Any] | click.Command)
KERNELS = "avx512, avx2, sse4, neon or portable"
DEVICES = "or cards of NVIDIA, which count by the join: cuda, or one of several, such as cuda:1"
BOUNDS = ("seconds", "nodes", "backtracks")  # of a search in an instance
NAMES = ("A name from `nqbench list`, or FILE.py, FILE.py::NAME or MODULE::NAME; "
         "NAME@IMPLEMENTATION chooses python, cython, or another one of a plug-in.")
_NEGATIVE = re.compile(r"-\.?\d")


class Exemplified(click.Command):
    """A command or a group with examples at the end of its help."""

    def __init__(self, *, examples: Iterable[str] = (), **settings: Any) -> None:
        lines = "\n".join(f"  {line}" for line in examples)
        super().__init__(epilog=f"\b\nExample:\n{lines}", **settings)


class Command(Exemplified):
    """A command that accepts a negative number as an argument, takes an option once, and keeps
    standard output for data.

    click would take the number for an option, would not say which numbers are allowed, and would
    use the last of several values.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            _, _, order = self.make_parser(ctx).parse_args([*args])
            for each in order if not ctx.resilient_parsing else ():
                if isinstance(each, click.Option) and not (
                        each.multiple or each.is_flag) and order.count(each) > 1:
                    raise click.UsageError(f"{each.opts[-1]} may be given only once", ctx)
            return super().parse_args(ctx, [*args])
        except click.NoSuchOption as error:
            numbers = [word for word in args
                       if _NEGATIVE.match(word) and word.startswith(error.option_name)]
            for argument in self.params if numbers else []:
                if isinstance(argument, click.Argument):
                    argument.process_value(ctx, numbers[0])  # raises what is allowed
            raise

    def invoke(self, ctx: click.Context) -> Any:
        with own_output():
            return super().invoke(ctx)


class Group(Exemplified, click.Group):
    """Commands in the order of their definition."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:  # click before 8.2 would exit with 0
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
    """A whole number from `least` on.

    Not all messages of click say which numbers are allowed, so this has its own. The help does not
    show the range, whose end means nothing to a reader.
    """

    def __init__(self, option: str, least: int) -> None:
        super().__init__(min=least, max=10 ** N_DIGITS - 1)
        self.option = option

    def _describe_range(self) -> str:
        return ""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            require_plain(str(value))
            return int(super().convert(value, param, ctx))
        except (click.BadParameter, ValueError):
            fault = (f"is far too large: a number of {len(value)} digits"
                     if value.isdecimal() and len(value) > N_DIGITS else
                     f"must be a whole number, {self.min} or more, not {value!r:.40}")
            raise click.UsageError(f"{self.option} {fault}", ctx) from None


def require_plain(text: str) -> str:
    """Return the text of a number; reject the underscores and the digits of other scripts that
    Python takes.

    Raises
    ------
    ValueError
        if it has some.
    """
    if "_" in text or not text.isascii():
        raise ValueError
    return text


def read_seconds(_: click.Context, option: click.Parameter, text: str | None) -> float | None:
    """Return a time above 0; click's FloatRange lets nan pass, and not all of its messages say the
    range.
    """
    if text is None:
        return None
    with suppress(ValueError):
        return require_seconds(float(require_plain(text)), option.opts[0])
    raise click.UsageError(f"{option.opts[0]} must be a number of seconds above 0, not {text!r}")


class Option(click.Option):
    """An option, by default for all problems; otherwise for N queens only, or only for instances of
    other problems. The help shows its default, if it has one.
    """

    def __init__(self, *names: Any, queens: bool | None = None, default: Any = None,
                 **settings: Any) -> None:
        if default is not None:
            settings |= {"default": default, "show_default": True}
        super().__init__(*names, **settings)
        self.queens = queens
        if queens is not None:
            self.help = f"{self.help} {'For N queens only.' if queens else 'Not for N queens.'}"


def find_given(ctx: click.Context) -> Iterator[click.Option]:
    """Yield the options that a command line has."""
    for option in ctx.command.params:
        if isinstance(option, click.Option) and (
                ctx.get_parameter_source(str(option.name)) == ParameterSource.COMMANDLINE):
            yield option


def require_options(ctx: click.Context, problem: str) -> None:
    """Reject an option that a command line has, and that is not for this problem."""
    for option in find_given(ctx):
        if isinstance(option, Option) and option.queens not in (None, problem == "queens"):
            whom = "N queens only, not for" if option.queens else "other problems, not for"
            raise InvalidValueError(f"{option.opts[-1]} is for {whom} {problem}")


def require_only(mode: str, names: str) -> None:
    """Reject an option that the command line has and that is none of these parameters, which are
    those of a mode, as in "with --tree".
    """
    for option in find_given(click.get_current_context()):
        if option.name not in names.split():
            raise InvalidValueError(f"{option.opts[0]} is not supported {mode}")


command = partial(click.command, cls=Command)
option = partial(click.option, cls=Option)
queens = partial(option, queens=True)


def number(*names: str, metavar: str, help: str, least: int = 0, default: int | None = None,
           **settings: Any) -> Callable[[FC], FC]:
    """Return an option that is a whole number from `least` on."""
    size = Size([name for name in names if name.startswith("-")][-1], least)
    return option(*names, default=default, type=size, metavar=metavar, help=help, **settings)


def budget(help: str, default: float | None = SECONDS, name: str = "budget",
           **settings: Any) -> Callable[[FC], FC]:
    """Return an option that is a time."""
    return option("--budget", name, default=default, type=str, callback=read_seconds,
                  metavar="SECONDS", help=help, **settings)


def algorithm(help: str, *names: str, **settings: Any) -> Callable[[FC], FC]:
    """Return an option that names an algorithm; the help says what the default is."""
    return option("-a", "--algorithm", *names, metavar="ALGORITHM", help=f"{NAMES} {help}",
                  shell_complete=complete_names, **settings)


def complete_names(ctx: click.Context, param: click.Parameter, begun: str) -> list[str]:
    """Return the names of algorithms that begin so, for a shell."""
    from nqbench.problems.plugins.registry import list_all

    return sorted({each.name for each in list_all() if each.name.startswith(begun)})


def bounded(function: FC) -> FC:
    """Add the options that limit a search in an instance; the function gets them as `bounds`."""
    for add in (
            number("--backtracks", least=1, metavar="B", queens=False,
                   help="Give up on an instance after B backtracks. Default: no limit."),
            number("--nodes", least=1, metavar="NODES", queens=False,
                   help="Give up on an instance after NODES nodes. Default: no limit."),
            budget("Give up on an instance after this time.", name="seconds", queens=False)):
        function = add(function)
    return function


algorithms = partial(algorithm, "May be repeated. Default: all.", "algorithms", multiple=True)
seed = partial(number, "--seed", default=0, metavar="S")
kernel_or_device = partial(option, "--device", "--kernel", "kernel", metavar="NAME")
yes = partial(option, "--yes", is_flag=True, help="Start even if this is predicted to take more "
              "than a day, or more memory than there is.")
json = option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
results = option("--results", default="results", metavar="DIR",
                 help="Folder of the records; its subfolder local is read too.")


@contextmanager
def named_folder(option: str, path: str) -> Iterator[None]:
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


@contextmanager
def named_file(option: str, path: str, use: str) -> Iterator[None]:
    """Add the name of the option or argument to an error of its file, which must be one that can be
    "read" or "written".
    """
    if not path:
        raise InvalidValueError(f"{option} must be a file, not ''")
    try:
        yield
    except UnicodeDecodeError:
        raise InvalidValueError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        if error.errno in {*FULL, EPIPE}:
            raise
        raise InvalidValueError(f"{option} must be a file that can be {use}, not {path!r} "
                                f"({error.strerror})") from None


def require_out(option: str, path: str | None, new: bool = False) -> None:
    """Reject a file that an option names and that `write_out` would not write, before any work."""
    if path is not None:
        with named_file(option, path, "written"):
            require_target(Path(path), new)


def write_out(option: str, path: str, data: str | bytes, new: bool = False) -> None:
    """Write a file that an option names, as `write_whole` does; an error names the option."""
    with named_file(option, path, "written"):
        write_whole(Path(path), data, new)
