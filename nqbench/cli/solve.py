"""The commands `solve` and `profile`: print what a search finds, in bounded memory, or counts."""

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from time import process_time
from typing import Any

import click

from nqbench.api import DEFAULT, choose_profiled
from nqbench.cli import options
from nqbench.cli.problems import PROFILED, Asked, Batch, instance_argument, verb
from nqbench.cli.terminal import (
    allow,
    echo,
    emit,
    emitting,
    print_counters,
    printing,
    say,
    table,
    waiting,
)
from nqbench.errors import InvalidValueError
from nqbench.problems.forecast import LARGE, predict_search
from nqbench.problems.plugins import is_outside, resolve
from nqbench.problems.queens import PART
from nqbench.problems.sudoku import Grid
from nqbench.search.board import Columns
from nqbench.util.text import unknown

WIDE = 1000  # larger boards are written in pieces
MOST_SOLUTIONS = 100_000  # of an instance, which are kept until it is searched
FORMATS = {"queens": ("columns", "queens", "matrix", "strings", "original"),
           "sudoku": ("line", "grid")}


@verb(examples=["nqbench solve 8 --limit 1 --format queens",
                "nqbench solve 8 -a one_loop --format original",
                "nqbench solve 'n=8 placed=0:0'", "nqbench solve hardest"])
@instance_argument
@options.algorithm("Default: bitmask, fewest_lines for instances of queens, or fast for puzzles.")
@options.number("--limit", metavar="K",
                help="Stop after K solutions. Default: 1 of each instance, and all for N queens.")
@click.option("--format", "form", metavar="FORMAT",
              help="For N queens columns, queens, matrix, strings, or original: what the "
                   "original program prints. For puzzles line or grid. Default: the first.")
@options.bounded
@options.json
def solve(asked: Asked, algorithm: str | None, limit: int | None, form: str | None,
          bounds: dict[str, Any], as_json: bool) -> None:
    """Print the solutions of a problem.

    They come in the order in which the algorithm finds them. Columns count from 0, as in Python;
    `nqbench trace` counts from 1.

    \b
    columns   the columns of the queens by row
    queens    a drawing, and an empty line
    matrix    rows of 0 and 1, and an empty line
    strings   a JSON list of rows, one solution a line
    original  byte for byte what the original program prints
    line      81 digits
    grid      a drawing, and an empty line

    A single solution for a large N comes from Pauls' construction (explicit). If a puzzle has
    several solutions, fast finds them in the order of their digits, if the budget allows.

    Exit status 1 if an instance has no solution, or if none was found within the limits, or fewer
    than K for a puzzle, or if an invalid puzzle of a file was skipped; standard error says which,
    and which puzzles have several solutions.
    """
    forms = FORMATS.get(asked.problem.name, ("columns",))
    form = forms[0] if form is None else form
    if form not in forms:
        raise InvalidValueError(unknown("format", form, forms))
    if as_json:
        options.require_only("with --json", "algorithm limit seconds nodes backtracks as_json")
    if asked.is_queens:
        print_solutions(asked.one(), algorithm, limit, form, as_json)
        return
    limit = 1 if limit is None else limit
    if not 1 <= limit <= MOST_SOLUTIONS:
        raise InvalidValueError(
            f"--limit must be a whole number, 1 to {MOST_SOLUTIONS:,}, not '{limit}'")
    sys.exit(print_answers(Batch(asked, algorithm), limit, form, as_json, bounds))


def print_answers(batch: Batch, limit: int, form: str, as_json: bool,
                  bounds: dict[str, Any]) -> int:
    """Print the solutions of instances; return 1 if one of them is not answered."""
    write = batch.problem.show
    unanswered = 0
    with batch.telling(as_json, limit) as tell:
        for number, (instance, outcome) in enumerate(batch.outcomes(limit, limit, **bounds), 1):
            found, cut = outcome.solutions, outcome.gave_up if batch.is_sudoku else None
            fails = not found or (cut is not None and outcome.found < limit)
            unanswered += fails
            if (fails or cut) and not as_json:
                say(f"{batch.noun} {number}: {'' if fails else 'perhaps not the first solutions: '}"
                    f"{batch.answer(instance, outcome)}")
            several = batch.has_several(instance, outcome, **bounds) if batch.is_sudoku else None
            if several and limit == 1 and not as_json:
                say(f"{batch.noun} {number} has several solutions; --limit K prints more")
            if as_json:
                tell(batch.facts(instance, outcome, **({
                    "solutions": [*map(write, found)], "several": several} if batch.is_sudoku else {
                    "solutions": found})))
            else:
                for solution in found:
                    echo(Grid(solution).drawing() + "\n" if form == "grid" else write(solution))
    return 1 if unanswered or batch.skipped else 0


def print_solutions(n: int, algorithm: str | None, limit: int | None, form: str,
                    as_json: bool) -> None:
    """Print the solutions for N queens."""
    if form == "original":
        options.require_only("with --format original, which prints what the original program does",
                             "algorithm form")
    default = "explicit" if limit == 1 and n > LARGE else DEFAULT
    chosen, named = resolve(default if algorithm is None else algorithm)
    way = named or "python"
    if form not in ("columns", "original") and chosen.finds == PART:
        raise InvalidValueError(
            f"--format must be columns for {chosen.name}, not {form!r}: it prints partial "
            "placements")

    pieces = (chosen.original_output(n) if form == "original" else
              format_solutions(islice(chosen.solutions(n, way), limit), n, form))
    found = False
    with printing(f"{n} queens, {chosen.name}") as stop:
        if as_json:
            with emitting({"n": n, "algorithm": chosen.name, "limit": limit}, "solutions") as add:
                for columns in islice(chosen.solutions(n, way), limit):
                    add(columns)
            return
        for piece in pieces:
            found = True
            echo(piece, nl=False)
            stop()
    if not found and n and limit != 0 and form != "original":
        sure = chosen.exhaustive and not is_outside(chosen)
        say(f"{n} queens have no solution" if sure else f"{chosen.name} finds none")


def format_solutions(found: Iterable[Columns], n: int, form: str) -> Iterator[str]:
    """Yield the solutions in a format, in pieces: large boards row by row."""
    for columns in found:
        pieces = format_solution(columns, form)
        yield from pieces if n > WIDE else ["".join(pieces)]


def format_solution(columns: Columns, form: str) -> Iterator[str]:
    """Yield a solution in a format, row by row."""
    last = len(columns) - 1
    if form == "columns":
        yield " ".join(map(str, columns)) + "\n"
    elif form == "strings":
        for row, c in enumerate(columns):
            yield ", " * (row > 0) + "[" * (row == 0) + f'"{"." * c}Q{"." * (last - c)}"'
        yield "]\n"
    else:
        free, queen = (".", "Q") if form == "queens" else ("0", "1")
        for c in columns:
            yield f"{f'{free} ' * c}{queen}{f' {free}' * (last - c)}\n"
        yield "\n"


@verb(examples=["nqbench profile 8 -a iterative", "nqbench profile 8 -a somers --json",
                "nqbench profile 'n=12 placed=0:0' -a forward_checking",
                "nqbench profile easy50 -a fewest_first"])
@instance_argument
@options.algorithm("Default: bitmask, fewest_lines for instances of queens, or textbook_bitmask "
                   "for puzzles.")
@options.number("--limit", least=1, metavar="K", queens=False,
                help="Stop each search at its K-th solution. Default: 1; for N, all.")
@options.bounded
@options.yes(queens=True)
@options.json
def profile(asked: Asked, algorithm: str | None, limit: int | None, bounds: dict[str, Any],
            yes: bool, as_json: bool) -> None:
    """Count the nodes, tests and other steps of a search.

    The search for N queens finds all solutions. The counters are those of `nqbench.search.tally`. A
    node of a puzzle is a grid that the search reaches, at first the givens, and its level is the
    number of digits placed. Several instances make a table. Exit status 1 if a search gave up, or
    if an invalid puzzle of a file was skipped.
    """
    if asked.is_queens:
        profile_queens(asked.one(), DEFAULT if algorithm is None else algorithm, yes, as_json)
        return
    batch = Batch(asked, PROFILED.get(asked.problem.name) if algorithm is None else algorithm)
    limit = limit or (None if asked.whole and batch.algorithm.exhaustive else 1)
    started = process_time()
    found, chosen = [*batch.outcomes(limit or sys.maxsize, 0, **bounds)], batch.algorithm
    instance, outcome = found[-1]
    rules = []
    if asked.whole and chosen.python.rules and not outcome.gave_up:
        from nqbench.search.refusals import EXAMINED_SECONDS, examine

        if process_time() - started < EXAMINED_SECONDS:
            rules = examine(chosen.python, instance, chosen.profile(instance), EXAMINED_SECONDS)
    if as_json:
        with batch.telling(as_json, limit) as tell:
            for instance, outcome in found:
                tell(batch.facts(instance, outcome, **outcome.counters,
                                 **({"rules": rules} if rules else {})))
    else:
        what = batch.problem.text(instance) if len(found) == 1 else f"{len(found)} {batch.noun}s"
        print_counters(f"{chosen.name}, {what}", batch.noun, [
            {**({"solutions": outcome.found} if limit is None and not outcome.gave_up else
                {"answer": batch.answer(instance, outcome)}), **outcome.counters}
            for instance, outcome in found])
        if rules:
            print_rules(rules)
    sys.exit(1 if batch.skipped or any(outcome.gave_up for _, outcome in found) else 0)


def profile_queens(n: int, algorithm: str, yes: bool, as_json: bool) -> None:
    """Count the steps of a search for N queens."""
    from nqbench.search.refusals import EXAMINED_SECONDS, examine

    chosen, way = choose_profiled(n, algorithm)
    predicted = predict_search(chosen, n, partial(chosen.profile, implementation=way))
    with waiting(f"{n} queens, {chosen.name}", predicted, allow(predicted, yes)):
        tally = chosen.profile(n, way)
        named, short = bool(tally.refusals()), (predicted or 0) < EXAMINED_SECONDS
        rules = examine(chosen.python, n, tally, EXAMINED_SECONDS) if named and short else []
    if as_json:
        emit({"n": n, "algorithm": chosen.name, "implementation": way,
              "solutions": tally.solutions, **tally.counters(),
              **({"rules": rules} if named else {})})
        return
    table(f"{chosen.name} ({way}), n = {n}", ["counter", "value"], tally.rows())
    if rules:
        print_rules(rules)
    elif named:
        echo("what its rules save and take is measured in searches of up to "
             f"{EXAMINED_SECONDS:g} s")


def print_rules(rows: list[dict[str, Any]]) -> None:
    """Print what each rule refuses, saves and takes, by level."""
    from nqbench.search.refusals import in_words

    head = ["rule", "level", "refused", "nodes saved", "times as long"]
    table("what its rules save, and the time with each over that without it", head,
          [*map(in_words, rows)], numeric=head[1:])
    for fault in dict.fromkeys(row["fault"] for row in rows if row["fault"]):
        say(fault)
