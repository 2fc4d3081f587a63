"""The command `nqbench`: parse, call, print.

Data goes to standard output (with --json one object and nothing else), messages and
progress to standard error. Exit status: 0 done, 1 a check failed, 2 the request
makes no sense, 70 a bug in nqbench, 130 interrupted by Ctrl-C, 143 by
SIGTERM, 129 by SIGHUP.
"""

import json
import os
import sys
from contextlib import suppress
from errno import EAGAIN, EMFILE, ENFILE, ENOENT, ENOMEM
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from re import MULTILINE, fullmatch, search
from time import perf_counter
from typing import Any

import click

import nqbench
from nqbench.cli import options
from nqbench.cli.terminal import BEGUN, discard, echo, print_warnings, say
from nqbench.errors import SHOWN, NqbenchError
from nqbench.util.files import occupy_streams
from nqbench.util.interrupts import exit_status, handle_termination
from nqbench.util.text import both_ends

BUG = 70  # exit status, EX_SOFTWARE of sysexits.h
# The commands by what they are for, in the order of `nqbench --help`: the module and function of
# each, which the help reads and does not import.
GROUPS: dict[str, dict[str, list[str]]] = json.loads(
    (Path(__file__).parent / "commands.json").read_text("utf-8"))
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
COMPLETE = "_NQBENCH_COMPLETE"  # in the environment: a shell asks how to complete a line
ALIKE = {"help": "--help", "version": "--version"}  # commands of others, and what they are here
GUESSES = {  # other words for what a command does
    "run": "count 8", "queens": "count 8", "oeis": "verify A000170", "sequence": "verify A000170",
    "bench": "study", "benchmark": "study", "time": "study -a bitmask -n 8", "ls": "list",
    "test": "check my_idea.py", "race": "check FOLDER", "estimate": "count 20 --estimate",
    "plan": "count 24 --plan", "symmetry": "count 8 --by symmetry", "tree": "trace 4 --tree",
    "sudoku": "solve hardest", "plot": "report", "generate": "instances make"}


def summarise(module: str, function: str) -> str:
    """Return the first line of the docstring of a command, without importing its module.

    >>> summarise("solve", "solve")
    'Print the solutions of a problem.'
    """
    text = Path(__file__).with_name(f"{module}.py").read_text("utf-8")
    found = search(rf'^def {function}\((?s:.*?)"""(.*?)(?:"""|$)', text, MULTILINE)
    assert found, f"{module}.py has no command {function}"
    return found[1]


class Commands(options.Group):
    """The commands of `COMMANDS`; the module of one is imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            module, function = COMMANDS[cmd_name]
            self.add_command(getattr(import_module(f"nqbench.cli.{module}"), function), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] in GUESSES.keys() - COMMANDS.keys():
            raise click.UsageError(f"there is no command {args[0]!r}; you may want `nqbench "
                                   f"{GUESSES[args[0]]}`", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", summarise(*COMMANDS[name]))
                                    for name in names])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]},
             examples=["nqbench count 12", "nqbench profile 8 -a iterative --json"])
@click.version_option(nqbench.__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Backtracking on the n-queens problem: search, count, measure, explain."""


def describe(error: click.ClickException) -> str:
    """Return the message for words that make no sense, in one line: with an example if a parameter
    is missing, and the same for all versions of click if an option does not exist.
    """
    match error:
        case click.MissingParameter(ctx=click.Context(command=command),
                                    param=click.Parameter() as param):
            named = param.opts[0] if isinstance(param, click.Option) else param.metavar
            shown = str(command.epilog).splitlines()[2].strip()  # the first example is the simplest
            return f"{command.name} needs {named}, as in `{shown}`"
        case click.NoSuchOption():
            near = " or ".join(map(repr, error.possibilities or ()))
            return f"No such option {error.option_name!r}.{f' Did you mean {near}?' * bool(near)}"
    return both_ends(" ".join(error.format_message().split()), SHOWN)


def refuse(line: str, status: int = 2, context: click.Context | None = None) -> int:
    """Print what was wrong and return the exit status.

    With --json, also print it as JSON: as the last member of an object that has been printed in
    part, and not after a complete one.
    """
    say(line)
    left = context and context.meta.get(BEGUN)
    if sys.stdout is not None and "--json" in sys.argv[1:] and left != "":
        try:
            echo((f"{left}, " if left else "{") + json.dumps({"error": line})[1:])
            sys.stdout.flush()
        except OSError:
            discard(sys.stdout)
    return status


def find_place(error: OSError) -> str:
    """Return what an error without a file name is about.

    >>> find_place(OSError(28, "No space left on device")), find_place(OSError(24, "too many"))
    ('standard output', 'this process')
    """
    if error.errno == ENOENT:  # no stream is missing
        return "TMPDIR" if "temporary" in str(error) else "the current folder"
    return "this process" if error.errno in (EMFILE, ENFILE, EAGAIN, ENOMEM) else "standard output"


def apologise(error: BaseException) -> int:
    """Print the traceback of a bug after one line that says so; return the exit status."""
    from traceback import format_exception

    discard(sys.stdout)
    line = f"sorry, this is a bug in nqbench {nqbench.__version__}: please report it with:"
    with suppress(OSError):
        click.echo(f"nqbench: {line}\n" + "".join(format_exception(error)), err=True, nl=False)
    return BUG


def ignore_sizes() -> None:
    """Remove COLUMNS and LINES from the environment if they are no numbers: rich fails then."""
    for name in ("COLUMNS", "LINES"):
        if not fullmatch("[0-9]{0,5}", os.environ.get(name, "")):
            del os.environ[name]


def run() -> int:  # noqa: PLR0912 - a branch for each way in which a command ends
    """Run the command and return its exit status; every refusal is one line."""
    occupy_streams()
    ignore_sizes()
    if sys.stdout is None:
        return refuse("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that cannot be shown must not be a bug
            stream.reconfigure(errors="replace")
    if COMPLETE in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "nqbench", COMPLETE, os.environ[COMPLETE])
    context, words = None, sys.argv[1:]
    if words and words[0] in ALIKE:
        words = [*words[1:], ALIKE[words[0]]]
    try:
        handle_termination()
        context = cli.make_context("nqbench", words, obj=perf_counter())  # it begins now
        with context, print_warnings(every=False):
            return invoke(context)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        return refuse(describe(error))
    except NqbenchError as error:
        return refuse(str(error), error.status, context)
    except MemoryError:
        return refuse("there is not enough memory for this", context=context)
    except BrokenPipeError:  # the reader has seen enough
        discard(sys.stdout)
        return 0
    except (KeyboardInterrupt, click.Abort):
        return refuse("interrupted", exit_status(), context)
    except BaseException as error:  # whatever a plug-in raises
        from nqbench.problems.plugins import blame

        line = blame(error)
        if not line and isinstance(error, OSError):
            discard(sys.stdout)
            line = f"{error.filename or find_place(error)}: {error.strerror or error}"
        elif not line and str(error) == "can't start new thread":
            line = "no thread can be started; raise the limit of processes (ulimit -u) or of memory"
        return refuse(line, context=context) if line else apologise(error)


def invoke(context: click.Context) -> int:
    """Run the command, flush its output, and return the exit status."""
    status = 0
    try:
        cli.invoke(context)
    except SystemExit as ended:
        if (plugins := sys.modules.get("nqbench.problems.plugins")) and plugins.blame(ended):
            raise
        status = int(ended.code or 0)
    sys.stdout.flush()
    return status
