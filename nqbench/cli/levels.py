"""The command `levels`: count the placements of k queens on k adjacent rows, for every k."""

from collections.abc import Iterator
from time import perf_counter

import click

from nqbench import engine
from nqbench.cli.count import dashboard_option, reject_combinations
from nqbench.cli.engine import find_level_contradictions, print_levels
from nqbench.cli.saving import describe_progress, open_checkpoint, share_left
from nqbench.cli.shared import (
    KERNELS,
    Size,
    allow,
    command,
    emit,
    example,
    json_option,
    n_argument,
    say,
    yes_option,
)
from nqbench.cli.terminal import progress
from nqbench.engine.levels import ROWS, divide_levels
from nqbench.engine.processor import choose_kernel
from nqbench.errors import DistrustError, LostError
from nqbench.forecast import predict_engine


@command(epilog=example("nqbench levels 12", "nqbench levels 17 --rows downwards -j 1"))
@n_argument
@click.option("-j", "--jobs", type=Size("--jobs", least=1), metavar="JOBS",
              help="Use JOBS threads. Default: all cores.")
@click.option("--kernel", metavar="KERNEL",
              help=f"Choose the kernel: {KERNELS}. Default: the fastest that runs here.")
@click.option("--rows", metavar="ROWS", default=ROWS[0], show_default=True,
              help="Add rows outwards, on both sides of a middle block, or downwards.")
@click.option("--checkpoint", metavar="FILE",
              help="Save progress in FILE, and resume from it. Default: a file in the user's state "
                   "folder, for counts of over a minute.")
@click.option("--cluster", metavar="ADDRESS",
              help="Count on a Dask cluster: the address of its scheduler, or local, or "
                   "local:WORKERS.")
@dashboard_option
@yes_option
@json_option
def levels(n: int, jobs: int | None, kernel: str | None, rows: str, checkpoint: str | None,
           cluster: str | None, dashboard: bool, yes: bool, as_json: bool) -> None:
    """Count the placements of k queens on k adjacent rows.

    These are the levels of the plain backtrack tree for N queens, k = 0 to N. A long count can be
    interrupted at any time; the same command resumes it.
    """
    reject_combinations(cluster, dashboard, checkpoint, kernel, jobs)
    divide_levels(n, choose_kernel(kernel), rows)  # raises what is wrong
    predicted = predict_engine(n, kernel, jobs, rows) if cluster is None else 0.0
    saved, announced = open_checkpoint(n, predicted, yes, checkpoint, kernel, jobs, rows)
    start = perf_counter()
    if cluster is None:
        found = show_progress(n, rows, saved, announced, engine.counting_levels(
            n, kernel, jobs, rows, checkpoint=saved, say=say))
    else:
        found = count_on_cluster(cluster, n, rows, saved, dashboard)
    seconds = perf_counter() - start
    contradictions = find_level_contradictions(n, found)
    if contradictions:
        raise DistrustError(contradictions[0])
    if saved is not None and not checkpoint:
        saved.path.unlink(missing_ok=True)
    widest = found.index(max(found))
    if as_json:
        emit({"n": n, "rows": rows, "kernel": choose_kernel(kernel) if cluster is None else None,
              "levels": found, "nodes": sum(found), "widest": widest, "seconds": seconds})
    else:
        print_levels(f"n = {n}: {sum(found):,} nodes; widest level: {widest}", found)


def show_progress(n: int, rows: str, saved: engine.Checkpoint | None, announced: bool,
                  counting: Iterator[tuple[float, list[int]]]) -> list[int]:
    """Show the progress of a count, also at an interrupt, and return the levels."""
    share, found = 0.0, [0]
    try:
        with progress(1.0, announced) as show:
            for share, found in counting:
                show(f"levels of {n} queens, {rows}: {sum(found):,} nodes so far", share)
    except (KeyboardInterrupt, LostError):
        say(describe_progress(share, f"{sum(found):,} nodes", saved))
        raise
    return found


def count_on_cluster(address: str, n: int, rows: str, saved: engine.Checkpoint | None,
                     dashboard: bool) -> list[int]:
    """Count on a cluster, with a progress bar."""
    from nqbench.engine.cluster import cluster

    with cluster(address, say, dashboard) as (executor, workers):
        predicted = predict_engine(n, jobs=1, name=rows) / max(workers(), 1)
        # A cluster is for work of days.
        announced = allow(predicted * share_left(saved), yes=True)
        return show_progress(n, rows, saved, announced, engine.counting_levels_on(
            executor, n, workers, saved, say, rows=rows))
