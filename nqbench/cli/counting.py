"""The commands `count`, `symmetry` and `profile`: solutions, and what a search counts."""

from functools import partial
from pathlib import Path
from time import perf_counter

import click

from nqbench import costs, engine
from nqbench.algorithms import PART, QueensAlgorithm, Search
from nqbench.api import choose, choose_profiled, predicted_seconds
from nqbench.cli.engine import SURELY_SHORT, agree, default_checkpoint
from nqbench.cli.shared import (
    Size,
    algorithm_option,
    allow,
    command,
    emit,
    example,
    implementation_option,
    json_option,
    n_argument,
    say,
    yes_option,
)
from nqbench.cli.terminal import progress, table, waiting
from nqbench.errors import InvalidValueError, LostError
from nqbench.symmetry import Symmetry


@command(epilog=example("nqbench count 14 -i cython -a somers", "nqbench count 8 --unique"))
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


def count_seconds(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None = None,
                  kernel: str | None = None) -> float | None:
    """Return about how many seconds a count takes, None if nobody can tell."""
    if (algorithm.name, way) == ("cross", "cython"):
        return predicted_seconds(n, kernel, jobs) if n > SURELY_SHORT else 0.0
    return costs.seconds(algorithm, n, partial(algorithm.count, implementation=way, jobs=jobs,
                                               kernel=kernel))


def threads(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None,
            kernel: str | None) -> int:
    """Return how many threads count."""
    if (algorithm.name, way) == ("cross", "cython"):
        from nqbench.engine.processor import chosen_kernel
        from nqbench.engine.threads import QUICK_N

        parts = engine.Division.new(n, chosen_kernel(kernel)).parts
        return 1 if n <= QUICK_N else min(jobs or engine.cores(), parts)
    return 1 if algorithm.finds == PART else min(jobs or 1, max(n, 1))


def shortfall(algorithm: QueensAlgorithm, n: int, found: int, unique: bool) -> str | None:
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


def counted(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None = None,
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


@command(epilog=example("nqbench symmetry 12"))
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


@command(epilog=example("nqbench profile 8 -a iterative", "nqbench profile 8 -a somers --json"))
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
