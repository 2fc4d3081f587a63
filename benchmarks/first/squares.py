"""Count the squares that the plain search tries before the first solution for N queens, if that is
known, and save the count in FILE part by part.

    python benchmarks/first/squares.py 42 results/first/42.squares

The same command resumes the count, on any machine. `nqbench first N` does both searches; this is
the second one alone. `nqbench audit FILE` recounts random parts with another kernel.
"""

import sys
from contextlib import closing

import click

from nqbench.cli.shared import say
from nqbench.cli.terminal import progress
from nqbench.engine.first_solution import counting_dead, squares_tried
from nqbench.errors import NqbenchError
from nqbench.problems.published.first_solutions import FIRST_SOLUTIONS
from nqbench.search.board import Columns


def count(n: int, columns: Columns | None, file: str, jobs: int | None) -> int:
    """Return the placements to the left of the first solution, and show the progress."""
    with progress(1.0) as show, closing(counting_dead(n, columns, None, jobs, file, say)) as parts:
        for ledger in parts:
            show(f"{n} queens: {ledger.done:,} of {ledger.division.parts:,} parts", ledger.share)
    return ledger.count_dead()


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("n", type=int)
@click.argument("file")
@click.option("--jobs", type=int, help="Threads. Default: one for each core.")
def main(n: int, file: str, jobs: int | None) -> None:
    if n not in FIRST_SOLUTIONS:
        say(f"N must be one of {', '.join(map(str, FIRST_SOLUTIONS))}, not {n}")
        sys.exit(2)
    solution = FIRST_SOLUTIONS[n].solution
    columns = None if solution is None else tuple(column - 1 for column in solution)
    try:
        dead = count(n, columns, file, jobs)
    except (NqbenchError, OSError) as error:
        say(str(error))
        sys.exit(error.status if isinstance(error, NqbenchError) else 2)
    print(f"{n} queens: {squares_tried(n, columns, dead):,} squares, {dead:,} placements")


if __name__ == "__main__":
    main()
