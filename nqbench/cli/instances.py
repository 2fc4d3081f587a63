"""The commands `nqbench instances`: parse, call, print."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import click

from nqbench import instances as queens
from nqbench._files import read_lines
from nqbench._text import unknown
from nqbench.cli.boards import (
    algorithm_option,
    backtracks_option,
    budget_option,
    file_argument,
    nodes_option,
    stream_boards,
)
from nqbench.cli.shared import (
    Command,
    Group,
    Size,
    allow,
    emit,
    example,
    json_option,
    say,
    yes_option,
)
from nqbench.cli.terminal import print_counters, progress, table
from nqbench.cli.tracing_instances import trace, tree
from nqbench.errors import InvalidValueError
from nqbench.instances import Board, Columns, Search, find
from nqbench.instances.drawing import squares, svg
from nqbench.instances.generating import LEAST
from nqbench.instances.reading import LONGEST

FORMATS = ("text", "svg")
DRAWN = 200  # boards in one drawing at most
SAMPLE = 3  # instances whose time predicts that of many
KEPT = 100_000  # solutions of an instance that are printed at most
Found = tuple[Board, Any]

n_option = click.option("-n", "n", type=Size("-n", least=1), required=True, metavar="N",
                        help="Queens.")
many_option = click.option("--many", type=Size("--many", least=1), default=1, show_default=True,
                           metavar="M", help="Number of instances.")
seed_option = click.option("--seed", type=Size("--seed"), default=0, show_default=True, metavar="S",
                           help="Random seed; instance k depends only on S and k.")
least_option = click.option("--least", type=Size("--least"), default=LEAST, show_default=True,
                            metavar="L", help="Leave at least L squares in each row and column.")


@click.group(cls=Group, epilog=example(
    "nqbench instances completion -n 50 --placed 10 --many 100 --seed 1 > file",
    "nqbench instances solve file", "nqbench instances solve 'n=8 placed=0:0'"))
def instances() -> None:
    """Generate, solve and draw instances of queens.

    FILE has one instance per line, such as n=8 placed=0:3,2:5, n=8 blocked=0:0, n=8 sums=4
    differences=-2, n=7 torus, or JSON: {"n": 8, "placed": [[0, 3]]}. Rows and columns count from 0;
    sums are row + column, differences are row - column. FILE may also be - for standard input, or
    an instance itself.
    """


def generator(name: str, line: str) -> Callable[[Any], click.Command]:
    """Return the decorator of a command that generates instances."""
    def decorate(function: Any) -> click.Command:
        for option in (json_option, yes_option, seed_option, many_option):
            function = option(function)
        command = instances.command(name, cls=Command, epilog=example(line))
        return command(n_option(function))
    return decorate


def write_all(make: Callable[[Random], Board], many: int, seed: int, yes: bool,
              as_json: bool) -> None:
    """Print each instance as soon as it is made, one per line; predict the time by the first."""
    def write(board: Board) -> str:
        return json.dumps(board.as_json()) if as_json else queens.write(board)

    start = perf_counter()
    for board in queens.generate(make, min(many - 1, SAMPLE), seed):
        write(board)
    allow((perf_counter() - start) * many / SAMPLE, yes)
    for board in queens.generate(make, many, seed):
        click.echo(write(board))


@generator("completion", "nqbench instances completion -n 50 --placed 10 --many 100 --seed 1")
@click.option("--placed", type=Size("--placed"), required=True, metavar="K",
              help="Number of queens to place.")
def completion(n: int, placed: int, many: int, seed: int, yes: bool,
               as_json: bool) -> None:
    """Place K queens at random, none of which attacks another.

    With --json each line is a JSON object.
    """
    write_all(lambda random: queens.completion(n, placed, random), many, seed, yes, as_json)


@generator("torus", "nqbench instances torus -n 11 --placed 3 --many 10")
@click.option("--placed", type=Size("--placed"), required=True, metavar="K",
              help="Number of queens to place.")
def torus(n: int, placed: int, many: int, seed: int, yes: bool,
          as_json: bool) -> None:
    """Place K queens at random on a torus, none of which attacks another.

    With --json each line is a JSON object.
    """
    write_all(lambda random: queens.completion(n, placed, random, torus=True), many, seed, yes,
              as_json)


@generator("blocked", "nqbench instances blocked -n 20 --blocked 240 --many 100")
@click.option("--blocked", type=Size("--blocked"), required=True, metavar="K",
              help="Number of squares to block.")
@least_option
def blocked(n: int, blocked: int, least: int, many: int, seed: int, yes: bool,
            as_json: bool) -> None:
    """Block K squares at random.

    With --json each line is a JSON object.
    """
    write_all(lambda random: queens.blocked(n, blocked, random, least), many, seed, yes, as_json)


@generator("excluded", "nqbench instances excluded -n 20 --excluded 18 --many 100")
@click.option("--excluded", type=Size("--excluded"), required=True, metavar="K",
              help="Number of diagonals to exclude.")
@least_option
def excluded(n: int, excluded: int, least: int, many: int, seed: int, yes: bool,
            as_json: bool) -> None:
    """Exclude K diagonals at random.

    With --json each line is a JSON object.
    """
    write_all(lambda random: queens.excluded(n, excluded, random, least), many, seed, yes, as_json)


def count_lines(file: str) -> int:
    """Return the number of lines of a file, for the progress; 1 if it is not a file."""
    path = Path(file)
    try:
        if path.is_file():
            with path.open("rb") as lines:
                return max(1, sum(1 for _ in read_lines(lines, LONGEST, "an instance")))
    except (OSError, ValueError):
        pass
    return 1


def outcomes(file: str, search: Search, limit: int, keep: int, budget: float, nodes: int | None,
             backtracks: int | None) -> Iterator[Found]:
    """Search each instance; None for one whose queens attack each other, which is not searched."""
    lines = count_lines(file)
    with progress(lines) as show:
        for number, board in enumerate(stream_boards(file)):
            show(f"instance {number + 1}, {search.name}", min(number, lines))
            yield board, None if board.contradiction else search.solve(
                board, "python", limit, keep, nodes, budget, backtracks)


def describe(board: Board, outcome: Any) -> str:
    """Return the answer in words."""
    if outcome is None:
        return f"none: {board.contradiction}"
    return str(outcome.gave_up or outcome.answer)


@instances.command(cls=Command, epilog=example("nqbench instances solve 'n=8 placed=0:0'"))
@file_argument
@algorithm_option
@click.option("--limit", type=Size("--limit", least=1, most=KEPT), default=1, show_default=True,
              metavar="K", help="Find at most K solutions of each instance.")
@budget_option
@nodes_option
@backtracks_option
@json_option
def solve(file: str, algorithm: str, limit: int, budget: float, nodes: int | None,
          backtracks: int | None, as_json: bool) -> None:
    """Print the solutions of each instance: the columns of the queens, row by row, counted from 0.

    With --json each line is a JSON object. Exit status 1 if an instance has no solution, or none
    was found within the limits; standard error says which.
    """
    search, unanswered = find(algorithm), 0
    for number, (board, outcome) in enumerate(
            outcomes(file, search, limit, limit, budget, nodes, backtracks), 1):
        found = outcome.solutions if outcome else []
        unanswered += not found
        if as_json:
            click.echo(json.dumps({"instance": board.as_json(), "algorithm": search.name,
                                   "answer": describe(board, outcome), "solutions": found}))
            continue
        for columns in found:
            click.echo(" ".join(map(str, columns)))
        if not found:
            say(f"instance {number}: {describe(board, outcome)}")
    sys.exit(1 if unanswered else 0)


@instances.command(cls=Command, epilog=example("nqbench instances count 'n=7 torus' --limit 100"))
@file_argument
@algorithm_option
@click.option("--limit", type=Size("--limit", least=1), metavar="K",
              help="Stop counting at K. Default: count all.")
@budget_option
@nodes_option
@backtracks_option
@json_option
def count(file: str, algorithm: str, limit: int | None, budget: float, nodes: int | None,
          backtracks: int | None, as_json: bool) -> None:
    """Count the solutions of each instance.

    With --json each line is a JSON object. Exit status 1 if a search gave up.
    """
    search = find(algorithm)
    if not search.exhaustive:
        raise InvalidValueError(f"{search.name} finds {search.finds} and cannot count; use solve")
    most, gave_up = limit or sys.maxsize, False
    for board, outcome in outcomes(file, search, most, 0, budget, nodes, backtracks):
        found = outcome.found if outcome else 0
        stopped = outcome is not None and (outcome.gave_up is not None or found >= most)
        gave_up = gave_up or bool(outcome and outcome.gave_up)
        if as_json:
            click.echo(json.dumps({"instance": board.as_json(), "algorithm": search.name,
                                   "solutions": found, "or_more": stopped,
                                   "answer": describe(board, outcome)}))
        else:
            click.echo(f"{found}{' or more' if stopped else ''}, {describe(board, outcome)}")
    sys.exit(1 if gave_up else 0)


@instances.command(cls=Command, epilog=example(
    "nqbench instances profile 'n=12 placed=0:0' -a forward_checking"))
@file_argument
@algorithm_option
@click.option("--limit", type=Size("--limit", least=1), default=1, show_default=True, metavar="K",
              help="Stop each search at its K-th solution.")
@budget_option
@nodes_option
@backtracks_option
@json_option
def profile(file: str, algorithm: str, limit: int, budget: float, nodes: int | None,
            backtracks: int | None, as_json: bool) -> None:
    """Count what the search does: nodes, tests, backtracks and the rest, for each instance."""
    search = find(algorithm)
    found = list(outcomes(file, search, limit, 0, budget, nodes, backtracks))
    counters = [outcome.counters if outcome else {} for _, outcome in found]
    if as_json:
        emit({"algorithm": search.name, "limit": limit, "instances": [
            {"instance": board.as_json(), "answer": describe(board, outcome), **counted}
            for (board, outcome), counted in zip(found, counters, strict=True)]})
    else:
        what = queens.write(found[0][0]) if len(found) == 1 else f"{len(found)} instances"
        print_counters(f"{search.name}, {what}", "instance", [
            {"answer": describe(*each), **counted}
            for each, counted in zip(found, counters, strict=True)])
    sys.exit(1 if any(outcome and outcome.gave_up for _, outcome in found) else 0)


instances.add_command(trace)
instances.add_command(tree)


@instances.command(cls=Command, epilog=example("nqbench instances verify --many 1000"))
@click.option("--many", type=Size("--many", least=1), default=100, show_default=True, metavar="M",
              help="Number of instances of each family.")
@seed_option
@yes_option
@json_option
def verify(many: int, seed: int, yes: bool, as_json: bool) -> None:
    """Compare the answers of all searches, and of CP-SAT, python-sat and clingo if installed.

    The instances are random, of all four families. Exit status 1 if two answers differ; the
    message names the instance.
    """
    from nqbench.checking.agreeing import HALF_SOLVABLE, check_agreement

    start = perf_counter()
    if many > SAMPLE:
        for family in HALF_SOLVABLE:
            check_agreement(family, 1, seed)
    announced = allow((perf_counter() - start) * many, yes)
    found = []
    with progress(many * len(HALF_SOLVABLE), announced) as show:
        for done, family in enumerate(HALF_SOLVABLE):
            found.append(check_agreement(
                family, many, seed, progress=partial(_show, show, family, done * many)))
    if as_json:
        emit({"seed": seed, "families": list(map(asdict, found))})
        return
    table(f"{many:,} instances of each family, seed {seed}: all answers agree",
          ["family", "with a solution", "without", "peers asked", "gave up"],
          [[each.family, f"{each.solvable:,}", f"{each.unsolvable:,}",
            ", ".join(each.peers) or "none is installed",
            ", ".join(f"{name} {times:,}" for name, times in sorted(each.gave_up.items()))]
           for each in found], numeric=["with a solution", "without"])


def _show(show: Callable[[str, float], None], family: str, before: int, number: int) -> None:
    """Show the progress within a family."""
    show(family, before + number)


@instances.command(cls=Command, epilog=example(
    "nqbench instances draw 'n=8 placed=0:0 sums=7' --solved",
    "nqbench instances draw file --format svg > file.svg"))
@file_argument
@click.option("--format", "form", default="text", show_default=True, metavar="FORMAT",
              help="Choose text or svg.")
@click.option("--solved", is_flag=True, help="Draw the first solution that fewest_lines finds.")
@budget_option
def draw(file: str, form: str, solved: bool, budget: float) -> None:
    """Draw the first 200 instances: placed queens, queens of a solution, and barred squares.

    With --solved, exit status 1 if no solution of an instance was found; standard error says why.
    """
    if form not in FORMATS:
        raise InvalidValueError(unknown("format", form, FORMATS))
    boards: list[tuple[Board, Columns | None]] = []
    unsolved = 0
    for number, board in enumerate(islice(stream_boards(file), DRAWN), 1):
        outcome = queens.solve(board, seconds=budget) if (
            solved and not board.contradiction) else None
        boards.append((board, outcome.solutions[0] if outcome and outcome.found else None))
        if solved and boards[-1][1] is None:
            unsolved += 1
            say(f"instance {number}: {describe(board, outcome)}")
    click.echo(svg(boards) if form == "svg" else "\n\n".join(
        "\n".join(" ".join(row) for row in squares(board, columns)) for board, columns in boards))
    sys.exit(1 if unsolved else 0)
