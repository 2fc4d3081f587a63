"""The command `nqbench`: parse, call, print.

Data goes to standard output (with --json one object and nothing else), messages and
progress to standard error. Exit status: 0 done, 1 a check failed, 2 the request
makes no sense, 70 a bug in nqbench, 130 interrupted by Ctrl-C, 143 by SIGTERM.
"""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from io import TextIOWrapper
from itertools import count as count_from
from itertools import islice
from math import exp, inf
from pathlib import Path, PurePath
from shlex import quote
from time import perf_counter
from traceback import format_exception
from typing import TYPE_CHECKING, Any, NoReturn

import click

import nqbench
from nqbench import costs, engine
from nqbench._files import FULL, write_whole
from nqbench._interrupts import exit_status, handle_termination
from nqbench._text import printable, spaced
from nqbench.algorithms import PART, Algorithm, Search, catalogue, find
from nqbench.api import choose, choose_profiled, predicted_seconds
from nqbench.board import Columns, svg_pieces
from nqbench.console import (
    BEGUN,
    Group,
    Seconds,
    Size,
    allow,
    discard,
    emit,
    emitting,
    example,
    folder,
    implementation_option,
    json_option,
    processes_option,
    records_option,
    results_option,
    say,
    unknown,
    warned,
    yes_option,
)
from nqbench.engine_cli import SURELY_SHORT, agree, audit, default_checkpoint, plan
from nqbench.errors import InvalidValueError, LostError, NqbenchError
from nqbench.sudoku_cli import sudoku
from nqbench.symmetry import Symmetry
from nqbench.terminal import progress, table, waiting

if TYPE_CHECKING:
    from nqbench.estimation import Estimate, Quantity
    from nqbench.report.keeping import Differences
    from nqbench.traces.tracing import Step

BUG = 70  # exit status, EX_SOFTWARE of sysexits.h
n_argument = click.argument("n", type=Size("N"), metavar="N")
algorithm_option = click.option("-a", "--algorithm", metavar="ALGORITHM",
                                help="See `nqbench list`.")
tree_option = click.option("-a", "--algorithm", default="iterative", show_default=True,
                           metavar="ALGORITHM", help="See `nqbench list`.")
@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]},
             epilog=example("nqbench count 12", "nqbench profile 8 -a iterative --json"))
@click.version_option(nqbench.__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Backtracking on the n-queens problem: search, count, measure, explain."""


@cli.command("list", epilog=example("nqbench list", "nqbench list --json"))
@json_option
def list_(as_json: bool) -> None:
    """Show the catalogue of algorithms.

    The largest n is what an implementation has room for; how long it takes is another
    question. What stands behind a colon may be chosen, as in width_limited:4.
    """
    entries = [{
        "name": a.name, "origin": a.origin, "year": a.year, "technique": a.technique,
        "symmetry": a.symmetry, "finds": a.finds,
        "choice": f"{a.choice.name}, {a.choice.default} by default" if a.choice else None,
        "implementations": {name: {"largest_n": i.largest_n, **(
            {"kernels": engine.kernels()} if (a.name, name) == ("cross", "cython") else {})}
                            for name, i in a.implementations.items()},
    } for a in catalogue().values()]
    if as_json:
        emit({"algorithms": entries})
        return
    table(f"{len(entries)} algorithms",
          ["name", "year", "technique", "symmetry", "finds", "largest n", "origin"],
          [[f"{a.name}:{a.choice.name.upper()}" if a.choice else a.name, a.year, a.technique,
            a.symmetry, a.finds,
            ", ".join(f"{name} {i.largest_n:,}" for name, i in a.implementations.items()),
            a.origin] for a in catalogue().values()], numeric=["year"],
          optional=["origin", "year", "finds"])
    if engine.available():
        click.echo(f"kernels of cross here: {', '.join(engine.kernels())}")


@cli.command(epilog=example("nqbench count 14 -i cython -a somers", "nqbench count 8 --unique"))
@n_argument
@algorithm_option
@implementation_option
@click.option("-j", "--jobs", type=Size("--jobs", least=1), metavar="JOBS",
              help="Threads, of a cython implementation or of the algorithm threads. Default: all "
                   "cores for cross, else 1.")
@click.option("--kernel", metavar="KERNEL",
              help="Of cross: avx512, avx2 or portable. Default: the fastest that runs here.")
@click.option("--unique", is_flag=True, help="Count up to rotation and reflection.")
@click.option("--checkpoint", metavar="FILE",
              help="Save progress in FILE, and resume from it. Default: a file of the user, for a "
                   "count by cross of over a minute.")
@click.option("--cluster", metavar="ADDRESS",
              help="Count by cross on a Dask cluster: the address of its scheduler, or local, or "
                   "local:WORKERS.")
@click.option("--dashboard", is_flag=True, help="Of Dask, for --cluster local; needs bokeh.")
@yes_option
@json_option
def count(n: int, algorithm: str | None, implementation: str | None, jobs: int | None,
          kernel: str | None, unique: bool, checkpoint: str | None, cluster: str | None,
          dashboard: bool, yes: bool, as_json: bool) -> None:
    """Count the solutions for N queens; without -a by the fastest algorithm there is.

    A long count by cross can be interrupted at any time; the same command resumes it.
    """
    if algorithm is None and (kernel, checkpoint, cluster) != (None, None, None):
        algorithm = "cross"
    chosen, way = choose(n, algorithm, implementation)
    by_engine = (chosen.name, way) == ("cross", "cython")
    if not by_engine:
        chosen.no_choices({"cluster": cluster, "checkpoint": checkpoint}, f" in {way}")
    if dashboard and cluster is None:
        raise InvalidValueError("--dashboard goes with --cluster local only")
    if cluster is not None and (kernel, jobs) != (None, None):
        raise InvalidValueError(
            "--kernel and --jobs do not go with --cluster: each worker takes its "
            "fastest kernel")
    if "" in (checkpoint, cluster):
        raise InvalidValueError("--checkpoint and --cluster must not be empty")
    by_leaves = unique and chosen.name != "cross"
    if by_leaves:
        chosen.no_choices({"kernel": kernel})
        if jobs not in (None, 1):
            raise InvalidValueError(f"--jobs must be 1 with --unique for {chosen.name}, not {jobs}")
        predicted = costs.seconds(chosen, n, partial(chosen.unique, implementation=way))
        announced = allow(predicted, yes, costs.orbits_size(n))
    elif cluster is None:
        predicted = count_seconds(chosen, n, way, jobs, kernel)
        announced = allow(predicted, yes)
    kept = (Path(checkpoint) if checkpoint else
            default_checkpoint(n, kernel, jobs) if by_engine else None)
    start = perf_counter()
    if by_leaves:
        with waiting(f"{n} queens, {chosen.name}", predicted, announced):
            start = perf_counter()
            found, workers = chosen.unique(n, way), 1
    elif cluster is not None:
        found, workers = counted_on(cluster, n, kept, dashboard)
    else:
        found, start = counted(chosen, n, way, jobs, kernel, kept, predicted, announced)
        workers = threads(chosen, n, way, jobs, kernel)
    if kept is not None:
        agree(n, found)
        if isinstance(kept, engine.Checkpoint):
            kept.path.unlink(missing_ok=True)
    if unique and chosen.name == "cross":
        found = Symmetry.of(n, found).fundamental
    seconds = perf_counter() - start
    missing = shortfall(chosen, n, found, unique)
    if missing:
        say(missing)
    if as_json:
        emit({"n": n, "algorithm": chosen.name, "implementation": way,
              "kernel": (kernel or engine.kernels()[0]) if by_engine and cluster is None else None,
              "unique": unique, "jobs": workers, "solutions": found, "complete": not missing,
              "seconds": seconds})
    else:
        click.echo(found)


def count_seconds(algorithm: Algorithm, n: int, way: str, jobs: int | None = None,
                  kernel: str | None = None) -> float | None:
    """Return about how many seconds a count takes, None if nobody can tell."""
    if (algorithm.name, way) == ("cross", "cython"):
        return predicted_seconds(n, kernel, jobs) if n > SURELY_SHORT else 0.0
    return costs.seconds(algorithm, n, partial(algorithm.count, implementation=way, jobs=jobs,
                                               kernel=kernel))


def threads(algorithm: Algorithm, n: int, way: str, jobs: int | None, kernel: str | None) -> int:
    """Return how many threads count."""
    if (algorithm.name, way) == ("cross", "cython"):
        from nqbench.engine.processor import chosen_kernel
        from nqbench.engine.threads import QUICK_N

        parts = engine.Division.new(n, chosen_kernel(kernel)).parts
        return 1 if n <= QUICK_N else min(jobs or engine.cores(), parts)
    return 1 if algorithm.finds == PART else min(jobs or 1, max(n, 1))


def shortfall(algorithm: Algorithm, n: int, found: int, unique: bool) -> str | None:
    """Return why a count is not that of all solutions; None if it is."""
    from nqbench.reference import published

    if algorithm.exhaustive:
        return None
    if algorithm.finds == PART:
        depth = algorithm.value if isinstance(algorithm, Search) else None
        if depth is None or depth >= n:
            return None
        return (f"{found:,} partial placements of {depth} queen{'s' * (depth != 1)}, "
                "not solutions")
    known = published("A002562" if unique else "A000170").get(n)
    if found == known:
        return None
    return f"{found:,}{' found' if known is None else f' of {known:,}'}, incomplete search"


def counted_on(address: str, n: int, checkpoint: Path | engine.Checkpoint | None,
               dashboard: bool = False) -> tuple[int, int]:
    """Count on a cluster, with a bar; an interrupt says how far it came. Return the solutions and
    the number of workers at the beginning.
    """
    from nqbench.engine.cluster import cluster

    share, found = 0.0, 0
    start = perf_counter()
    try:
        with cluster(address, say, dashboard) as (executor, workers):
            many = workers()
            predicted = predicted_seconds(n, jobs=1) / max(many, 1) if n > SURELY_SHORT else 0.0
            announced = allow(predicted, yes=True)  # a cluster is there for what takes days
            before = None
            with progress(1.0, announced) as show:
                for share, found in engine.counting_on(executor, n, workers, checkpoint, say):
                    before = found if before is None else before
                    rate = (found - before) / (perf_counter() - start)
                    show(f"{n} queens on {address}: {share:.2%} done, {found:,} so far, "
                         f"{rate:,.0f} a second", share)
    except (KeyboardInterrupt, LostError):
        say(so_far(share, found, checkpoint))
        raise
    return found, many


def so_far(share: float, found: int, checkpoint: Path | engine.Checkpoint | None) -> str:
    """Return the message of an interrupted count."""
    path = checkpoint.path if isinstance(checkpoint, engine.Checkpoint) else checkpoint
    return (f"{found:,} solutions counted in {share:.1%} of the work; "
            + (f"progress is saved in {path}: run the same command to resume" if path
               else "progress is not saved"))


def counted(algorithm: Algorithm, n: int, way: str, jobs: int | None = None,
            kernel: str | None = None,
            checkpoint: Path | engine.Checkpoint | None = None,
            predicted: float | None = None, announced: bool = False) -> tuple[int, float]:
    """Count, with a bar where that takes longer; return the solutions and when the count began.

    The work is the same with a bar and without. With one thread a search runs the bare build,
    which a study times; the bar shows the predicted time. The engine, and threads, tell how far
    they are; an interrupt says it.
    """
    what = f"{n} queens, {algorithm.name}"
    if algorithm.name != "cross" and jobs in (None, 1):
        with waiting(what, predicted, announced):
            start = perf_counter()
            return algorithm.count(n, way, jobs, kernel=kernel), start
    choices = {"checkpoint": checkpoint, "say": say} if checkpoint is not None else {}
    share, found = 0.0, 0
    with progress(1.0, announced) as show:
        start = perf_counter()
        try:
            for share, found in algorithm.counting(n, way, jobs, kernel=kernel, **choices):
                show(f"{what}: {found:,} so far", share)
        except KeyboardInterrupt:
            say(so_far(share, found, checkpoint))
            raise
    return found, start


@cli.command(epilog=example("nqbench symmetry 12"))
@n_argument
@yes_option
@json_option
def symmetry(n: int, yes: bool, as_json: bool) -> None:
    """Count the solutions for N queens by their symmetry."""
    chosen, way = choose(n, "cross")
    announced = allow(count_seconds(chosen, n, way), yes)
    found = Symmetry.of(n, counted(chosen, n, way, announced=announced)[0])
    if as_json:
        emit({"n": n, **{name: value for name, value, _ in found.rows()}})
    else:
        table(f"symmetry of the solutions, n = {n}", ["", "number", "OEIS"],
              [[name.replace("_", " "), f"{value:,}", oeis] for name, value, oeis in found.rows()],
              numeric=["number"])


LARGE = 30  # a search for the first solution may take long from here on
WIDE = 1000  # larger boards are written in pieces
PIECE = 100_000  # characters of a piece
LINE = 2e-6  # seconds to write a row, and
WRITTEN = 1e8  # squares that are written in a second
FORMATS = ("columns", "queens", "matrix", "strings", "svg", "original")


@cli.command(epilog=example("nqbench solve 8 --limit 1 --format queens",
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
    """Print the solutions for N queens in the algorithm's own order.

    \b
    columns   the columns of the queens by row, from 0
    queens    a drawing, and an empty line
    matrix    rows of 0 and 1, and an empty line
    strings   a JSON list of rows, one solution a line
    svg       one drawing of all boards
    original  byte for byte what the original program prints

    Without -a it is bitmask that searches; one solution for a large N is written down by
    Pauls' construction (explicit).
    """
    if form == "seed":  # the old name, too easily taken for --seed
        say("--format seed is deprecated; use --format original")
        form = "original"
    if form not in FORMATS:
        raise InvalidValueError(unknown("format", form, FORMATS))
    if form == "original" and limit is not None:
        raise InvalidValueError(
            f"--limit does not go with --format original, not even {limit}: the "
            "original prints everything")
    if algorithm is None and limit == 1 and n > LARGE:
        algorithm = "explicit"
    chosen = find(algorithm or nqbench.api.DEFAULT)
    if form == "original" and as_json:
        raise InvalidValueError(
            "--json does not go with --format original: its bytes are the original's")
    if form not in ("columns", "original") and chosen.finds == PART:
        raise InvalidValueError(
            f"--format must be columns for {chosen.name}, which reaches partial "
            f"placements, not {form!r}")

    def pieces(m: int, number: int = 0) -> Iterator[str]:
        if form == "original":
            return chosen.original_output(m)
        return written(islice(chosen.solutions(m), limit), m, form, number)

    pieces(n)  # raises for an n that is not allowed
    predicted = solve_seconds(chosen, n, limit, form, lambda m: deque(pieces(m), maxlen=0))
    announced = allow(predicted, yes)
    shown = sys.stdout.isatty()
    with waiting(f"{n} queens, {chosen.name}", predicted, announced, bar=not shown) as seen:
        if as_json:
            with emitting({"n": n, "algorithm": chosen.name, "limit": limit},
                          "solutions") as add:
                for columns in islice(chosen.solutions(n), limit):
                    add(columns)
            return
        number = expected(chosen, n, limit) if form == "svg" else 0
        for piece in pieces(n, number):
            click.echo(piece, nl=False)
            if shown:
                seen()


def solve_seconds(algorithm: Algorithm, n: int, limit: int | None, form: str,
                  run: Callable[[int], object]) -> float | None:
    """Return about how many seconds it takes to find and write solutions, None if nobody can tell.

    `run` does so for another n. What a limited search takes is its share of the solutions.
    """
    known = costs.solutions(n) if algorithm.exhaustive else 1
    share = 1.0 if limit is None or limit >= known else limit / known
    rows = share * known * n if known < inf else float(limit or inf) * n
    writing = rows * (LINE if form in ("columns", "svg") else LINE + n / WRITTEN)
    if share < 1.0 and (known == inf or not algorithm.exhaustive):
        return writing
    found = costs.seconds(algorithm, n, run)
    return writing if found is None else share * found + writing


def expected(algorithm: Algorithm, n: int, limit: int | None) -> int:
    """Return how many solutions a search will yield; one that nobody knows is run to tell."""
    from nqbench.reference import published

    known: int | None = published("A000170").get(n) if algorithm.exhaustive else None
    if algorithm.exhaustive and known is None:
        known = limit  # beyond what is published there are more than anybody can ask for
    if known is not None:
        return known if limit is None else min(limit, known)
    return sum(1 for _ in islice(algorithm.solutions(n), limit))


def written(found: Iterable[Columns], n: int, form: str, number: int) -> Iterator[str]:
    """Yield the solutions in a format, in pieces: large boards row by row.

    `number` is how many there are, for a drawing.
    """
    if form == "svg":
        yield from joined(svg_pieces(found, number, n))
        yield "\n"
        return
    for columns in found:
        pieces = solution(columns, form)
        yield from joined(pieces) if n > WIDE else ["".join(pieces)]


def joined(pieces: Iterable[str]) -> Iterator[str]:
    """Join pieces to larger ones.

    >>> [len(piece) for piece in joined("." * (2 * PIECE + 1))]
    [100000, 100000, 1]
    """
    waiting, size = list[str](), 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield "".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield "".join(waiting)


def solution(columns: Columns, form: str) -> Iterator[str]:
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


@cli.command(epilog=example("nqbench trace 4", "nqbench trace 6 -a probe_stack --all"))
@n_argument
@tree_option
@click.option("--limit", type=Size("--limit", least=1), metavar="K",
              help="Stop at the K-th placement reached, by default at the first.")
@click.option("--all", "whole_search", is_flag=True, help="Go on to the end.")
@yes_option
@json_option
def trace(n: int, algorithm: str, limit: int | None, whole_search: bool, yes: bool,
          as_json: bool) -> None:
    """Show the search step by step: place, conflict, back.

    Taken from the running algorithm, in its own order. Rows and columns count from 1 here,
    as in the figures of the textbooks; in the JSON from 0.
    """
    from nqbench.traces.tracing import Trace, follow
    from nqbench.traces.tree import Node

    if whole_search and limit is not None:
        raise InvalidValueError(f"--limit {limit} and --all exclude one another")
    limit = None if whole_search else limit or 1
    chosen = find(algorithm)
    chosen.follow(n, Trace(n, print))  # raises for what has no tree

    def line(m: int, step: "Step") -> str:
        return f"{Node(m, step.queens).label}  {told(step)}"

    predicted = None
    if whole_search:
        predicted = costs.seconds(chosen, n, lambda m: follow(
            m, algorithm, Trace(m, partial(line, m))))
    announced = allow(predicted, yes)
    shown = sys.stdout.isatty()
    with waiting(f"{n} queens, {algorithm}", predicted, announced, bar=not shown) as seen:
        if as_json:
            with emitting({"n": n, "algorithm": algorithm, "limit": limit}, "steps") as add:
                follow(n, algorithm, Trace(n, lambda step: add(
                    {"kind": step.kind, "square": step.square, "queens": step.queens,
                     "attackers": step.attackers})), limit)
            return
        number = count_from(1)

        def show(step: "Step") -> None:
            click.echo(f"{next(number):5}  {line(n, step)}")
            if shown:
                seen()

        follow(n, algorithm, Trace(n, show), limit)


def told(step: "Step") -> str:
    """A step in words."""
    if step.square is None:
        return step.kind
    row, column = step.square
    text = f"{step.kind}: row {row + 1}, column {column + 1}"
    if step.kind == "place":
        return text
    attackers = ", ".join(f"row {r + 1}" for r, _ in step.attackers)
    return text + (f" is attacked from {attackers}" if attackers else " is left out")


@cli.command(epilog=example("nqbench estimate 27 --probes 1000000 --seed 1",
                            "nqbench estimate 40 --method stratified --probes 100000"))
@n_argument
@click.option("--probes", type=Size("--probes", least=2), default=1_000_000, show_default=True,
              metavar="P", help="Random probes of the tree.")
@click.option("--seed", type=Size("--seed"), default=0, show_default=True, metavar="S",
              help="Of the random numbers: the same seed gives the same estimate.")
@click.option("--method", default="knuth", show_default=True, metavar="METHOD",
              help="knuth, or stratified: dearer probes that vary less.")
@click.option("-j", "--jobs", type=Size("--jobs", least=1), metavar="JOBS",
              help="Threads. Default: all cores.")
@json_option
def estimate(n: int, probes: int, seed: int, method: str, jobs: int | None,
             as_json: bool) -> None:
    """Estimate the tree of N queens, and its solutions, from random probes.

    For an N that nobody can search. Each figure comes with its standard error and its 95 %
    interval by the normal approximation, and stands beside the known value where there is
    one.
    """
    from nqbench import estimation
    from nqbench.reference import published

    start = perf_counter()
    with progress(probes) as show:
        for found in estimation.estimating(n, probes, seed, method, jobs):
            show(f"{n} queens, {method}", found.probes)
    seconds = perf_counter() - start
    known = {name: published(sequence).get(n)
             for name, sequence in (("nodes", "A319283"), ("solutions", "A000170"))}
    if as_json:
        emit({"n": n, "method": method, "probes": probes, "seed": seed, "reached": found.reached,
              "seconds": seconds, **{
                  name: {**quantity(getattr(found, name)), "known": known[name]}
                  for name in ("nodes", "solutions")},
              "levels": [quantity(level) for level in found.levels]})
        return
    table(f"{n} queens, {probes:,} probes ({method}), seed {seed}",
          ["", *estimation.FIGURES, "known"],
          [[name, *x.texts(), "" if known.get(name) is None else f"{known[name]:,}"]
           for name, x in found.rows()], numeric=[*estimation.FIGURES, "known"])
    for line in remarks(found):
        click.echo(line)


def quantity(x: "Quantity") -> dict[str, Any]:
    return {"estimate": x.mean, "standard_error": x.error, "interval": x.interval}


def remarks(found: "Estimate") -> Iterator[str]:
    """What to keep in mind about an estimate, a line each."""
    from nqbench.estimation import ENOUGH, LAW

    yield f"{found.reached:,} of {found.probes:,} probes reached a solution."
    if found.reached < ENOUGH:
        yield ("So few say little about the number of solutions: take its interval for too narrow, "
               "and more probes.")
    if found.n > 1 and found.solutions.mean > 0:
        rate = found.solutions.mean ** (1 / found.n) / found.n
        yield (f"Q(n)^(1/n) / n is {rate:.4f} by this estimate. It tends to e^-{LAW} = "
               f"{exp(-LAW):.4f}, but slowly: the law is no estimate for any one n.")


WHOLE_TREE = 6  # up to this n a tree is shown whole
CUT = 2
DRAWINGS = (".txt", ".dot", ".svg")


@cli.command(epilog=example("nqbench tree 4", "nqbench tree 5 -a bitmask --out tree.svg",
                            "nqbench tree 10 --depth 1"))
@n_argument
@tree_option
@click.option("--depth", type=Size("--depth"), metavar="D",
              help=f"Cut below D queens, by default below {CUT} from n = {WHOLE_TREE + 1} on.")
@click.option("--out", metavar="FILE", help="Write FILE.txt, .dot (Graphviz) or .svg.")
@yes_option
@json_option
def tree(n: int, algorithm: str, depth: int | None, out: str | None, yes: bool,
         as_json: bool) -> None:
    """Show the search tree: (2 4 * *) has queens in columns 2 and 4 of the first two rows.

    B marks a dead end, where the search backtracks. The nodes stand in the order in which
    the running algorithm makes them; what is cut off is counted.
    """
    from nqbench.traces import tree as trees

    kind = PurePath(out).suffix if out is not None else ".txt"
    if kind not in DRAWINGS:
        raise InvalidValueError(f"--out must end in {', '.join(DRAWINGS)}, not {out!r}")
    if depth is None:
        depth = n if n <= WHOLE_TREE else CUT
    made = 0

    def drawn(m: int, told: Callable[[int], object] = bool) -> str:
        nonlocal made
        root = trees.grow(m, algorithm, depth, told)
        made = sum(1 for _ in root.walk())
        if as_json:
            return json.dumps({"n": n, "algorithm": algorithm, "depth": depth, "nodes": [
                {"queens": node.queens, "solution": node.solution, "dead_end": node.dead_end,
                 "nodes_below": node.nodes, "solutions_below": node.solutions,
                 "dead_ends_below": node.dead_ends} for node in root.walk()]}) + "\n"
        if kind == ".svg":
            return trees.svg(root)
        return "\n".join((trees.dot if kind == ".dot" else trees.text)(root)) + "\n"

    chosen = find(algorithm)
    predicted = costs.seconds(chosen, n, drawn)
    announced = allow(predicted, yes, costs.tree_size(n, depth) if chosen.exhaustive else 0.0)
    with progress(n, announced) as show:
        drawing = drawn(n, lambda children: show("searching", children - 1))
    if out is None or as_json:
        click.echo(drawing, nl=False)
    else:
        try:
            write_whole(Path(out), drawing)
        except OSError as error:
            if error.errno in FULL:
                raise
            raise InvalidValueError(
                f"--out must be a file that can be written, not {out!r} "
                f"({error.strerror})") from None
        click.echo(f"{made:,} nodes in {printable(out)}")


@cli.command(epilog=example("nqbench profile 8 -a iterative", "nqbench profile 8 -a somers --json"))
@n_argument
@click.option("-a", "--algorithm", default="bitmask", show_default=True, metavar="ALGORITHM",
              help="See `nqbench list`.")
@implementation_option
@yes_option
@json_option
def profile(n: int, algorithm: str, implementation: str | None, yes: bool, as_json: bool) -> None:
    """Count what a search for all solutions does: nodes, tests, levels and the rest."""
    chosen, way = choose_profiled(n, algorithm, implementation)
    predicted = costs.seconds(chosen, n, partial(chosen.profile, implementation=way))
    with waiting(f"{n} queens, {chosen.name}", predicted, allow(predicted, yes)):
        tally = chosen.profile(n, way)
    if as_json:
        emit({"n": n, "algorithm": chosen.name, "implementation": way,
              "solutions": tally.solutions, **tally.counters()})
        return
    table(f"{chosen.name} ({way}), n = {n}", ["counter", "value"], tally.rows())


@cli.command(epilog=example("nqbench verify --max-n 12",
                            "nqbench verify --max-n 9 --sequence A319283"))
@click.option("--max-n", type=Size("--max-n"), default=10, show_default=True, metavar="N",
              help="The largest n to check.")
@click.option("--sequence", "sequences", multiple=True, metavar="SEQUENCE",
              help="An OEIS number such as A000170; may be repeated. Default: all there are.")
@click.option("--budget", type=Seconds(), default=60.0, show_default=True, metavar="SECONDS",
              help="What would take longer is left out, and said.")
@json_option
def verify(max_n: int, sequences: tuple[str, ...], budget: float, as_json: bool) -> None:
    """Compute what the OEIS has published, by every algorithm that can in time, and compare.

    Where a value differs it is divided by the column of the first queen.
    """
    from nqbench.reference import SEQUENCES
    from nqbench.verification import run_checks

    start = perf_counter()
    with progress(budget) as show:
        verification = run_checks(
            max_n, sequences or SEQUENCES, budget,
            progress=lambda check, solver: show(f"{check.sequence}, n = {check.n}: {solver}",
                                                perf_counter() - start))
    if as_json:
        emit({"ok": verification.ok, "max_n": max_n, "interrupted": verification.interrupted,
              "checks": [check.as_dict() for check in verification.checks]})
    else:
        table(f"published values up to n = {max_n}",
              ["sequence", "n", "expected", "got", "status", "answered by"],
              [[c.sequence, c.n, spaced(c.expected), spaced(c.got), c.status, answered(c, above)]
               for above, c in zip([None, *verification.checks], verification.checks,
                                   strict=False)], numeric=["n"])
        for check in verification.checks:
            for mismatch in check.mismatches:
                explain(check, mismatch)
        click.echo(verification.summary)
    if verification.interrupted:
        say("interrupted")
        sys.exit(exit_status())
    sys.exit(0 if verification.ok else 1)


def answered(check: Any, above: Any) -> str:
    """Who answered; or the least prediction of those that would take too long."""
    if above is not None and check.answers and set(check.answers) == set(above.answers):
        return f"{len(check.answers)}: the same"
    names: dict[str, list[str]] = {}
    for algorithm, implementation in check.solvers:
        names.setdefault(algorithm.name, []).append(implementation)
    shown = ", ".join(name + (f" ({'+'.join(ways)})" if ways != ["python"] else "")
                      for name, ways in names.items())
    if not check.answers and check.left_out:
        least = min(check.left_out.values())
        about = f"{least:,.0f}" if least > 9 else f"{least:.2g}"
        return f"none in time; the fastest would take about {about} s"
    return f"{len(check.answers)}: {shown}" + (
        f"; {len(check.left_out)} left out" if check.left_out else "")


def explain(check: Any, mismatch: Any) -> None:
    """Print where a wrong answer goes wrong."""
    click.echo(f"{check.sequence}, n = {check.n}: {mismatch.solver} answers "
               f"{spaced(mismatch.got)}, not {spaced(mismatch.expected)}")
    table("solutions by the column of the first queen",
          ["column", "expected", "got", ""],
          [[c, "not known" if e is None else e, g, "differs" if e not in (None, g) else ""]
           for c, e, g in mismatch.by_first_queen], numeric=["column", "expected", "got"])
    if mismatch.level is not None:
        click.echo(f"its profile parts from the published one at level {mismatch.level}")


@cli.command(epilog=example("nqbench errata", "nqbench errata --json"))
@json_option
def errata(as_json: bool) -> None:
    """List what the published listings get wrong, and how each fault was shown."""
    from nqbench.reference import ERRATA

    if as_json:
        emit({"errata": [e.as_dict() for e in ERRATA]})
        return
    table(f"{len(ERRATA)} faults in the published listings",
          ["listing", "fault", "how it shows", "right"],
          [[e.listing, e.fault, e.shown, e.right] for e in ERRATA])


for command in (audit, plan, sudoku):
    cli.add_command(command)


# Metrics whose records are points of a study: the others are counters of theirs, or checks.
POINTS = ("seconds", "estimate", "rate", "peer", "dispatch", "plan", "schedule")
SKIPPED = {"too long": "as one point would take too long", "no time left": "for lack of time"}


@cli.command(epilog=example("nqbench study", "nqbench study --preset quick --results /tmp/r",
                            'nqbench study --label "office laptop"'))
@click.option("--preset", default="standard", show_default=True, metavar="PRESET",
              help="quick, standard, full; or of one thing more: pruning, symmetry, estimate, "
                   "sudoku, engine, peers, cluster.")
@click.option("--budget", type=Seconds(), metavar="SECONDS",
              help="Time for all; default: the preset's.")
@processes_option
@records_option
@click.option("--label", metavar="TEXT",
              help="Call this machine TEXT in this and all later studies.")
@click.option("--resume", is_flag=True, help="Continue the newest run, if it was interrupted.")
@json_option
def study(preset: str, budget: float | None, processes: int | None, results: str,
          label: str | None, resume: bool, as_json: bool) -> None:
    """Measure the algorithms and write the records to a new file in a folder.

    \b
    quick, standard, full  all algorithms, in seconds, minutes, or half an hour
    pruning                those that prune, to larger N
    symmetry               the plain search, and those that use symmetry
    estimate               random probes of the trees of 4 to 30 queens
    sudoku                 the solvers of Sudoku, on all puzzles of the package
    engine                 the kernels of the counting engine, and Somers' program
    peers                  what else a Python user could take, beside ours (nqbench[peers])
    cluster                what counts beyond one machine would take (nqbench[cluster])
    """
    from nqbench.study import PRESETS, RESULTS, run

    if preset not in PRESETS:
        raise InvalidValueError(unknown("preset", preset, PRESETS))
    total = budget or PRESETS[preset].budget
    start = perf_counter()
    begun = False

    def show_progress(what: str, gone: float, _: float) -> None:
        nonlocal begun
        begun = True
        show(what, min(gone, total))

    try:
        with progress(total) as show, warned(), folder("--results", results):
            records = run(preset, budget, results, progress=show_progress, resume=resume,
                          processes=processes, label=label)
    except (KeyboardInterrupt, LostError):
        if begun:
            where = "" if results == RESULTS else f" --results {quote(results)}"
            say(f"what was measured is kept in {results}/; continue with "
                f"`nqbench study --preset {preset}{where} --resume`")
        raise
    measured = records[records["metric"].isin(POINTS)]
    absent = list(measured[measured["status"] == "not installed"]["peer"].unique())
    skipped = measured[measured["status"] == "left out"]
    reasons = {reason: int((skipped["reason"] == reason).sum()) for reason in SKIPPED}
    summary = {
        "preset": preset, "results": results, "seconds": perf_counter() - start,
        "records": len(records),
        "measured": int((measured["status"] == "measured").sum()),
        "left_out": len(skipped),
        "reasons": reasons,
        "timed_out": int((measured["status"] == "timed out").sum()),
        "checks_failed": int(records["status"].isin(["differs", "failed"]).sum()),
        "not_installed": absent,
    }
    if as_json:
        emit(summary)
    else:
        if absent:
            say(f"not installed: {', '.join(absent)}; pip install 'nqbench[peers]'")
        why = ", ".join(f"{many} {SKIPPED[reason]}" for reason, many in reasons.items() if many)
        click.echo(f"{summary['measured']} points measured, {len(skipped)} skipped"
                   f"{f' ({why})' if why else ''}, {summary['timed_out']} timed out, "
                   f"{summary['checks_failed']} checks failed; {summary['records']} results "
                   f"in {results}/ after {summary['seconds']:.0f} s")
    sys.exit(1 if summary["checks_failed"] else 0)


@cli.command(epilog=example("nqbench publish", "nqbench publish 2026-11-22T01:35"))
@click.argument("run", required=False, metavar="[RUN]")
@click.option("--results", default="results", show_default=True, metavar="DIR",
              help="Folder of the published records.")
@json_option
def publish(run: str | None, results: str, as_json: bool) -> None:
    """Move a run from DIR/local, which git ignores, to the published records in DIR.

    RUN is the name of its file, or the beginning of the time at which it started. Default: the
    newest run.
    """
    from nqbench.study import publish

    with folder("--results", results):
        path = publish(Path(results), run)
    if as_json:
        emit({"file": str(path)})
    else:
        click.echo(f"published {path}; `git add {path}` and `make gallery` follow")


@cli.command(epilog=example("nqbench report", "nqbench report --results /tmp/r --out /tmp/page",
                            "nqbench report --check"))
@results_option
@click.option("--out", default="reports", show_default=True, metavar="DIR",
              help="Folder for tables, plots and page.")
@click.option("--published", is_flag=True, help="Leave out the subfolder local of the records.")
@click.option("--check", "only_check", is_flag=True,
              help="Write nothing: say which files are not those that the records make.")
@click.option("--force", is_flag=True,
              help="Overwrite files that no report wrote, or that were changed since.")
@json_option
def report(results: str, out: str, published: bool, only_check: bool, force: bool,
           as_json: bool) -> None:
    """Make tables, plots and one page from what has been measured.

    The same records make the same bytes with the same nqbench, and drawings with the same
    matplotlib. The exit status is 1 if a total is wrong, which the page shows at its
    top, and with --check if any file is another one.
    """
    from nqbench.report import compare, read, write
    from nqbench.report.totals import summary

    with warned(), folder("--results", results), folder("--out", out):
        made = read(results, published)
        if only_check:
            found = compare(made, out)
        else:
            files = write(made, out, force)
    wrong = [{"solver": one.solver, "n": one.n, "sequence": one.sequence,
              "expected": one.expected, "actual": one.actual} for one in made.wrong]
    if only_check:
        tell_differences(found, results, out, wrong if as_json else None)
    elif as_json:
        emit({"ok": not wrong, "wrong": wrong, "page": str(files[0]),
              "files": [str(path) for path in files]})
    else:
        click.echo(f"{len(files)} files in {out}/; open {files[0]}")
    if wrong:
        say(summary(made.wrong))
    sys.exit(1 if wrong or (only_check and not found.same) else 0)


def tell_differences(found: "Differences", results: str, out: str,
                     wrong: list[dict[str, Any]] | None) -> None:
    """Name the files that are not what the records make; as JSON with the wrong totals."""
    if wrong is not None:
        emit({"ok": found.same and not wrong, "wrong": wrong, "same": found.same, **asdict(found)})
        return
    for what, names in (("differs", found.differ), ("missing", found.missing),
                        ("left over", found.left_over)):
        for name in names:
            click.echo(f"{what + ':':10} {PurePath(out, name)}")
    if found.same:
        click.echo(f"the {found.made} files in {out}/ are those that {results}/ makes")
    elif found.only_drawings:
        say(f"{out}/ and what {results}/ makes differ in drawings alone, which other versions of "
            "matplotlib or zlib do too")
    else:
        say(f"{out}/ is not what {results}/ makes: run `nqbench report`")


def refuse(line: str, status: int = 2, context: click.Context | None = None) -> int:
    """Say what was wrong, as JSON too where that was asked for and none has been printed in this
    context; return the exit status.
    """
    say(line)
    begun = context is not None and BEGUN in context.meta
    if sys.stdout is not None and "--json" in sys.argv[1:] and not begun:
        try:
            emit({"error": line})
            sys.stdout.flush()
        except OSError:
            discard(sys.stdout)
    return status


def apologise(error: Exception) -> int:
    """Print the traceback of a bug after one line that says so; return the exit status."""
    discard(sys.stdout)
    line = f"sorry, this is a bug in nqbench {nqbench.__version__}: please report it with:"
    with suppress(OSError):
        click.echo(f"nqbench: {line}\n" + "".join(format_exception(error)), err=True, nl=False)
    return BUG


def run() -> int:
    """Run the command and return its exit status; every refusal is one line."""
    if sys.stdout is None:
        return refuse("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that cannot be shown must not be a bug
            stream.reconfigure(errors="replace")
    context = None
    try:
        handle_termination()
        context = cli.make_context("nqbench", sys.argv[1:])
        with context:
            return finished(context)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.NoSuchOption as error:
        near = f"; did you mean {' or '.join(error.possibilities)}?" if error.possibilities else ""
        return refuse(f"there is no option {error.option_name!r}{near}")
    except click.ClickException as error:
        return refuse(" ".join(error.format_message().split()))
    except NqbenchError as error:
        return refuse(str(error), error.status, context)
    except MemoryError:
        return refuse("there is not enough memory for this", context=context)
    except BrokenPipeError:  # the reader has seen enough
        discard(sys.stdout)
        return 0
    except OSError as error:
        discard(sys.stdout)
        return refuse(f"{error.filename or 'standard output'}: {error.strerror or error}",
                      context=context)
    except (KeyboardInterrupt, click.Abort):
        return refuse("interrupted", exit_status(), context)
    except Exception as error:
        return apologise(error)


def finished(context: click.Context) -> int:
    """Invoke the command, write what is left to be written, and return the exit status."""
    status = 0
    try:
        cli.invoke(context)
    except SystemExit as ended:
        status = int(ended.code or 0)
    sys.stdout.flush()
    return status


def main() -> NoReturn:
    """Run the command and exit."""
    sys.exit(run())
