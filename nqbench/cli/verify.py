"""The command `verify`: compare with published values, or print the terms of a sequence."""

import sys
from hashlib import sha256
from itertools import count, groupby
from runpy import run_path
from time import perf_counter
from typing import Any

import click

from nqbench.checking.verification import Check, compute_terms, run_checks
from nqbench.cli import options
from nqbench.cli.shared import allow, emit, say
from nqbench.cli.terminal import progress, table
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins import find_all
from nqbench.problems.plugins.registry import describe_failure
from nqbench.problems.published import SEQUENCES, Sequence, published
from nqbench.problems.published.sequences import of_variant
from nqbench.search.variants import Variant
from nqbench.util.interrupts import exit_status
from nqbench.util.text import spaced, unknown

PRINTED = "terms", "levels", "orbits"


@options.command(examples=["nqbench verify --max-n 12", "nqbench verify A319283 --max-n 9",
                           "nqbench verify A319283 --max-n 12 --print terms > b319283.txt",
                           "nqbench verify superqueens.py --max-n 14 --print levels"])
@click.argument("names", nargs=-1, metavar="[SEQUENCE|FILE[:NAME]]...")
@options.number("--max-n", default=10, metavar="N", help="Up to this n.")
@click.option("--print", "what", metavar="WHAT",
              help="Print the terms of a sequence as a b-file instead; of a FILE also levels, the "
                   "placements on 0, 1, 2, ... lines, or orbits, the solutions up to its "
                   "symmetries.")
@options.algorithms()
@options.budget(default=60.0, help="Skip and report what would take longer.")
@options.yes()
@options.json
def verify(names: tuple[str, ...], max_n: int, what: str | None, algorithms: tuple[str, ...],
           budget: float, yes: bool, as_json: bool) -> None:
    """Compare with published values, or print a sequence.

    Every algorithm computes what it can in time, by default of every SEQUENCE; a value that differs
    is split by the column of the first queen. Exit status 1 if two answers differ.

    A FILE declares a sequence as a `Variant` (docs/sequences.md), and its terms are printed. A
    b-file has n and a(n) in each line. The rows of a triangle follow one another, and its entries
    are numbered. Standard error says how each term was computed and checked, and the SHA-256 of
    the output. If a term contradicts a published term or another search, it is the last one.
    """
    if what or any(".py" in name for name in names):
        options.require_only("with --print, or for a FILE", "names max_n what yes")
        if len(names) != 1:
            raise InvalidValueError("--print needs one SEQUENCE or FILE, as in `nqbench verify "
                                    "A319283 --print terms`")
        print_terms(find_sequence(names[0], what or "terms"), max_n, yes)
        return
    options.require_only("without --print", "names max_n algorithms budget as_json")
    chosen = {found.name: found for each in algorithms for found in find_all(each)} or None
    start = perf_counter()
    with progress(budget) as show:
        verification = run_checks(
            max_n, names or SEQUENCES, budget, chosen,
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
            for solver, got in check.wrong.items():
                click.echo(f"{check.sequence}, n = {check.n}: {solver} answers {spaced(got)}, not "
                           f"{spaced(check.expected)}")
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


def print_terms(found: Sequence, max_n: int, yes: bool) -> None:
    """Print the terms of a sequence, and how each was computed and checked."""
    terms: list[Check] = []
    lines: list[str] = []
    numbers = None

    def approve(seconds: float) -> None:
        rest = range(terms[-1].n + 1, max_n + 1)
        allow(seconds, yes, what=describe_range(list(rest)))

    try:
        for term in compute_terms(found, max_n, approve):
            terms.append(term)
            numbers = numbers or count(term.n)
            for value in term.got if isinstance(term.got, list) else [term.got]:
                lines.append(f"{next(numbers)} {value}\n")
                click.echo(lines[-1], nl=False)
            if term.contradictions:
                break
    finally:
        for statement, group in groupby(terms, lambda term: term.statement):
            say(f"{describe_range([term.n for term in group])}: {statement}")
    wrong = terms[-1].contradictions if terms else []
    for line in wrong or [f"SHA-256 {sha256(''.join(lines).encode()).hexdigest()}"]:
        say(line)
    sys.exit(1 if wrong else 0)


def find_sequence(name: str, what: str) -> Sequence:
    """Return a published sequence, or that which a file declares.

    Raises
    ------
    InvalidValueError
        if there is none, if the file cannot be read or run, or if it declares several.
    """
    path, is_file, chosen = name.partition(".py")
    if what not in PRINTED:
        raise InvalidValueError(unknown("kind of terms", what, PRINTED))
    if not is_file:
        if what != "terms":
            raise InvalidValueError(f"--print {what} needs a file that declares a Variant, not "
                                    f"{name!r}")
        return published(name.upper())
    path += is_file
    try:
        members = run_path(path)
    except Exception as error:
        raise InvalidValueError(f"{path}: {describe_failure(error)}") from error
    variants = {key: value for key, value in members.items() if isinstance(value, Variant)}
    chosen = chosen.removeprefix(":") or (next(iter(variants)) if len(variants) == 1 else "")
    if chosen not in variants:
        raise InvalidValueError(
            f"{path} declares no Variant" if not variants else f"choose one of those in {path}: "
            f"{', '.join(f'{path}:{key}' for key in variants)}")
    return of_variant(variants[chosen], chosen, what)


def describe_range(numbers: list[int]) -> str:
    """Return a range of n in words.

    >>> describe_range([4]), describe_range([4, 5, 6])
    ('n = 4', 'n = 4 to 6')
    """
    return f"n = {numbers[0]}" + (f" to {numbers[-1]}" if len(numbers) > 1 else "")
