"""The command `nqbench`: parse, call, print.

Data goes to standard output (with --json one object and nothing else), messages and
progress to standard error. Exit status: 0 done, 1 a check failed, 2 the request
makes no sense, 70 a bug in nqbench, 130 interrupted by Ctrl-C, 143 by SIGTERM.
"""

import sys
from contextlib import suppress
from io import TextIOWrapper
from traceback import format_exception
from typing import NoReturn

import click

import nqbench
from nqbench._interrupts import exit_status, handle_termination
from nqbench.cli import (
    counting,
    engine,
    estimating,
    listing,
    measuring,
    solving,
    sudoku,
    tracing,
    verifying,
)
from nqbench.cli.shared import BEGUN, Group, discard, emit, example, say
from nqbench.errors import NqbenchError

BUG = 70  # exit status, EX_SOFTWARE of sysexits.h


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]},
             epilog=example("nqbench count 12", "nqbench profile 8 -a iterative --json"))
@click.version_option(nqbench.__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Backtracking on the n-queens problem: search, count, measure, explain."""


for command in (listing.list_, counting.count, counting.symmetry, solving.solve, tracing.trace,
                estimating.estimate, tracing.tree, counting.profile, verifying.verify,
                listing.errata, engine.audit, engine.plan, sudoku.sudoku, measuring.study,
                measuring.publish, measuring.report):
    cli.add_command(command)


def refuse(line: str, status: int = 2, context: click.Context | None = None) -> int:
    """Say what was wrong, as JSON too where that was asked for and none has been printed in this
    context; return the exit status.
    """
    say(line)
    begun = context is not None and BEGUN in context.meta
    if sys.stdout is not None and "--json" in sys.argv[1:] and not begun:
        try:
            emit({"error": line})
            sys.stdout.flush()
        except OSError:
            discard(sys.stdout)
    return status


def apologise(error: Exception) -> int:
    """Print the traceback of a bug after one line that says so; return the exit status."""
    discard(sys.stdout)
    line = f"sorry, this is a bug in nqbench {nqbench.__version__}: please report it with:"
    with suppress(OSError):
        click.echo(f"nqbench: {line}\n" + "".join(format_exception(error)), err=True, nl=False)
    return BUG


def run() -> int:
    """Run the command and return its exit status; every refusal is one line."""
    if sys.stdout is None:
        return refuse("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that cannot be shown must not be a bug
            stream.reconfigure(errors="replace")
    context = None
    try:
        handle_termination()
        context = cli.make_context("nqbench", sys.argv[1:])
        with context:
            return finished(context)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.NoSuchOption as error:
        near = f"; did you mean {' or '.join(error.possibilities)}?" if error.possibilities else ""
        return refuse(f"there is no option {error.option_name!r}{near}")
    except click.ClickException as error:
        return refuse(" ".join(error.format_message().split()))
    except NqbenchError as error:
        return refuse(str(error), error.status, context)
    except MemoryError:
        return refuse("there is not enough memory for this", context=context)
    except BrokenPipeError:  # the reader has seen enough
        discard(sys.stdout)
        return 0
    except OSError as error:
        discard(sys.stdout)
        return refuse(f"{error.filename or 'standard output'}: {error.strerror or error}",
                      context=context)
    except (KeyboardInterrupt, click.Abort):
        return refuse("interrupted", exit_status(), context)
    except Exception as error:
        return apologise(error)


def finished(context: click.Context) -> int:
    """Invoke the command, write what is left to be written, and return the exit status."""
    status = 0
    try:
        cli.invoke(context)
    except SystemExit as ended:
        status = int(ended.code or 0)
    sys.stdout.flush()
    return status


def main() -> NoReturn:
    """Run the command and exit."""
    sys.exit(run())
