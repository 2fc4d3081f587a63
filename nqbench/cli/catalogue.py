"""The commands `list` and `show`: the algorithms, and what can be measured."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from shutil import get_terminal_size
from time import perf_counter
from typing import Any

import click

from nqbench import engine
from nqbench.cli import options
from nqbench.cli.terminal import LONG, WIDTH, echo, emit, table
from nqbench.engine.processor import ENGINES, find_devices
from nqbench.errors import InvalidValueError
from nqbench.explain.listings import Block, describe, describe_worst_case, listing, strip
from nqbench.problems import PROBLEMS, Algorithm
from nqbench.problems.forecast import SHORT_N, extrapolate, practical_n
from nqbench.problems.plugins import find, find_all, is_outside
from nqbench.problems.plugins.registry import find_problems, list_all
from nqbench.problems.published.errata import find_errata
from nqbench.problems.queens import PUBLISHED, QueensAlgorithm, Tree
from nqbench.problems.queens.base import ONE
from nqbench.search.algorithm import write_values
from nqbench.search.metrics import METRICS, Kind
from nqbench.util.text import format_count, format_seconds, plural

MINUTE = "n in a minute"
DOCUMENTS = ("C Programming, example 8.12", "Probe and backtrack",
             "Backtracking for the eight queens", "The n-queens problem and its optimisations",
             "Backtracking, part 5: board problems")  # parts of the origins of the published ones


@options.command("list", examples=["nqbench list", "nqbench list --json", "nqbench list --metrics"])
@options.algorithms()
@click.option("--all", "every", is_flag=True,
              help="Show the further ideas too, and everything about each algorithm.")
@click.option("--metrics", is_flag=True, help="Show the metrics.")
@options.json
def list_algorithms(algorithms: tuple[str, ...], every: bool, metrics: bool, as_json: bool) -> None:
    """Show the catalogue of algorithms, or of metrics.

    The algorithms are grouped by problem. The published ones of the queens have a line each, in an
    order to learn them, and so have all of other problems; those for instances search the empty
    board for N, too. With --all, everything follows about each. "n in a minute" is the largest
    board, up to 30, whose solutions are counted in less than a minute here, predicted from short
    runs; algorithms of others are not run. A name with a colon takes a parameter, as in
    width_limited:4. If two problems have a name, the instance decides, or the problem before the
    name, as in instances::bitmask.
    """
    if metrics:
        options.require_only("with --metrics", "metrics as_json")
        list_metrics(as_json)
        return
    chosen = [found for each in algorithms for found in find_all(each, None)] or list_all()
    entries = [{
        **as_dict(a), "parameters": a.defaults,
        "implementations": {name: {**(
            {"largest_n": i.largest_n} if isinstance(a, QueensAlgorithm) else {}), **(
            {"kernels": engine.kernels()} if a.name in ENGINES and name == "cython" else {})}
                            for name, i in a.implementations.items()},
    } for a in chosen]
    if as_json:
        emit({"algorithms": entries})
        return
    for problem in dict.fromkeys(a.problem for a in chosen):
        of_problem = [a for a in chosen if a.problem == problem]
        if problem == "queens":  # in an order to learn them
            of_problem.sort(key=lambda a: (a.name not in PUBLISHED, a.tree != Tree.NONE,
                                           a.keeps_marks, a.uses_symmetry))
        if algorithms or every:
            print_all(of_problem)
        else:
            echo(f"{problem}, for {PROBLEMS[problem].form or PROBLEMS[problem].noun}")
            print_lines(of_problem)
    if engine.available() and not algorithms:
        echo(f"kernels of cross and join here: {', '.join(engine.kernels())}")
        with suppress(InvalidValueError):  # not installed, or no device
            for name, title in find_devices().items():
                echo(f"device of the join here: {name} ({title})")


def as_dict(algorithm: Algorithm[Any, Any]) -> dict[str, Any]:
    """Return what an algorithm says about itself, for JSON."""
    return {name: getattr(algorithm, name) for name in (
        "name", "problem", "technique", "origin", "year", "symmetry", "finds")}


def print_all(algorithms: Sequence[Algorithm[Any, Any]]) -> None:
    """Print everything about each algorithm of a problem, as a table."""
    table(f"{len(algorithms)} {plural(len(algorithms), 'algorithm')} of {algorithms[0].problem}",
          ["name", "year", "technique", "symmetry", "finds", MINUTE, "origin"],
          [[f"{a.name}:{write_values(a.defaults).replace(',', ', ')}" if a.defaults else a.name,
            a.year, a.technique,
            a.symmetry, a.finds,
            "" if is_outside(a) or not isinstance(a, QueensAlgorithm) else ", ".join(
                f"{name} {n}" for name in a.implementations
                if (n := practical_n(a, name)) is not None),
            a.origin] for a in algorithms], numeric=["year"])


def print_lines(algorithms: Sequence[Algorithm[Any, Any]]) -> None:
    """Print a line for each algorithm of a problem that fits the terminal: its name, the year, and
    how it works. Those of queens are the published ones, with the number of the document and the
    practical n; then come the documents, and the names of the others.
    """
    queens = [a for a in algorithms if isinstance(a, QueensAlgorithm)]
    shown = [a for a in algorithms if a not in queens or a.name in PUBLISHED]
    width = get_terminal_size((WIDTH, 0)).columns
    echo(f"algorithm       source year  n  how it works ({MINUTE}, here in Python)" if queens
         else f"algorithm{14 * ' '}year  how it works")
    for a in shown:
        line = f"{a.name:22} {a.year or '':4}  "
        if isinstance(a, QueensAlgorithm):
            number = next(k for k, start in enumerate(DOCUMENTS, 1) if start in a.origin)
            line = f"{a.name:20} {number} {a.year or '':4} {practical_n(a):2}  "
        parts = a.technique.split(", ")
        while len(parts) > 1 and len(line) + len(", ".join(parts)) > width:
            parts.pop()
        echo(line + ", ".join(parts))
    if queens:
        echo("\n" + "\n".join(f"{k} {name}" for k, name in enumerate(DOCUMENTS, 1)))
        echo(f"{len(queens) - len(shown)} further ideas: nqbench list --all")
        echo(click.wrap_text(", ".join(a.name for a in queens if a not in shown), width))
    echo()


def list_metrics(as_json: bool) -> None:
    """Show all metrics: their units and meanings."""
    found = sorted(METRICS.values(), key=lambda m: list(Kind).index(m.kind))
    entries: list[dict[str, Any]] = [{
        "name": m.name, "unit": m.unit, "kind": m.kind, "meaning": m.meaning,
        "by_level": m.by_level, "less_is_better": m.less_is_better} for m in found]
    if as_json:
        emit({"metrics": entries})
        return
    table(f"{len(entries)} metrics", ["name", "unit", "kind", "meaning", "better"],
          [[m.name, m.unit, m.kind, m.meaning,
            {True: "less", False: "more", None: ""}[m.less_is_better]] for m in found])


Counters = dict[str, Any]  # the solutions, and the counters of the tally
SHOWN_N = range(4, 9)  # the n whose counters are shown; all counters of the last


@options.command(examples=["nqbench show bitmask", "nqbench show my_idea.py --json"])
@click.argument("name", metavar="ALGORITHM")
@options.json
def show(name: str, as_json: bool) -> None:
    """Explain an algorithm: its listing, idea, cost and counters.

    ALGORITHM is a name from `nqbench list`, or FILE.py, FILE.py::NAME or MODULE::NAME; if several
    problems have the name, that of the queens, and instances::NAME is that for instances. A line of
    the listing is marked if its comment begins with "idea". The counters are computed for n = 4
    to 8, as far as that takes a few seconds; those of other problems for small instances.
    """
    chosen = find(name, None)
    others = [f"{each}::{chosen.name}" for each in find_problems(chosen.name)
              if each != chosen.problem]
    is_queens = isinstance(chosen, QueensAlgorithm)
    blocks = listing(chosen)
    growth, seconds = count_up(chosen) if is_queens else ({}, None)
    counted: dict[Any, Counters] = {**growth} if is_queens else {**count_small(chosen)}
    plain = chosen.name.partition(":")[0]
    faults = find_errata(plain) if is_queens and not is_outside(chosen) else ()
    worst_case = describe_worst_case(chosen)
    given = {name: value for name, value in (
        chosen.python.parameters if chosen.search else {}).items() if not callable(value)}
    if as_json:
        emit({**as_dict(chosen), "others": others, "parameters": given,
              "description": describe(chosen), "tree": chosen.tree,
              "worst_case": worst_case or None,
              "listing": [asdict(block) for block in blocks],
              "counters": {n: found for n, found in counted.items()
                           if n in SHOWN_N or not is_queens},
              "errata": [each.as_dict() for each in faults]})
        return
    width = get_terminal_size((WIDTH, 0)).columns
    echo(f"{chosen.name}: {chosen.technique}\n\n{describe(chosen)}\n")
    for label, text in (("problem", "; ".join([chosen.problem, *(f"also {x}" for x in others)])),
                        ("from", f"{chosen.origin}, {chosen.year or 'no date given'}"),
                        *[("parameters", write_values(given))] * bool(given),
                        ("finds", f"{chosen.finds}; symmetry: {chosen.symmetry}"),
                        *[("worst case", worst_case or "not known")] * is_queens):
        echo(click.wrap_text(text, width, f"{label:12}", 12 * " "))
    print_listing([strip(block) for block in blocks])
    if not counted:
        echo("Its steps cannot be counted.\n")
    elif is_queens:
        print_growth(chosen, name, growth, seconds)
    else:
        names = ["solutions", "nodes", "tests"]
        table(f"{chosen.name}: small instances", ["instance", *names],
              [[label, *(format_count(found.get(name)) for name in names)]
               for label, found in counted.items()], numeric=names)
    if counted:
        print_counters(chosen, *[*counted.items()][-1])
    if faults:
        table(f"errata of {plain}", ["listing", "fault", "how it shows", "in nqbench"],
              [[each.listing, each.fault, each.shown, each.right] for each in faults])
    else:
        echo(f"errata of {plain}: none are known")


def count_small(algorithm: Algorithm[Any, Any]) -> dict[str, Counters]:
    """Return the counters for the small instances of an algorithm, as far as that does not take
    long.
    """
    way = next(iter(algorithm.implementations), None)
    found = {label: algorithm.solve(instance, way, sys.maxsize, 0, seconds=LONG)
             for label, instance in algorithm.small_instances().items() if way}
    return {label: {"solutions": outcome.found, **outcome.counters}
            for label, outcome in found.items() if not outcome.gave_up}


def count_up(algorithm: QueensAlgorithm) -> tuple[dict[int, Counters], float | None]:
    """Return the counters for n up to the last of `SHOWN_N`, as far as that does not take long, and
    the seconds that the first n left out would take.
    """
    counted: dict[int, Counters] = {}
    measured: dict[int, float] = {}
    if "python" not in algorithm.implementations or not algorithm.profiled("python"):
        return counted, None
    for n in range(min(SHOWN_N[-1], algorithm.implementations["python"].largest_n) + 1):
        predicted = (0.0 if n <= SHORT_N or algorithm.finds == ONE else
                     extrapolate(algorithm, measured, n))
        if predicted > LONG:
            return counted, predicted
        start = perf_counter()
        tally = algorithm.profile(n)
        counted[n] = {"solutions": tally.solutions, **tally.counters()}
        measured[n] = perf_counter() - start
    return counted, None


def print_listing(blocks: Sequence[Block]) -> None:
    """Print a listing, its keywords in colours on a terminal, its marked lines behind an arrow."""
    from rich.console import Console
    from rich.syntax import Syntax

    if not blocks:
        echo("\nThe source of the search cannot be read.")
    console = Console(width=get_terminal_size((WIDTH, 0)).columns)
    for number, block in enumerate(blocks):
        if not number or block.file != blocks[number - 1].file:
            echo(f"\n{block.file}" + ", the idea marked with \u2771" * any(
                each.ideas for each in blocks if each.file == block.file))
        with console.capture() as text:  # rich would end the program on a closed pipe
            console.print(Syntax(
                "\n".join(block.lines), "python", line_numbers=True, start_line=block.first,
                highlight_lines=set(block.ideas), theme="ansi_dark", background_color="default",
                word_wrap=True))
        echo("\n" + "\n".join(line.rstrip() for line in text.get().rstrip().splitlines()))
    echo()


def print_growth(algorithm: QueensAlgorithm, notation: str, counted: dict[int, Counters],
                 seconds: float | None) -> None:
    """Print how the search grows with n; the user has named it by its notation."""
    def grown(n: int, name: str) -> str:
        before, now = counted[n - 1][name], counted[n][name]
        return f"{now / before:.1f} times" if before and now else ""

    table(f"{algorithm.name}: growth", ["n", "solutions", "nodes", "over n - 1", "tests",
                                        "over n - 1"],
          [[n, f"{found['solutions']:,}", *(text for name in ("nodes", "tests") for text in (
              format_count(found[name]), grown(n, name)))]
           for n, found in counted.items() if n in SHOWN_N],
          numeric=["n", "solutions", "nodes", "tests", "over n - 1"])
    last = max(counted)
    if seconds is not None:
        echo(f"n = {last + 1} is skipped: it would take about {format_seconds(seconds)}; "
             f"count it with `nqbench profile {last + 1} -a {notation}`")


def print_counters(algorithm: Algorithm[Any, Any], label: int | str, found: Counters) -> None:
    """Print all counters for n, or for an instance."""
    own = algorithm.python.own if algorithm.search else ()
    meanings = {each.name: each.meaning for each in (*METRICS.values(), *own)}
    table(f"{algorithm.name}: counters for {f'n = {label}' if isinstance(label, int) else label}",
          ["counter", "value", "meaning"],
          [[name, format_count(value), meanings.get(name, "")] for name, value in found.items()])
