"""The commands `nqbench instances`: parse, call, print."""

import json
import sys
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

import click

from nqbench.cli import options
from nqbench.cli.problems import Asked, Verb, instance_argument
from nqbench.cli.terminal import echo, printing, say
from nqbench.errors import InvalidValueError
from nqbench.problems import formats
from nqbench.problems import instances as queens
from nqbench.problems.instances import Board, Columns
from nqbench.problems.instances.board import squares
from nqbench.problems.instances.families import FAMILIES
from nqbench.util.files import LARGE, read_bounded, require_regular
from nqbench.util.text import unknown

DRAWN = 200  # boards in one drawing at most
MAKERS: dict[str, Callable[..., Board]] = {
    **{name: family.make for name, family in FAMILIES.items()},
    "torus": partial(queens.completion, torus=True)}


@click.group(cls=options.Group, examples=[
    "nqbench instances make completion -n 50 -k 10 --many 100 --seed 1 > file",
    "nqbench solve file", "nqbench instances draw 'n=8 placed=0:0'",
    "nqbench instances export 'n=8 placed=0:0' --format cnf-product --out queens.cnf"])
def instances() -> None:
    """Make, draw, export and import instances.

    A file has one instance per line, such as n=8 placed=0:3,2:5, n=8 blocked=0:0, n=8 sums=4
    differences=-2, n=7 torus, or JSON: {"n": 8, "placed": [[0, 3]]}. Rows and columns count from 0;
    sums are row + column, differences are row - column. The commands for all problems, such as
    `nqbench solve`, take these files and single instances.
    """


@instances.command(examples=[
    "nqbench instances make completion -n 50 -k 10 --many 100 --seed 1",
    "nqbench instances make blocked -n 20 -k 240 --many 100"])
@click.argument("family", metavar="FAMILY")
@options.number("-n", least=1, metavar="N", required=True, help="Queens.")
@options.number("-k", "amount", required=True, metavar="K",
                help="How many queens are placed, squares blocked or diagonals excluded.")
@options.number("--many", least=1, default=1, metavar="M", help="Number of instances.")
@options.seed(help="Random seed; instance k depends only on S and k.")
@options.json
def make(family: str, n: int, amount: int, many: int, seed: int, as_json: bool) -> None:
    """Make random instances of a family.

    \b
    completion  K queens placed, none of which attacks another
    torus       the same on a torus
    blocked     K squares blocked, and at least 3 left in each row and column
    excluded    K diagonals excluded, likewise

    Each is printed as soon as it is made, with --json as a JSON object a line.
    """
    if family not in MAKERS:
        raise InvalidValueError(unknown("family", family, MAKERS))
    place = partial(MAKERS[family], n, amount)
    with printing(f"{many:,} instances") as stop:
        for board in queens.generate(place, many, seed):
            echo(json.dumps(board.as_json()) if as_json else queens.write(board))
            stop()


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
    echo("\n\n".join(
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
    options.require_out("--out", out)
    instance, solutions = asked.one(), 0 if count else None
    if count and not asked.problem.contradiction(instance):
        outcome = asked.problem.solve(instance, limit=sys.maxsize, keep=0, seconds=budget)
        if outcome.gave_up:
            raise InvalidValueError(f"--count {outcome.gave_up} and {outcome.found:,} solutions; "
                                    "raise --budget, or omit --count")
        solutions = outcome.found
    text = formats.write(instance, form, solutions)
    if out is None:
        echo(text, nl=False)
    else:
        options.write_out("--out", out, text)


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
    that it violates. It is also 1 if the solver says that there is no solution, and there is one.
    """
    with options.named_file("FILE", file, "read"):
        require_regular(Path(file))
        with Path(file).open(encoding="utf-8", errors="replace") as text:
            source = formats.open_source(text)
    with options.named_file("SOLUTION", solution, "read"):
        data = (read_bounded(Path(solution), LARGE) if solution != "-" else
                sys.stdin.buffer.read(LARGE + 1) if sys.stdin else b"")
    if len(data) > LARGE:
        raise InvalidValueError(f"SOLUTION must have at most {LARGE:,} bytes")
    found = formats.check(source, data.decode("utf-8", "replace"))
    for answer in found:
        echo(source.model.problem.show(answer))
    if not found:
        say("there is no solution, as the solver says")
    if source.solutions is not None:
        say(f"{len(found)} of {source.solutions} solutions")
