"""The commands `verify` and `audit`: compare counts with published values, or with a recount."""

import sys
from collections import Counter
from dataclasses import asdict
from hashlib import sha256
from itertools import count, groupby
from math import inf
from pathlib import Path
from time import perf_counter

import click

from nqbench import engine
from nqbench.checking import tables, verification
from nqbench.checking.verification import Check, compute_terms, find_contradictions
from nqbench.cli import options
from nqbench.cli.terminal import allow, echo, emit, progress, say, table
from nqbench.engine.ledger import Ledger
from nqbench.errors import InvalidValueError
from nqbench.problems.plugins.registry import describe_failure, load_file
from nqbench.problems.published import Sequence, published
from nqbench.problems.published.sequences import of_variant
from nqbench.search.variants import Variant
from nqbench.util.files import require_regular
from nqbench.util.interrupts import exit_status
from nqbench.util.text import plural, spaced, unknown

PRINTED = "terms", "levels", "orbits"


@options.command(examples=["nqbench verify --max-n 12", "nqbench verify A319283 --max-n 9",
                           "nqbench verify A319283 --max-n 12 --print terms > b319283.txt",
                           "nqbench verify superqueens.py --max-n 14 --print levels",
                           "nqbench verify tables", "nqbench verify knuth-2000 --max-n 12"])
@click.argument("names", nargs=-1, metavar="[SEQUENCE|TABLE|FILE[:NAME]]...")
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

    Every algorithm computes what it can in time, by default of every SEQUENCE; `nqbench check` says
    where one that differs is wrong. Exit status 1 if two answers differ, or no value is confirmed.

    A TABLE is one of the literature, and `tables` are all: its values are compared with what a
    search counts. Exit status 1 if a cell differs without a known convention, or none is compared.

    A FILE declares a sequence as a `Variant` (docs/sequences.md), and its terms are printed. A
    b-file has n and a(n) in each line. The rows of a triangle follow one another, and its entries
    are numbered. Standard error says how each term was computed and checked, and the SHA-256 of
    the output. If a term contradicts a published term or another search, it is the last one.
    """
    if what is not None or any(".py" in name for name in names):
        options.require_only("with --print, or for a FILE", "names max_n what yes")
        if len(names) != 1:
            raise InvalidValueError("--print needs one SEQUENCE or FILE, as in `nqbench verify "
                                    "A319283 --print terms`")
        print_terms(find_sequence(names[0], "terms" if what is None else what), max_n, yes)
        return
    if literature := [name for name in names if not name[1:].isdigit()]:
        options.require_only("with a table", "names max_n budget as_json")
        if others := set(names) - set(literature):
            raise InvalidValueError(f"{literature[0]!r} is not a sequence, {min(others)!r} is one; "
                                    "name sequences or tables, not both")
        reproduce(names, max_n, budget, as_json)
    options.require_only("without --print", "names max_n algorithms budget as_json")
    start = perf_counter()
    with progress(budget) as show:
        found = verification.verify(
            max_n, names or None, budget, algorithms or None,
            progress=lambda check, solver: show(f"{check.sequence}, n = {check.n}: {solver}",
                                                perf_counter() - start))
    if as_json:
        emit({"ok": found.ok, "max_n": max_n, "interrupted": found.interrupted,
              "checks": [check.as_dict() for check in found.checks]})
    else:
        table(f"published values up to n = {max_n}",
              ["sequence", "n", "expected", "got", "status", "answered by"],
              [[c.sequence, c.n, spaced(c.expected), spaced(c.got), c.status,
                describe_answers(c)] for c in found.checks],
              numeric=["n"])
        for check in found.checks:
            for solver, got in check.wrong.items():
                echo(f"{check.sequence}, n = {check.n}: {solver} answers {spaced(got)}, not "
                     f"{spaced(check.expected)}")
        echo(found.summary)
    if found.interrupted:
        say("interrupted")
        sys.exit(exit_status())
    sys.exit(0 if found.ok else 1)


def reproduce(names: tuple[str, ...], max_n: int, budget: float, as_json: bool) -> None:
    """Compare tables of the literature with what is counted here, and exit."""
    chosen = tables.names() if tables.ALL in names else [*dict.fromkeys(names)]
    known = {name: tables.read(name) for name in dict.fromkeys([*chosen, *names])
             if name != tables.ALL}
    cells = tables.reproduce(chosen, max_n, budget)
    many = Counter(cell.status for cell in cells)
    if as_json:
        emit({"tables": {name: {each: table[each] for each in ("source", "seen", "counter")}
                         for name, table in known.items()},
              "cells": [*map(asdict, cells)]})
    else:
        for name, found in groupby(cells, lambda cell: cell.table):
            echo(f"{known[name]['source']}\n  seen: {known[name]['seen']}\n"
                 f"  counted: {known[name]['counter']}")
            table(name, ["what", "search", "n", "published", "got", "status"],
                  [[cell.what, cell.search.rpartition("::")[2], cell.n,
                    *map(tables.describe, (cell.expected, cell.got)), cell.status + (
                        f": {cell.convention}" * (cell.status == tables.CONVENTION))]
                   for cell in found], numeric=["n"])
        echo("; ".join(f"{number} {status}" for status, number in many.items()))
    compared = many.keys() & {tables.EQUAL, tables.CONVENTION, tables.DIFFERS}
    if not compared:
        say("no cell was compared")
    sys.exit(0 if compared and tables.DIFFERS not in compared else 1)


def describe_answers(check: Check) -> str:
    """Return how many searches answered, or how long the fastest one would take."""
    if not check.answers and check.left_out:
        least = min(check.left_out.values())
        if least == inf:  # no time was left to predict it
            return "none in time"
        about = f"{least:,.0f}" if least > 9 else f"{least:.2g}"
        return f"none in time; the fastest would take about {about} s"
    many = len(check.answers)
    return (f"{many} {plural(many, 'search', 'searches')}"
            + f", {len(check.left_out)} left out" * bool(check.left_out))


def print_terms(found: Sequence, max_n: int, yes: bool) -> None:
    """Print the terms of a sequence, and how each was computed and checked."""
    terms: list[Check] = []
    lines: list[str] = []
    numbers = None

    def approve(seconds: float) -> None:
        allow(seconds, yes, what=describe_range([*range(terms[-1].n + 1, max_n + 1)]))

    try:
        for term in compute_terms(found, max_n, approve):
            terms.append(term)
            numbers = numbers or count(term.n)
            for value in term.got if isinstance(term.got, list) else [term.got]:
                lines.append(f"{next(numbers)} {value}\n")
                echo(lines[-1], nl=False)
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
    require_regular(Path(path))
    try:
        members = vars(load_file(Path(path)))
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # whatever the file raises
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


@options.command(examples=["nqbench count 18 --checkpoint 18.checkpoint",
                           "nqbench audit 18.checkpoint --sample 100"])
@click.argument("path", metavar="CHECKPOINT", type=click.Path(path_type=Path))
@options.number("--sample", least=1, default=20, metavar="K", help="Number of parts to recount.")
@options.seed(help="Random seed of the sample.")
@options.kernel_or_device(help=f"Choose {options.KERNELS}; {options.DEVICES}. Default: a kernel "
                               "that did not count the parts.")
@options.yes()
@options.json
def audit(path: Path, sample: int, seed: int, kernel: str | None, yes: bool, as_json: bool) -> None:
    """Recount random parts of a checkpoint, and compare.

    Use another kernel than the count did. Sum the parts by the number of images of their jobs
    (crosses or choices of rows); the completions of a job are the ways to complete one image,
    and compare a complete count with what is known. The file stays unchanged, and a count that is
    writing to it may continue. The exit status is 1 if something differs.
    """
    counted = engine.read_checkpoint(path, say)
    found = []
    parts = min(sample, counted.done) or 1
    start = perf_counter()
    with progress(parts) as show:
        for recount in engine.audit(path, sample, seed, kernel):
            found.append(recount)
            if len(found) == 1:
                allow((perf_counter() - start) * (parts - 1), yes)
            show(f"part {recount.part}", len(found))
    wrong = [recount for recount in found if not recount.ok]
    contradictions = find_contradictions_of(counted)
    if as_json:
        emit({"checkpoint": str(path), "n": counted.division.n, "parts": counted.division.parts,
              "counted": counted.done, "solutions": counted.solutions,
              "by_images": {str(images): {"parts": sums.parts, "completions": sums.completions}
                            for images, sums in counted.by_images.items()},
              "counted_again": len(found), "ok": not wrong and not contradictions,
              "contradictions": contradictions,
              "differ": [{"part": r.part, "kept": r.stored, "again": r.recounted} for r in wrong]})
    else:
        columns = ["images", "parts", "completions", "solutions"]
        table(f"n = {counted.division.n}: {counted.done:,} of {counted.division.parts:,} parts, "
              f"{counted.solutions:,} solutions", columns,
              [[images, f"{sums.parts:,}", f"{sums.completions:,}",
                f"{images * sums.completions:,}"]
               for images, sums in counted.by_images.items() if sums.parts], columns)
        print_recounts(found)
    for line in contradictions:
        say(line)
    sys.exit(1 if wrong or contradictions else 0)


def print_recounts(found: list[engine.Recount]) -> None:
    """Print the parts that differ, and how many are the same."""
    wrong = [recount for recount in found if not recount.ok]
    for recount in wrong:
        echo(f"part {recount.part}: {recount.stored} in the file, {recount.recounted} recounted")
    nothing = bool(found) and all(recount.stored == recount.recounted == 0 for recount in found)
    echo(f"{len(found) - len(wrong)} of {len(found)} recounted parts are the same"
         + " (all have 0 completions)" * nothing)


def find_contradictions_of(counted: Ledger) -> list[str]:
    """Return a line for what contradicts the counted parts: a known property if all are counted,
    otherwise more than is known of the whole.
    """
    n, found = counted.division.n, counted.solutions
    if counted.done >= counted.division.parts:
        return find_contradictions(n, found)
    most = published("A000170").get(n)
    return [f"{found:,} solutions are impossible: all parts together have {most:,}"] * (
        most is not None and found > most)
