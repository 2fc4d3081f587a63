"""The commands `nqbench instances`: parse, call, print."""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from time import perf_counter

import click

from nqbench.cli import options
from nqbench.cli.problems import Asked, Verb, instance_argument
from nqbench.cli.shared import allow, say
from nqbench.problems import instances as queens
from nqbench.problems.instances import Board, Columns
from nqbench.problems.instances.board import squares
from nqbench.problems.instances.families import LEAST

DRAWN = 200  # boards in one drawing at most
SAMPLE = 3  # instances whose time predicts that of many

# Each family: its option, what K of it are, what is done, an example, and the generator.
FAMILIES: dict[str, tuple[str, str, str, str, Callable[..., Board]]] = {
    "completion": ("--placed", "queens to place",
                   "Place K queens at random, none of which attacks another.",
                   "-n 50 --placed 10 --many 100 --seed 1", queens.completion),
    "torus": ("--placed", "queens to place",
              "Place K queens at random on a torus, none of which attacks another.",
              "-n 11 --placed 3 --many 10", partial(queens.completion, torus=True)),
    "blocked": ("--blocked", "squares to block", "Block K squares at random.",
                "-n 20 --blocked 240 --many 100", queens.blocked),
    "excluded": ("--excluded", "diagonals to exclude", "Exclude K diagonals at random.",
                 "-n 20 --excluded 18 --many 100", queens.excluded)}


@click.group(cls=options.Group, examples=[
    "nqbench instances completion -n 50 --placed 10 --many 100 --seed 1 > file",
    "nqbench solve file", "nqbench instances draw 'n=8 placed=0:0'"])
def instances() -> None:
    """Generate and draw instances of queens.

    A file has one instance per line, such as n=8 placed=0:3,2:5, n=8 blocked=0:0, n=8 sums=4
    differences=-2, n=7 torus, or JSON: {"n": 8, "placed": [[0, 3]]}. Rows and columns count from 0;
    sums are row + column, differences are row - column. The commands for all problems, such as
    `nqbench solve`, take these files and single instances.
    """


def add_generator(family: str, option: str, what: str, does: str, line: str,
                  make: Callable[..., Board]) -> None:
    """Add the command that generates the instances of a family."""
    @instances.command(family, examples=[f"nqbench instances {family} {line}"],
                       help=f"{does}\n\nWith --json each line is a JSON object.")
    @options.number("-n", least=1, metavar="N", required=True, help="Queens.")
    @options.number(option, "amount", required=True, metavar="K", help=f"Number of {what}.")
    @options.number("--many", least=1, default=1, metavar="M", help="Number of instances.")
    @options.seed(help="Random seed; instance k depends only on S and k.")
    @options.yes()
    @options.json
    def generate(n: int, amount: int, many: int, seed: int, yes: bool, as_json: bool,
                 **least: int) -> None:
        """Print each instance as soon as it is made; predict the time by the first."""
        def stream(many: int) -> Iterator[str]:
            for board in queens.generate(lambda random: make(n, amount, random, **least), many,
                                         seed):
                yield json.dumps(board.as_json()) if as_json else queens.write(board)

        start = perf_counter()
        deque(stream(min(many - 1, SAMPLE)), maxlen=0)
        allow((perf_counter() - start) * many / SAMPLE, yes)
        for text in stream(many):
            click.echo(text)

    if option != "--placed":
        options.number("--least", default=LEAST, metavar="L",
                       help="Leave at least L squares in each row and column.")(generate)
        generate.params.insert(2, generate.params.pop())


for family, words in FAMILIES.items():
    add_generator(family, *words)


@instances.command(cls=Verb, takes=("instances",), examples=[
    "nqbench instances draw 'n=8 placed=0:0 sums=7' --solved",
    "nqbench instances draw file"])
@instance_argument
@click.option("--solved", is_flag=True, help="Draw the first solution that fewest_lines finds.")
@options.budget(help="Give up on an instance after this time.")
def draw(asked: Asked, solved: bool, budget: float) -> None:
    """Draw the first 200 instances: placed queens, queens of a solution, and barred squares.

    With --solved, exit status 1 if no solution of an instance was found; standard error says why.
    """
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
    click.echo("\n\n".join(
        "\n".join(" ".join(row) for row in squares(board, columns)) for board, columns in boards))
    sys.exit(1 if unsolved else 0)
