"""The command `verify`: compare with published values."""

import sys
from time import perf_counter
from typing import Any

import click

from nqbench._interrupts import exit_status
from nqbench._text import spaced
from nqbench.cli.shared import (
    Seconds,
    Size,
    algorithms_option,
    command,
    emit,
    example,
    json_option,
    say,
)
from nqbench.cli.terminal import progress, table
from nqbench.plugins import find_all


@command(epilog=example("nqbench verify --max-n 12",
                        "nqbench verify --max-n 9 --sequence A319283"))
@click.option("--max-n", type=Size("--max-n"), default=10, show_default=True, metavar="N",
              help="Check up to this n.")
@click.option("--sequence", "sequences", multiple=True, metavar="SEQUENCE",
              help="Check this sequence, such as A000170; may be repeated. Default: all.")
@algorithms_option
@click.option("--budget", type=Seconds(), default=60.0, show_default=True, metavar="SECONDS",
              help="Skip and report what would take longer.")
@json_option
def verify(max_n: int, sequences: tuple[str, ...], algorithms: tuple[str, ...], budget: float,
           as_json: bool) -> None:
    """Compute published values of the OEIS, and compare.

    Every algorithm computes what it can in time. A value that differs is split by the column of
    the first queen.
    """
    from nqbench.reference import SEQUENCES
    from nqbench.verification import run_checks

    chosen = {found.name: found for each in algorithms for found in find_all(each)} or None
    start = perf_counter()
    with progress(budget) as show:
        verification = run_checks(
            max_n, sequences or SEQUENCES, budget, chosen,
            progress=lambda check, solver: show(f"{check.sequence}, n = {check.n}: {solver}",
                                                perf_counter() - start))
    if as_json:
        emit({"ok": verification.ok, "max_n": max_n, "interrupted": verification.interrupted,
              "checks": [check.as_dict() for check in verification.checks]})
    else:
        table(f"published values up to n = {max_n}",
              ["sequence", "n", "expected", "got", "status", "answered by"],
              [[c.sequence, c.n, spaced(c.expected), spaced(c.got), c.status,
                describe_answers(c, above)]
               for above, c in zip([None, *verification.checks], verification.checks,
                                   strict=False)], numeric=["n"])
        for check in verification.checks:
            for mismatch in check.mismatches:
                print_mismatch(check, mismatch)
        click.echo(verification.summary)
    if verification.interrupted:
        say("interrupted")
        sys.exit(exit_status())
    sys.exit(0 if verification.ok else 1)


def describe_answers(check: Any, above: Any) -> str:
    """Return which solvers answered, or how long the fastest one would take."""
    if above is not None and check.answers and set(check.answers) == set(above.answers):
        return f"{len(check.answers)}: the same"
    names: dict[str, list[str]] = {}
    for solver in check.solvers:
        names.setdefault(solver.algorithm.name, []).append(solver.implementation)
    shown = ", ".join(name + (f" ({'+'.join(ways)})" if ways != ["python"] else "")
                      for name, ways in names.items())
    if not check.answers and check.left_out:
        least = min(check.left_out.values())
        about = f"{least:,.0f}" if least > 9 else f"{least:.2g}"
        return f"none in time; the fastest would take about {about} s"
    return f"{len(check.answers)}: {shown}" + (
        f"; {len(check.left_out)} left out" if check.left_out else "")


def print_mismatch(check: Any, mismatch: Any) -> None:
    """Print where a wrong answer differs."""
    click.echo(f"{check.sequence}, n = {check.n}: {mismatch.solver} answers "
               f"{spaced(mismatch.got)}, not {spaced(mismatch.expected)}")
    table("solutions by the column of the first queen",
          ["column", "expected", "got", ""],
          [[c + 1, "not known" if e is None else e, g, "differs" if e not in (None, g) else ""]
           for c, e, g in mismatch.by_first_queen], numeric=["column", "expected", "got"])
    if mismatch.level is not None:
        click.echo(f"its profile first differs from the published one at level {mismatch.level}")
