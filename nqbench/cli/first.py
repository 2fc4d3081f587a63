"""The command `first`: the lexicographically first solution."""

import sys
from contextlib import nullcontext
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.count import reject_combinations
from nqbench.cli.engine import describe_wrong
from nqbench.cli.shared import emit, say
from nqbench.cli.terminal import progress, table
from nqbench.engine import cluster as clusters
from nqbench.engine.first_search import find_first
from nqbench.engine.first_solution import First
from nqbench.errors import MiscountError
from nqbench.problems.published.invariants import invariants_of_first
from nqbench.util.text import format_seconds

BUDGET = 60.0  # seconds


@options.command(examples=["nqbench first 30",
                           "nqbench first 48 --budget 86400 --checkpoint 48.checkpoint"])
@click.argument("n", type=options.Size("N", least=1), metavar="N")
@options.budget(default=BUDGET, help="Stop after this time, and report how far the search got.")
@options.checkpoint(help="Save progress in FILE and in FILE.squares, and resume from them. "
                    "Default: progress is not saved.")
@options.jobs(help="Use JOBS threads. Default: one for each core.")
@options.kernel(help=f"Choose the kernel that counts the squares: {options.KERNELS}. Default: the "
                "fastest that runs here.")
@options.cluster()
@click.option("--no-count", is_flag=True,
              help="Do not count the squares that the plain search tries.")
@options.json
def first(n: int, budget: float, checkpoint: str | None, jobs: int | None, kernel: str | None,
          cluster: str | None, no_count: bool, as_json: bool) -> None:
    """Find the first solution, and count the squares tried.

    The first solution is the first in the order of the columns, row by row. Columns count from 1,
    and in the JSON from 0. Find it by rejecting prefixes, each by a proof that it has no
    completion; then count the squares that the plain search tries before it, which shows again that
    no solution comes earlier. The exit status is 1 if the budget is spent before the solution is
    found, or if a published value differs.
    """
    reject_combinations(cluster, checkpoint, kernel, jobs)
    working = clusters.cluster(cluster, say) if cluster else nullcontext()
    with working as workers, progress(1.0) as show:
        found = find_first(n, budget, checkpoint, jobs, not no_count, show, kernel, workers, say)
    if as_json:
        emit(as_dict(found))
    else:
        table(f"n = {n}: the first solution", ["", "value"], describe(found), numeric=["value"])
        table("prefixes that have no completion, by the row of their last queen",
              ["row", "column", "rejected", "nodes of the proofs"], rows(found),
              numeric=["row", "column", "rejected", "nodes of the proofs"])
    for wrong in describe_wrong(invariants_of_first(n, found.columns, found.tried)):
        raise MiscountError(wrong)
    if found.progress.finished is None:
        path = " ".join(str(column + 1) for column in found.progress.path)
        say(f"not found within {format_seconds(budget)}: every placement before {path} is "
            "rejected" + (f"; the same command resumes from {checkpoint}" if checkpoint else
                          "; --checkpoint saves the progress"))
        sys.exit(1)
    if found.tried is None and not no_count:
        say(f"the squares were not counted within {format_seconds(budget)}: "
            f"{found.counted:,} of {found.parts:,} parts were counted")


def describe(found: First) -> list[tuple[str, str]]:
    """Return the rows of the first table."""
    progress, unknown = found.progress, "not counted"
    lines = [("first solution", " ".join(str(c + 1) for c in found.columns) if found.columns else
              "none" if progress.finished is False else "not found"),
             ("squares tried by the plain search",
              unknown if found.tried is None else f"{found.tried:,}"),
             ("placements without completion that it visits",
              unknown if found.dead is None else f"{found.dead:,}"),
             ("nodes of the pruned search", f"{found.pruned_nodes:,}")]
    if found.dead:
        lines.append(("placements for each node of the pruned search",
                      f"{found.dead / found.pruned_nodes:,.3g}"))
    lines.append(("time of the pruned search", format_seconds(progress.seconds)))
    if found.parts:
        lines.append(("time of the plain count", format_seconds(found.seconds)))
    return lines


def rows(found: First) -> list[list[Any]]:
    """Return the rows of the second table: those with nodes."""
    progress = found.progress
    path = [str(column + 1) for column in progress.path]
    return [[row + 1, path[row] if row < len(path) else "", f"{rejected:,}", f"{nodes:,}"]
            for row, (rejected, nodes) in enumerate(
                zip(progress.rejected, progress.nodes, strict=True)) if nodes]


def as_dict(found: First) -> dict[str, Any]:
    """Return everything as plain values, for JSON."""
    progress = found.progress
    return {"n": progress.n, "finished": progress.finished is not None,
            "columns": found.columns, "tried": found.tried, "dead": found.dead,
            "parts": found.parts, "counted_parts": found.counted,
            "prefix": progress.path, "nodes": progress.nodes,
            "rejected": progress.rejected, "pruned_nodes": found.pruned_nodes,
            "pruned_seconds": progress.seconds, "plain_seconds": found.seconds}
