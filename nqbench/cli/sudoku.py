"""The command `nqbench sudoku rate`: rate the solvers of Sudoku on many puzzles."""

from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from nqbench.cli.problems import Asked, Verb, instance_argument
from nqbench.cli.shared import (
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
)
from nqbench.cli.terminal import progress, table
from nqbench.errors import InvalidValueError
from nqbench.plugins import is_outside
from nqbench.sudoku import find


@click.group(cls=Group, epilog=example("nqbench sudoku rate easy50",
                                       "nqbench count puzzles.txt --limit 100"))
def sudoku() -> None:
    """Rate the solvers of Sudoku.

    A file holds puzzles: 81 characters a line with . or 0 for an empty cell (or as a field of
    comma-separated values), nine lines of nine, or LeetCode's lists of lists. The commands for all
    problems, such as `nqbench solve`, take these files, single puzzles, and data sets.
    """


@sudoku.command(cls=Verb, takes=("sudoku",), epilog=example(
    "nqbench sudoku rate easy50", "nqbench sudoku rate puzzles.txt -a fast -a fewest_first"))
@instance_argument
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
def rate(asked: Asked, algorithms: tuple[str, ...], implementation: str | None, budget: float,
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
    digits, many = draw(asked.instances, MOST, seed)
    drawn_from = many if many > len(digits) else None
    file = Path(asked.text)
    label = "stdin" if asked.text == "-" else file.stem if file.exists() else asked.text
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
