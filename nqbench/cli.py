"""The command `nqbench`: parse, call, print.

Data goes to standard output (with --json one object and nothing else), messages and
progress to standard error. Exit status: 0 done, 1 a check failed, 2 the request
makes no sense, 130 interrupted.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import count as count_from
from itertools import islice
from math import exp
from pathlib import Path, PurePath
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

import click

import nqbench
from nqbench import engine
from nqbench.algorithms import PART, Algorithm, catalogue, find
from nqbench.api import choose, choose_profiled
from nqbench.board import Columns, Placement, boards_svg
from nqbench.console import (
    Group,
    Seconds,
    Size,
    emit,
    example,
    folder,
    implementation_option,
    json_option,
    results_option,
    say,
    unknown,
    warned,
    write_whole,
)
from nqbench.engine_cli import agree, audit, plan
from nqbench.showing import spaced
from nqbench.sudoku_cli import sudoku
from nqbench.terminal import progress, table

if TYPE_CHECKING:
    from nqbench.probing import Estimate, Quantity
    from nqbench.report.keeping import Differences
    from nqbench.tracing import Step

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
            a.origin] for a in catalogue().values()], numeric=["year"])
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
              help="Keep what is done, and go on from there. By default where a count by cross "
                   "will take over a minute.")
@click.option("--cluster", metavar="ADDRESS",
              help="Count by cross on a Dask cluster: the address of its scheduler, or local, or "
                   "local:WORKERS.")
@click.option("--dashboard", is_flag=True, help="Of Dask, for --cluster local; needs bokeh.")
@json_option
def count(n: int, algorithm: str | None, implementation: str | None, jobs: int | None,
          kernel: str | None, unique: bool, checkpoint: str | None, cluster: str | None,
          dashboard: bool, as_json: bool) -> None:
    """Count the solutions for N queens; without -a by the fastest algorithm there is.

    A long count by cross can be stopped at any time, and the same command goes on with it.
    """
    if algorithm is None and (kernel, checkpoint, cluster) != (None, None, None):
        algorithm = "cross"
    chosen, way = choose(n, algorithm, implementation)
    by_engine = (chosen.name, way) == ("cross", "cython")
    if not by_engine:
        chosen.no_choices({"cluster": cluster, "checkpoint": checkpoint}, f" in {way}")
    if dashboard and cluster is None:
        raise ValueError("--dashboard goes with --cluster local only")
    if cluster is not None and (kernel, jobs) != (None, None):
        raise ValueError("--kernel and --jobs do not go with --cluster: each worker takes its "
                         "fastest kernel")
    if "" in (checkpoint, cluster):
        raise ValueError("--checkpoint and --cluster must not be empty")
    kept = Path(checkpoint) if checkpoint else usual_checkpoint(n) if by_engine else None
    start = perf_counter()
    if unique and chosen.name != "cross":
        chosen.no_choices({"kernel": kernel})
        if jobs not in (None, 1):
            raise ValueError(f"--jobs must be 1 with --unique for {chosen.name}, not {jobs}")
        found, workers = chosen.unique(n, way), 1
    elif cluster is not None:
        found, workers = counted_on(cluster, n, kept, dashboard)
    else:
        found = counted(chosen, n, way, jobs, kernel, kept)
        workers = jobs or (engine.cores() if by_engine else 1)
    if kept is not None:
        agree(n, found)
        if checkpoint is None:
            kept.unlink(missing_ok=True)
    if unique and chosen.name == "cross":
        found = engine.Symmetry.of(n, found).fundamental
    seconds = perf_counter() - start
    if as_json:
        emit({"n": n, "algorithm": chosen.name, "implementation": way,
              "kernel": (kernel or engine.kernels()[0]) if by_engine and cluster is None else None,
              "unique": unique, "jobs": workers, "solutions": found, "seconds": seconds})
    else:
        click.echo(found)


def counted_on(address: str, n: int, checkpoint: Path | None,
               dashboard: bool = False) -> tuple[int, int]:
    """Count on a cluster, with a bar; an interrupt says how far it came. Return the solutions and
    the number of workers at the beginning.
    """
    from nqbench.engine.cluster import cluster

    share, found = 0.0, 0
    start = perf_counter()
    try:
        with cluster(address, say, dashboard) as (executor, workers), progress(1.0) as show:
            many = workers()
            before = None
            for share, found in engine.counting_on(executor, n, workers, checkpoint, say):
                before = found if before is None else before
                rate = (found - before) / (perf_counter() - start)
                show(f"{n} queens on {address}: {share:.2%} done, {found:,} so far, "
                     f"{rate:,.0f} a second", share)
    except (KeyboardInterrupt, engine.LostError):
        say(so_far(share, found, checkpoint))
        raise
    return found, many


def so_far(share: float, found: int, checkpoint: Path | None) -> str:
    """What an interrupted count says."""
    return (f"{found:,} solutions counted in {share:.1%} of the work; "
            + (f"what is done is kept in {checkpoint}" if checkpoint else "nothing is kept"))


LONG = 60.0  # seconds; what will take longer keeps what is done
SURELY_SHORT = 18  # up to here no machine takes so long


def usual_checkpoint(n: int) -> Path | None:
    """Where a long count keeps what is done, unless it is told; None for a short one."""
    from platformdirs import user_state_path

    from nqbench.api import predicted_seconds

    if n <= SURELY_SHORT or predicted_seconds(n) < LONG:
        return None
    path = user_state_path("nqbench") / f"count-{n}.checkpoint"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except OSError as error:
        say(f"nothing is kept: {path} cannot be written ({error.strerror})")
        return None
    say(f"what is done is kept in {path}")
    return path


def counted(algorithm: Algorithm, n: int, way: str, jobs: int | None = None,
            kernel: str | None = None, checkpoint: Path | None = None) -> int:
    """Count, with a bar where that takes longer; an interrupt says how far it came."""
    if algorithm.name != "cross" and (sys.stderr is None or not sys.stderr.isatty()):
        return algorithm.count(n, way, jobs, kernel=kernel)  # without the cost of telling
    choices = {"checkpoint": checkpoint, "say": say} if checkpoint is not None else {}
    share, found = 0.0, 0
    try:
        with progress(1.0) as show:
            show(f"{n} queens, {algorithm.name}", 0.0)
            for share, found in algorithm.counting(n, way, jobs, kernel=kernel, **choices):
                show(f"{n} queens, {algorithm.name}: {found:,} so far", share)
    except KeyboardInterrupt:
        say(so_far(share, found, checkpoint))
        raise
    return found


@cli.command(epilog=example("nqbench symmetry 12"))
@n_argument
@json_option
def symmetry(n: int, as_json: bool) -> None:
    """Count the solutions for N queens by their symmetry."""
    chosen, way = choose(n, "cross")
    found = engine.Symmetry.of(n, counted(chosen, n, way))
    if as_json:
        emit({"n": n, **{name: value for name, value, _ in found.rows()}})
    else:
        table(f"symmetry of the solutions, n = {n}", ["", "number", "OEIS"],
              [[name.replace("_", " "), f"{value:,}", oeis] for name, value, oeis in found.rows()],
              numeric=["number"])


LARGE = 30  # a search for the first solution may take long from here on
FORMATS = ("columns", "queens", "matrix", "strings", "svg", "seed")


@cli.command(epilog=example("nqbench solve 8 --limit 1 --format queens",
                            "nqbench solve 6 -a flat_marks",
                            "nqbench solve 8 -a one_loop --format seed"))
@n_argument
@algorithm_option
@click.option("--limit", type=Size("--limit"), metavar="K", help="Stop after K solutions.")
@click.option("--format", "form", default="columns", show_default=True, metavar="FORMAT",
              help="columns, queens, matrix, strings, svg, or seed: what the original prints.")
@json_option
def solve(n: int, algorithm: str | None, limit: int | None, form: str, as_json: bool) -> None:
    """Print the solutions for N queens in the algorithm's own order.

    \b
    columns  the columns of the queens by row, from 0
    queens   a drawing, and an empty line
    matrix   rows of 0 and 1, and an empty line
    strings  a JSON list of rows, one solution a line
    svg      one drawing of all boards
    seed     byte for byte what the original program prints

    Without -a it is bitmask that searches; one solution for a large N is written down by
    Pauls' construction (explicit).
    """
    if form not in FORMATS:
        raise ValueError(unknown("format", form, FORMATS))
    if form == "seed" and limit is not None:
        raise ValueError(f"--limit does not go with --format seed, not even {limit}: the "
                         "original prints everything")
    if algorithm is None and limit == 1 and n > LARGE:
        algorithm = "explicit"
    chosen = find(algorithm or nqbench.api.DEFAULT)
    if form == "seed":
        if as_json:
            raise ValueError("--json does not go with --format seed: its bytes are the original's")
        for piece in chosen.seed_output(n):
            click.echo(piece, nl=False)
        return
    if form != "columns" and chosen.finds == PART:
        raise ValueError(f"--format must be columns for {chosen.name}, which reaches partial "
                         f"placements, not {form!r}")
    found = islice(chosen.solutions(n), limit)
    if as_json:
        emit({"n": n, "algorithm": chosen.name, "limit": limit,
              "solutions": [list(columns) for columns in found]})
        return
    for piece in written(found, form):
        click.echo(piece)


def written(found: Iterable[Columns], form: str) -> Iterator[str]:
    """Yield the solutions in a format, without the newline at the end."""
    if form == "svg":
        yield boards_svg(found)
        return
    for columns in found:
        if form == "columns":
            yield " ".join(map(str, columns))
            continue
        placement = Placement(columns)
        if form == "queens":
            yield placement.drawing() + "\n"
        elif form == "matrix":
            yield "\n".join(" ".join(map(str, row)) for row in placement.matrix()) + "\n"
        else:
            yield json.dumps(placement.strings())


@cli.command(epilog=example("nqbench trace 4", "nqbench trace 6 -a probe_stack --all"))
@n_argument
@tree_option
@click.option("--limit", type=Size("--limit", least=1), metavar="K",
              help="Stop at the K-th placement reached, by default at the first.")
@click.option("--all", "whole_search", is_flag=True, help="Go on to the end.")
@json_option
def trace(n: int, algorithm: str, limit: int | None, whole_search: bool, as_json: bool) -> None:
    """Show the search step by step: place, conflict, back.

    Taken from the running algorithm, in its own order. Rows and columns count from 1 here,
    as in the figures of the textbooks; in the JSON from 0.
    """
    from nqbench.searchtree import Node
    from nqbench.tracing import Trace, follow

    if whole_search and limit is not None:
        raise ValueError(f"--limit {limit} and --all exclude one another")
    limit = None if whole_search else limit or 1
    if as_json:
        heard: list[Step] = []
        follow(n, algorithm, Trace(n, heard.append), limit)
        emit({"n": n, "algorithm": algorithm, "limit": limit,
              "steps": [{"kind": step.kind, "square": step.square, "queens": step.queens,
                         "attackers": step.attackers} for step in heard]})
        return
    number = count_from(1)

    def show(step: "Step") -> None:
        click.echo(f"{next(number):5}  {Node(n, step.queens).label}  {told(step)}")

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
    from nqbench import probing
    from nqbench.reference import published

    start = perf_counter()
    with progress(probes) as show:
        for found in probing.estimating(n, probes, seed, method, jobs):
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
          ["", *probing.FIGURES, "known"],
          [[name, *x.texts(), "" if known.get(name) is None else f"{known[name]:,}"]
           for name, x in found.rows()], numeric=[*probing.FIGURES, "known"])
    for line in remarks(found):
        click.echo(line)


def quantity(x: "Quantity") -> dict[str, Any]:
    return {"estimate": x.mean, "standard_error": x.error, "interval": x.interval}


def remarks(found: "Estimate") -> Iterator[str]:
    """What to keep in mind about an estimate, a line each."""
    from nqbench.probing import ENOUGH, LAW

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
@json_option
def tree(n: int, algorithm: str, depth: int | None, out: str | None, as_json: bool) -> None:
    """Show the search tree: (2 4 * *) has queens in columns 2 and 4 of the first two rows.

    B marks a dead end, where the search backtracks. The nodes stand in the order in which
    the running algorithm makes them; what is cut off is counted.
    """
    from nqbench import searchtree

    kind = PurePath(out).suffix if out is not None else ".txt"
    if kind not in DRAWINGS:
        raise ValueError(f"--out must end in {', '.join(DRAWINGS)}, not {out!r}")
    if depth is None:
        depth = n if n <= WHOLE_TREE else CUT
    with progress(n) as show:
        root = searchtree.grow(n, algorithm, depth, lambda made: show("searching", made - 1))
    if as_json:
        emit({"n": n, "algorithm": algorithm, "depth": depth, "nodes": [
            {"queens": node.queens, "solution": node.solution, "dead_end": node.dead_end,
             "nodes_below": node.nodes, "solutions_below": node.solutions,
             "dead_ends_below": node.dead_ends} for node in root.walk()]})
        return
    drawn = (searchtree.svg(root) if kind == ".svg" else
             "\n".join((searchtree.dot if kind == ".dot" else searchtree.text)(root)) + "\n")
    if out is None:
        click.echo(drawn, nl=False)
    else:
        try:
            write_whole(Path(out), drawn)
        except OSError as error:
            raise ValueError(f"--out must be a file that can be written, not {out!r} "
                             f"({error.strerror})") from None
        click.echo(f"{sum(1 for _ in root.walk()):,} nodes in {out}")


@cli.command(epilog=example("nqbench profile 8 -a iterative", "nqbench profile 8 -a somers --json"))
@n_argument
@click.option("-a", "--algorithm", default="bitmask", show_default=True, metavar="ALGORITHM",
              help="See `nqbench list`.")
@implementation_option
@json_option
def profile(n: int, algorithm: str, implementation: str | None, as_json: bool) -> None:
    """Count what a search for all solutions does: nodes, tests, levels and the rest."""
    chosen, way = choose_profiled(n, algorithm, implementation)
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
    from nqbench.reference import SEQUENCES, run_checks

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
        sys.exit(130)
    sys.exit(0 if verification.ok else 1)


def answered(check: Any, above: Any) -> str:
    """Who answered; or the least prediction of those that would take too long."""
    if above is not None and check.answers and set(check.answers) == set(above.answers):
        return f"{len(check.answers)}: the same"
    names: dict[str, list[str]] = {}
    for solver in check.answers:
        name, way = solver.removesuffix(")").split(" (")
        names.setdefault(name, []).append(way)
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


@cli.command(epilog=example("nqbench study", "nqbench study --preset quick --results /tmp/r"))
@click.option("--preset", default="standard", show_default=True, metavar="PRESET",
              help="quick, standard, full; or of one thing more: pruning, symmetry, estimate, "
                   "sudoku, engine, peers.")
@click.option("--budget", type=Seconds(), metavar="SECONDS",
              help="Time for all; default: the preset's.")
@results_option
@click.option("--resume", is_flag=True, help="Go on with the newest run, if it was interrupted.")
@json_option
def study(preset: str, budget: float | None, results: str, resume: bool, as_json: bool) -> None:
    """Measure the algorithms and append the records to a folder.

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
    from nqbench.study import PRESETS, run

    if preset not in PRESETS:
        raise ValueError(unknown("preset", preset, PRESETS))
    total = budget or PRESETS[preset].budget
    start = perf_counter()
    with progress(total) as show, warned(), folder("--results", results):
        records = run(preset, budget, results,
                      progress=lambda what, gone, _: show(what, min(gone, total)), resume=resume)
    measured = records[records["metric"].isin(POINTS)]
    absent = list(measured[measured["status"] == "not installed"]["peer"].unique())
    summary = {
        "preset": preset, "results": results, "seconds": perf_counter() - start,
        "records": len(records),
        "measured": int((measured["status"] == "measured").sum()),
        "left_out": int((measured["status"] == "left out").sum()),
        "timed_out": int((measured["status"] == "timed out").sum()),
        "checks_failed": int(records["status"].isin(["differs", "failed"]).sum()),
        "not_installed": absent,
    }
    if as_json:
        emit(summary)
    else:
        if absent:
            say(f"not installed: {', '.join(absent)}; pip install 'nqbench[peers]'")
        click.echo(f"{summary['measured']} points measured, "
                   f"{summary['left_out']} left out for their predicted cost, "
                   f"{summary['timed_out']} timed out, "
                   f"{summary['checks_failed']} checks failed; {summary['records']} records "
                   f"in {results}/ after {summary['seconds']:.0f} s")
    sys.exit(1 if summary["checks_failed"] else 0)


@cli.command(epilog=example("nqbench report", "nqbench report --results /tmp/r --out /tmp/page",
                            "nqbench report --check"))
@results_option
@click.option("--out", default="reports", show_default=True, metavar="DIR",
              help="Folder for tables, plots and page.")
@click.option("--check", "only_check", is_flag=True,
              help="Write nothing: say which files are not those that the records make.")
@json_option
def report(results: str, out: str, only_check: bool, as_json: bool) -> None:
    """Make tables, plots and one page from what has been measured.

    The same records make the same bytes with the same nqbench, and drawings with the same
    matplotlib. With --check the exit status is 1 if any file is another one.
    """
    from nqbench.report import build, check

    with warned(), folder("--results", results), folder("--out", out):
        if only_check:
            found = check(results, out)
        else:
            made = build(results, out)
    if only_check:
        told_of(found, results, out, as_json)
    elif as_json:
        emit({"page": str(made[0]), "files": [str(path) for path in made]})
    else:
        click.echo(f"{len(made)} files in {out}/; open {made[0]}")


def told_of(found: "Differences", results: str, out: str, as_json: bool) -> NoReturn:
    """Name the files that are not what the records make, and exit."""
    if as_json:
        emit({"same": found.same, **asdict(found)})
        sys.exit(0 if found.same else 1)
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
    sys.exit(0 if found.same else 1)


def refuse(line: str, status: int = 2) -> NoReturn:
    """Say what was wrong, as JSON too where that was asked for, and exit."""
    say(line)
    if sys.stdout is not None and "--json" in sys.argv[1:]:
        emit({"error": line})
    sys.exit(status)


def discard_output() -> None:
    """Send what is still to be written nowhere, so that leaving does not fail."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> NoReturn:
    """Run the command; every refusal is one line."""
    if sys.stdout is None:
        refuse("standard output is closed")
    try:
        with cli.make_context("nqbench", sys.argv[1:]) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.NoSuchOption as error:
        near = f"; did you mean {' or '.join(error.possibilities)}?" if error.possibilities else ""
        refuse(f"there is no option {error.option_name!r}{near}")
    except click.ClickException as error:
        refuse(" ".join(error.format_message().split()))
    except (TypeError, ValueError) as error:
        refuse(str(error))
    except (engine.DistrustError, engine.LostError) as error:
        refuse(str(error), status=1)
    except MemoryError:
        refuse("there is not enough memory for this")
    except BrokenPipeError:  # the reader has seen enough
        discard_output()
        sys.exit(0)
    except OSError as error:
        discard_output()
        refuse(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except (KeyboardInterrupt, click.Abort):
        refuse("interrupted", status=130)
    sys.exit(0)
