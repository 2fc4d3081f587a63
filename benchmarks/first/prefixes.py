"""Does CP-SAT reject what the pruned search rejects? Draw prefixes at random that come before the
first solution for N queens, extend each at random until the pruned search rejects it, in 100
nodes or more, and prove with CP-SAT that it has no completion.

    python -m pip install ortools
    python benchmarks/first/prefixes.py 44

Prints each prefix, its rows, the nodes of the pruned search and the seconds of CP-SAT. Fails if
CP-SAT finds a completion, or cannot decide within an hour.
"""

import sys
from random import Random

import click
from ortools.sat.python import cp_model

from nqbench._text import HOUR
from nqbench.first.plain import free_columns
from nqbench.first.pruned import LIMIT, decide
from nqbench.reference.first_solutions import FIRST_SOLUTIONS

FEWEST = 100  # nodes of the pruned search


def draw(n: int, solution: list[int], random: Random) -> tuple[tuple[int, ...], int]:
    """Return a prefix that the pruned search rejects in enough nodes, and these nodes."""
    while True:
        row = random.randrange(n)
        free = [column for column in free_columns(n, solution[:row]) if column < solution[row]]
        prefix = tuple(solution[:row])
        while free:
            prefix = (*prefix, random.choice(free))
            (rejected, nodes), = decide(n, [prefix], LIMIT, 1)
            if rejected and nodes >= FEWEST:
                return prefix, nodes
            free = [] if rejected else free_columns(n, prefix)


def complete(n: int, prefix: tuple[int, ...], threads: int) -> tuple[str, float]:
    """Return the answer of CP-SAT, and its seconds."""
    model = cp_model.CpModel()
    lines: dict[tuple[str, int], list[cp_model.IntVar]] = {}
    for row in range(n):
        for column in range(n):
            queen = model.new_bool_var(f"{row} {column}")
            if row < len(prefix):
                model.add(queen == (prefix[row] == column))
            for line in (("row", row), ("column", column), ("sum", row + column),
                         ("difference", column - row)):
                lines.setdefault(line, []).append(queen)
    for (kind, _), queens in lines.items():
        (model.add_exactly_one if kind in ("row", "column") else model.add_at_most_one)(queens)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = threads
    solver.parameters.max_time_in_seconds = HOUR
    return solver.status_name(solver.solve(model)), solver.wall_time


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("n", type=int)
@click.option("--number", type=int, default=6, show_default=True, help="Number of prefixes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("--threads", type=int, default=1, show_default=True, help="Threads of CP-SAT.")
def main(n: int, number: int, seed: int, threads: int) -> None:
    solution = FIRST_SOLUTIONS[n].solution
    if solution is None:
        sys.exit(f"{n} queens have no solution")
    random = Random(f"{n} {seed}")
    for _ in range(number):
        prefix, nodes = draw(n, [column - 1 for column in solution], random)
        answer, seconds = complete(n, prefix, threads)
        print(f"{n} queens, {len(prefix)} rows, {nodes:,} nodes: {answer} in {seconds:.1f} s: "
              f"{' '.join(str(column + 1) for column in prefix)}", flush=True)
        if answer != "INFEASIBLE":
            sys.exit(f"CP-SAT says {answer}")


if __name__ == "__main__":
    main()
