"""The commands `nqbench instances`: parse, call, print."""

import json
import sys
from collections.abc import Callable
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any

import click

from nqbench import instances as queens
from nqbench._text import unknown
from nqbench.cli.problems import SECONDS, Asked, Verb, instance_argument
from nqbench.cli.shared import (
    Command,
    Group,
    Seconds,
    Size,
    allow,
    example,
    json_option,
    say,
    yes_option,
)
from nqbench.errors import InvalidValueError
from nqbench.instances import Board, Columns
from nqbench.instances.drawing import squares, svg
from nqbench.instances.generating import LEAST

FORMATS = ("text", "svg")
DRAWN = 200  # boards in one drawing at most
SAMPLE = 3  # instances whose time predicts that of many

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
    "nqbench solve file", "nqbench instances draw 'n=8 placed=0:0'"))
def instances() -> None:
    """Generate and draw instances of queens.

    A file has one instance per line, such as n=8 placed=0:3,2:5, n=8 blocked=0:0, n=8 sums=4
    differences=-2, n=7 torus, or JSON: {"n": 8, "placed": [[0, 3]]}. Rows and columns count from 0;
    sums are row + column, differences are row - column. The commands for all problems, such as
    `nqbench solve`, take these files and single instances.
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


@instances.command(cls=Verb, takes=("instances",), epilog=example(
    "nqbench instances draw 'n=8 placed=0:0 sums=7' --solved",
    "nqbench instances draw file --format svg > file.svg"))
@instance_argument
@click.option("--format", "form", default="text", show_default=True, metavar="FORMAT",
              help="Choose text or svg.")
@click.option("--solved", is_flag=True, help="Draw the first solution that fewest_lines finds.")
@click.option("--budget", type=Seconds(), default=SECONDS, show_default=True, metavar="SECONDS",
              help="Give up on an instance after this time.")
def draw(asked: Asked, form: str, solved: bool, budget: float) -> None:
    """Draw the first 200 instances: placed queens, queens of a solution, and barred squares.

    With --solved, exit status 1 if no solution of an instance was found; standard error says why.
    """
    if form not in FORMATS:
        raise InvalidValueError(unknown("format", form, FORMATS))
    boards: list[tuple[Board, Columns | None]] = []
    unsolved = 0
    for number, board in enumerate(islice(asked.instances, DRAWN), 1):
        outcome = queens.solve(board, seconds=budget) if (
            solved and not board.contradiction) else None
        boards.append((board, outcome.solutions[0] if outcome and outcome.found else None))
        if solved and boards[-1][1] is None:
            unsolved += 1
            why = outcome and (outcome.gave_up or outcome.answer)
            say(f"instance {number}: {why or f'none: {board.contradiction}'}")
    click.echo(svg(boards) if form == "svg" else "\n\n".join(
        "\n".join(" ".join(row) for row in squares(board, columns)) for board, columns in boards))
    sys.exit(1 if unsolved else 0)
