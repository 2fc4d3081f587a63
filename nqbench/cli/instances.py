"""The commands `nqbench instances`: parse, call, print."""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter

import click

from nqbench.cli import options
from nqbench.cli.problems import Asked, Verb, blaming, instance_argument
from nqbench.cli.shared import allow, require_out, say, write_out
from nqbench.errors import InvalidValueError
from nqbench.problems import formats
from nqbench.problems import instances as queens
from nqbench.problems.instances import Board, Columns
from nqbench.problems.instances.board import squares
from nqbench.problems.instances.families import LEAST
from nqbench.util.files import LARGE, read_bounded, require_regular

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
    "nqbench solve file", "nqbench instances draw 'n=8 placed=0:0'",
    "nqbench instances export 'n=8 placed=0:0' --format cnf-product --out queens.cnf"])
def instances() -> None:
    """Generate, draw, export and import instances.

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


@instances.command(cls=Verb, takes=("instances", "sudoku"), examples=[
    "nqbench instances export 'n=8 placed=0:0' --format minizinc --count --out queens.mzn",
    "nqbench instances export puzzle.txt --format cnf-pairwise"])
@instance_argument
@click.option("--format", "form", metavar="FORMAT", required=True, help="The format of the file.")
@click.option("--count", is_flag=True, help="Count the solutions, and write their number.")
@options.budget(help="Give up on counting after this time.")
@click.option("--out", metavar="FILE", help="Write to FILE instead of standard output.")
def export(asked: Asked, form: str, count: bool, budget: float, out: str | None) -> None:
    """Write an instance of queens, or a puzzle, for other solvers.

    \b
    minizinc        MiniZinc, data and model in one file
    mzn, dzn        MiniZinc, the model of all instances, or the data of this one
    xcsp            XCSP3
    cnf-pairwise    DIMACS CNF, at most one encoded pairwise
    cnf-sequential  DIMACS CNF, at most one by a sequential counter
    cnf-product     DIMACS CNF, at most one by the product encoding
    opb             pseudo-Boolean constraints
    dlx             exact cover, in the notation of Knuth's programs

    The comments of the file name the instance, so `nqbench instances import` needs only the file
    and what a solver printed. They also say which variable is which square or cell.
    """
    formats.FORMATS.find(form)
    require_out("--out", out)
    instance, solutions = asked.one(), 0 if count else None
    if count and not asked.problem.contradiction(instance):
        outcome = asked.problem.solve(instance, limit=sys.maxsize, keep=0, seconds=budget)
        if outcome.gave_up:
            raise InvalidValueError(f"--count {outcome.gave_up} and {outcome.found:,} solutions; "
                                    "raise --budget, or omit --count")
        solutions = outcome.found
    text = formats.write(instance, form, solutions)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_out("--out", out, text)


@instances.command("import", examples=[
    "minizinc -a queens.mzn | nqbench instances import queens.mzn",
    "nqbench instances import queens.cnf solver.log"])
@click.argument("file", metavar="FILE")
@click.argument("solution", metavar="SOLUTION", default="-")
def import_solutions(file: str, solution: str) -> None:
    """Check the solutions that another solver printed, and print them.

    FILE was written by `nqbench instances export`. SOLUTION is the output of the solver, by default
    standard input, with one or several solutions. Each different solution is printed once.

    Exit status 1 if a solution does not fit the instance; standard error names the first constraint
    that it violates.
    """
    with blaming(file, "FILE"):
        require_regular(Path(file))
        with Path(file).open(encoding="utf-8", errors="replace") as text:
            source = formats.open_source(text)
    with blaming(solution, "SOLUTION"):
        data = (read_bounded(Path(solution), LARGE) if solution != "-" else
                sys.stdin.buffer.read(LARGE + 1) if sys.stdin else b"")
    if len(data) > LARGE:
        raise InvalidValueError(f"SOLUTION must have at most {LARGE:,} bytes")
    found = formats.check(source, data.decode("utf-8", "replace"))
    click.echo("\n".join(map(source.model.problem.show, found)))
    if source.solutions is not None:
        say(f"{len(found)} of {source.solutions} solutions")
