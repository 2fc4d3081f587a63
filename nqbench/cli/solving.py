"""The command `solve`: print solutions, in bounded memory."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import inf
from typing import cast

import click

import nqbench
from nqbench import costs
from nqbench._text import unknown
from nqbench.algorithms import PART, QueensAlgorithm
from nqbench.board import Columns, svg_pieces
from nqbench.cli.shared import (
    Size,
    algorithm_option,
    allow,
    command,
    emitting,
    example,
    json_option,
    n_argument,
    yes_option,
)
from nqbench.cli.terminal import waiting
from nqbench.errors import InvalidValueError
from nqbench.plugins import resolve

LARGE = 30  # a search for the first solution may take long for larger n
WIDE = 1000  # larger boards are written in pieces
PIECE = 100_000  # characters of a piece
ROW_SECONDS = 2e-6  # seconds to write a row
SQUARES_A_SECOND = 1e8  # squares written in a second
FORMATS = ("columns", "queens", "matrix", "strings", "svg", "original")


@command(epilog=example("nqbench solve 8 --limit 1 --format queens",
                        "nqbench solve 6 -a flat_marks",
                        "nqbench solve 8 -a one_loop --format original"))
@n_argument
@algorithm_option
@click.option("--limit", type=Size("--limit"), metavar="K", help="Stop after K solutions.")
@click.option("--format", "form", default="columns", show_default=True, metavar="FORMAT",
              help="columns, queens, matrix, strings, svg, or original: what the original program "
                   "prints.")
@yes_option
@json_option
def solve(n: int, algorithm: str | None, limit: int | None, form: str, yes: bool,
          as_json: bool) -> None:
    """Print the solutions for N queens.

    They come in the order in which the algorithm finds them. Columns count from 0, as in Python;
    `nqbench trace` and `nqbench tree` count from 1.

    \b
    columns   the columns of the queens by row
    queens    a drawing, and an empty line
    matrix    rows of 0 and 1, and an empty line
    strings   a JSON list of rows, one solution a line
    svg       one drawing of all boards
    original  byte for byte what the original program prints

    Without -a, bitmask searches. A single solution for a large N comes from Pauls' construction
    (explicit).
    """
    if form not in FORMATS:
        raise InvalidValueError(unknown("format", form, FORMATS))
    if form == "original" and limit is not None:
        raise InvalidValueError(f"--limit {limit} is not supported with --format original: the "
                                "original program prints every solution")
    default = "explicit" if limit == 1 and n > LARGE else nqbench.api.DEFAULT
    chosen, named = resolve(default if algorithm is None else algorithm)
    way = named or "python"
    if form == "original" and as_json:
        raise InvalidValueError(
            "--json is not supported with --format original: it prints the same bytes as the "
            "original program")
    if form not in ("columns", "original") and chosen.finds == PART:
        raise InvalidValueError(
            f"--format must be columns for {chosen.name}, not {form!r}: it prints partial "
            "placements")

    def pieces(m: int, number: int = 0) -> Iterator[str]:
        if form == "original":
            return cast(Iterator[str], chosen.original_output(m))
        return format_solutions(islice(chosen.solutions(m, way), limit), m, form, number)

    pieces(n)  # raises for an n that is not allowed
    search, writing = predict_seconds(chosen, n, limit, form,
                                      lambda m: deque(pieces(m), maxlen=0))
    announced = allow((search or 0.0) + writing, yes)
    seconds, terminal = search and search + writing, sys.stdout.isatty()
    with waiting(f"{n} queens, {chosen.name}", seconds, announced, bar=not terminal) as stop:
        if as_json:
            with emitting({"n": n, "algorithm": chosen.name, "limit": limit},
                          "solutions") as add:
                for columns in islice(chosen.solutions(n, way), limit):
                    add(columns)
            return
        number = count_expected(chosen, n, limit) if form == "svg" else 0
        for piece in pieces(n, number):
            click.echo(piece, nl=False)
            if terminal:
                stop()


def predict_seconds(algorithm: QueensAlgorithm, n: int, limit: int | None, form: str,
                    run: Callable[[int], object]) -> tuple[float | None, float]:
    """Predict the seconds to find solutions, None if that is not possible, and those to write them.

    `run` does both for another n. A limited search is predicted to take its share of the time,
    unless n is so large that its first solution may take long.
    """
    known = costs.solutions(n) if algorithm.exhaustive else 1
    share = 1.0 if limit is None or limit >= known else limit / known
    rows = share * known * n if known < inf else float(limit or inf) * n
    writing = rows * (ROW_SECONDS + (0.0 if form in ("columns", "svg") else n / SQUARES_A_SECOND))
    if share < 1.0 and (n > LARGE or not algorithm.exhaustive):
        return None, writing
    found = costs.predict_seconds(algorithm, n, run)
    return None if found is None else share * found, writing


def count_expected(algorithm: QueensAlgorithm, n: int, limit: int | None) -> int:
    """Return how many solutions a search will yield; run it if the number is not known."""
    from nqbench.reference import published

    known: int | None = published("A000170").get(n) if algorithm.exhaustive else None
    if algorithm.exhaustive and known is None:
        known = limit  # an unpublished number is larger than any limit
    if known is not None:
        return known if limit is None else min(limit, known)
    return sum(1 for _ in islice(algorithm.solutions(n), limit))


def format_solutions(found: Iterable[Columns], n: int, form: str, number: int) -> Iterator[str]:
    """Yield the solutions in a format, in pieces: large boards row by row.

    `number` is the number of solutions, for a drawing.
    """
    if form == "svg":
        yield from join_pieces(svg_pieces(found, number, n))
        yield "\n"
        return
    for columns in found:
        pieces = format_solution(columns, form)
        yield from join_pieces(pieces) if n > WIDE else ["".join(pieces)]


def join_pieces(pieces: Iterable[str]) -> Iterator[str]:
    """Join pieces into larger ones.

    >>> [len(piece) for piece in join_pieces("." * (2 * PIECE + 1))]
    [100000, 100000, 1]
    """
    batch, size = list[str](), 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield "".join(batch)
            batch, size = [], 0
    if batch:
        yield "".join(batch)


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
