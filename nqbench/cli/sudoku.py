"""The commands `nqbench sudoku`: parse, call, print."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from time import perf_counter
from typing import Any

import click

from nqbench._text import unknown
from nqbench.cli.playing import play_puzzle
from nqbench.cli.shared import (
    Command,
    Group,
    Seconds,
    Size,
    emit,
    example,
    folder,
    implementation_option,
    json_option,
    processes_option,
    records_option,
    say,
    stream_input,
)
from nqbench.cli.terminal import print_counters, progress, table
from nqbench.errors import InvalidValueError
from nqbench.plugins import is_outside
from nqbench.sudoku import NAMES, SECONDS, Grid, Outcome, choose, find, grids_svg, stream
from nqbench.sudoku.grid import Digits
from nqbench.sudoku.reading import parse_stream

FORMATS = ("line", "grid", "svg")
DRAWN = 200  # solutions in one drawing at most
MOST = 100_000  # solutions of a puzzle that are printed at most

file_argument = click.argument("file", metavar="FILE")
algorithm_option = click.option(
    "-a", "--algorithm", metavar="ALGORITHM",
    help=f"{', '.join(NAMES)}; fast:portable and the like choose its kernel. Default: fast.")
budget_option = click.option("--budget", type=Seconds(), default=SECONDS, show_default=True,
                             metavar="SECONDS",
                             help="Give up on a puzzle after this time.")
nodes_option = click.option("--nodes", type=Size("--nodes", least=1), metavar="NODES",
                            help="Give up on a puzzle after NODES nodes. Default: no limit.")


@click.group(cls=Group, epilog=example("nqbench sudoku solve easy50",
                                       "nqbench sudoku count puzzles.txt --limit 100"))
def sudoku() -> None:
    """Solve, count, profile, rate and play puzzles of Sudoku.

    FILE holds puzzles: 81 characters a line with . or 0 for an empty cell (or as a field of
    comma-separated values), nine lines of nine, or LeetCode's lists of lists. It may also be -
    for standard input, a puzzle itself, or the name of a data set of the package, such as easy50.
    """


sudoku.add_command(play_puzzle, "play")


def puzzles(file: str) -> list[Grid]:
    """Return the puzzles that FILE names."""
    return list(stream_puzzles(file))


def stream_puzzles(file: str) -> Iterator[Grid]:
    """Yield the puzzles that FILE names, as they are read."""
    return stream_input(file, stream, parse_stream, "puzzle")


def outcomes(grids: list[Grid], algorithm: str | None, implementation: str | None, limit: int,
             keep: int, budget: float, nodes: int | None) -> Iterator[tuple[Grid, Outcome[Digits]]]:
    """Search each puzzle; contradictory givens have no solution and are not searched."""
    name, _, chosen = choose(algorithm, implementation)
    with progress(len(grids)) as show:
        for number, grid in enumerate(grids):
            show(f"puzzle {number + 1}, {name.name}", number)
            if grid.contradiction:
                yield grid, Outcome(limit, 0, [], {"nodes": 0, "guesses": 0})
            else:
                yield grid, chosen.search(grid.digits, limit, keep, nodes, budget)


def describe_outcome(grid: Grid, outcome: Outcome[Digits]) -> str:
    """Return why a puzzle has no answer."""
    if outcome.gave_up:
        return outcome.gave_up
    return f"no solution: {grid.contradiction}" if grid.contradiction else "no solution"


@sudoku.command(cls=Command, epilog=example(
    "nqbench sudoku solve hardest", "nqbench sudoku solve - --format grid < puzzle.txt"))
@file_argument
@algorithm_option
@implementation_option
@click.option("--limit", type=Size("--limit", least=1, most=MOST), default=1, show_default=True,
              metavar="K", help="Find at most K solutions of each puzzle.")
@click.option("--format", "form", default="line", show_default=True, metavar="FORMAT",
              help="Choose line, grid, or svg.")
@budget_option
@nodes_option
@json_option
def solve(file: str, algorithm: str | None, implementation: str | None, limit: int, form: str,
          budget: float, nodes: int | None, as_json: bool) -> None:
    """Print the solutions of each puzzle, 81 digits a line.

    If a puzzle has several solutions, fast finds them in the order of their digits, if the budget
    allows. Exit status 1 if a puzzle has no solution, or if the budget ends before K solutions are
    found; standard error says which.
    """
    if form not in FORMATS:
        raise InvalidValueError(unknown("format", form, FORMATS))
    grids = puzzles(file)
    if form == "svg" and limit * len(grids) > DRAWN:
        raise InvalidValueError(
            f"--format svg draws at most {DRAWN} solutions, not {limit} of "
            f"{len(grids)} puzzles")
    answers, drawn, unanswered = [], [], 0
    for number, (grid, outcome) in enumerate(
            outcomes(grids, algorithm, implementation, limit, limit, budget, nodes), 1):
        found = [Grid(digits) for digits in outcome.solutions]
        if not found or (outcome.gave_up and outcome.found < limit):
            unanswered += 1
            if not as_json:
                say(f"puzzle {number}: {describe_outcome(grid, outcome)}")
        elif outcome.gave_up and not as_json:
            say(f"puzzle {number}: perhaps not the first solutions: {outcome.gave_up}")
        if as_json:
            answers.append({"puzzle": str(grid), "solutions": list(map(str, found)),
                            "contradiction": grid.contradiction, "gave_up": outcome.gave_up})
        elif form == "svg":
            drawn += [(solution, grid) for solution in found]
        else:
            for solution in found:
                click.echo(str(solution) if form == "line" else solution.drawing() + "\n")
    if as_json:
        emit({"algorithm": choose(algorithm, implementation)[0].name, "limit": limit,
              "puzzles": answers})
    elif form == "svg":
        click.echo(grids_svg(drawn))
    sys.exit(1 if unanswered else 0)


@sudoku.command(cls=Command, epilog=example(
    "nqbench sudoku count easy50", "nqbench sudoku count puzzles.txt --limit 1000"))
@file_argument
@algorithm_option
@implementation_option
@click.option("--limit", type=Size("--limit", least=1), default=2, show_default=True, metavar="K",
              help="Stop counting at K.")
@budget_option
@nodes_option
@json_option
def count(file: str, algorithm: str | None, implementation: str | None, limit: int, budget: float,
          nodes: int | None, as_json: bool) -> None:
    """Count the solutions of each puzzle: how many, and whether none, one or several."""
    rows = []
    for grid, outcome in outcomes(puzzles(file), algorithm, implementation, limit, 0, budget,
                                  nodes):
        more = outcome.found >= limit or outcome.gave_up
        rows.append({"puzzle": str(grid), "solutions": outcome.found, "or_more": bool(more),
                     "answer": outcome.answer, "contradiction": grid.contradiction,
                     "gave_up": outcome.gave_up})
        if not as_json:
            why = f" ({grid.contradiction})" if grid.contradiction else ""
            click.echo(f"{outcome.found}{' or more' if more else ''}, "
                       f"{outcome.gave_up or outcome.answer}{why}")
    if as_json:
        emit({"algorithm": choose(algorithm, implementation)[0].name, "limit": limit,
              "puzzles": rows})
    sys.exit(1 if any(row["gave_up"] for row in rows) else 0)


@sudoku.command(cls=Command, epilog=example("nqbench sudoku profile easy50 -a fewest_first"))
@file_argument
@click.option("-a", "--algorithm", default="textbook_bitmask", show_default=True,
              metavar="ALGORITHM", help=f"{', '.join(NAMES)}.")
@implementation_option
@click.option("--limit", type=Size("--limit", least=1), default=1, show_default=True, metavar="K",
              help="Stop each search at its K-th solution.")
@budget_option
@nodes_option
@json_option
def profile(file: str, algorithm: str, implementation: str | None, limit: int, budget: float,
            nodes: int | None, as_json: bool) -> None:
    """Count what the search does: nodes, tests, guesses and the rest, for each puzzle.

    A node is a grid that the search reaches; the first one has only the givens. The level of a node
    is the number of digits placed. Several puzzles make a table.
    """
    found = list(outcomes(puzzles(file), algorithm, implementation, limit, 0, budget, nodes))
    if as_json:
        emit({"algorithm": algorithm, "limit": limit, "puzzles": [
            {"puzzle": str(grid), "solutions": outcome.found, "gave_up": outcome.gave_up,
             "contradiction": grid.contradiction, **outcome.counters} for grid, outcome in found]})
    else:
        what = found[0][0] if len(found) == 1 else f"{len(found)} puzzles"
        print_counters(f"{algorithm}, {what}", "puzzle", [
            {"solutions": outcome.found, **outcome.counters} for _, outcome in found], absent="0")
        for number, (grid, _) in enumerate(found, 1):
            if grid.contradiction:
                say(f"puzzle {number}: not searched: {grid.contradiction}")
    gave_up = [number for number, (_, outcome) in enumerate(found, 1) if outcome.gave_up]
    if gave_up and not as_json:
        say(f"gave up: puzzle {', '.join(map(str, gave_up))}")
    sys.exit(1 if gave_up else 0)


@sudoku.command(cls=Command, epilog=example(
    "nqbench sudoku rate easy50", "nqbench sudoku rate puzzles.txt -a fast -a fewest_first"))
@file_argument
@click.option("-a", "--algorithm", "algorithms", multiple=True, metavar="ALGORITHM",
              help="May be repeated. Default: all.")
@implementation_option
@click.option("--budget", type=Seconds(), default=30.0, show_default=True, metavar="SECONDS",
              help="Time for each solver; skip and report what would take much longer.")
@click.option("--nodes", type=Size("--nodes", least=1), metavar="NODES",
              help="Give up on a puzzle after NODES nodes. Default: 500,000.")
@click.option("--samples", type=Size("--samples", least=1), default=2, show_default=True,
              metavar="S", help="Rounds in each process, in which the solvers take turns.")
@processes_option
@click.option("--seed", type=Size("--seed"), default=0, show_default=True, metavar="S",
              help="Random seed of the permutations.")
@click.option("--as-given", is_flag=True, help="Do not permute the puzzles. A short list is then "
              "rated too high: the processor learns it by heart.")
@records_option
@json_option
def rate(file: str, algorithms: tuple[str, ...], implementation: str | None, budget: float,
         nodes: int | None, samples: int, processes: int | None, seed: int, as_given: bool,
         results: str, as_json: bool) -> None:
    """Rate the solvers on the puzzles of a file: puzzles per second, guesses, the slowest puzzle.

    Each puzzle is searched for a second solution, which proves that there is none. The digits,
    rows, columns, bands and stacks of the puzzles are permuted at random, so that no list comes
    twice in a sample. If a file has more than 50,000 puzzles, 50,000 of them are drawn at random.
    The records are written to a folder, for the report.
    """
    from nqbench.problems import PROBLEMS, DataSet
    from nqbench.study.copies import draw
    from nqbench.study.presets import PROCESSES
    from nqbench.study.rating import MOST, NODES, rate_file, rated_solvers

    problem = PROBLEMS["sudoku"]
    for name in algorithms:
        if is_outside(find(name)):
            raise InvalidValueError(f"rate takes built-in algorithms only, not {name}")
    if implementation not in (None, "python", "cython"):
        raise InvalidValueError(
            f"--implementation must be python or cython, not {implementation!r}")
    chosen = [(name, way) for name in algorithms for way in find(name).implementations]
    chosen = [(name, way) for name, way in chosen or rated_solvers(problem)
              if implementation in (None, way)]
    if not chosen:
        raise InvalidValueError(
            f"there is no {implementation or 'implementation'} of "
            f"{', '.join(algorithms)} here")
    digits, many = draw((grid.digits for grid in stream_puzzles(file)), MOST, seed)
    drawn_from = many if many > len(digits) else None
    label = "stdin" if file == "-" else PurePath(file).stem if Path(file).exists() else file
    start = perf_counter()
    with progress(budget * len(chosen)) as show, folder("--results", results):
        records = rate_file(DataSet(problem, label, digits, drawn_from), chosen, results, budget,
                            samples, nodes or NODES,
                            lambda what: show(what, perf_counter() - start),
                            processes or PROCESSES, None if as_given else seed)
    if as_json:
        emit({"data_set": label, "puzzles": len(digits), "records": records})
        return
    rows = [rated(record) for record in records]
    order = "as given" if as_given else f"permuted (seed {seed})"
    if drawn_from:
        order = f"drawn at random from {drawn_from:,}, {order}"
    table(f"{label}: {len(digits)} puzzles, {order}, each searched for 2 solutions; median of the "
          "passes, from the least to the most",
          ["solver", "puzzles per second", "from", "to", "answered", "without a guess",
           "guesses a puzzle", "nodes a puzzle", "slowest", "its ms"], rows,
          numeric=["puzzles per second", "from", "to", "answered", "without a guess",
                   "guesses a puzzle", "nodes a puzzle", "slowest", "its ms"],
          optional=["nodes a puzzle", "without a guess", "its ms", "slowest", "to", "from"])
    answers = Counter(found for record in records[-1:] for found in record.get("solutions", []))
    for found, many in sorted(answers.items(), key=str):
        if found != 1:
            words = {None: "not answered", 0: "without a solution", 2: "with several solutions"}
            say(f"{many} puzzle{'s' if many > 1 else ''} {words[found]}")


def rated(record: dict[str, Any]) -> list[Any]:
    """Return a solver's row of the table."""
    from nqbench.records.rates import figures

    name = f"{record['algorithm']} ({record['implementation']})"
    if record["status"] != "measured":
        why = ("no puzzle answered" if record["status"] == "timed out"
               else f"left out: about {record['predicted']:,.3g} s")
        return [f"{name}: {why}", *[""] * 9]
    found = figures(record)
    return [name, *(f"{found[rate]:,.0f}" for rate in ("per_second", "low", "high")),
            f"{found['answered']:.1%}", f"{found['unguessed']:.1%}", f"{found['guesses']:,.2f}",
            f"{found['nodes']:,.1f}", found["slowest"], f"{1000 * found['slowest_seconds']:,.3g}"]
