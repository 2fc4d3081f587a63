"""Does another solver reject what the pruned search rejects? Draw prefixes at random that come
before the first solution for N queens, extend each at random until the pruned search rejects it, in
100 nodes or more, and prove with CP-SAT that it has no completion. With --chain FILE, prove instead
that no solution comes before the first one, without the pruned search.

    python -m pip install ortools python-sat
    python prefixes.py 44
    python prefixes.py 37 --chain results/37.chain

Prints each prefix, its rows, the nodes of the pruned search and the seconds of CP-SAT. Fails if
CP-SAT finds a completion, or cannot decide within an hour.

The chain leaves the solution in each row for each free column before its own. Each such prefix is
decided by MiniSat in 3,000 conflicts, or by CP-SAT with its linear relaxation in 3 deterministic
seconds; what neither decides is extended by a row. FILE gets a line for each prefix that is
rejected: its columns from 1, the solver, and its seconds. The same command resumes the chain. When
it is complete, a last line counts the calls.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from random import Random
from time import perf_counter

import click
from first import decide
from ortools.sat.python import cp_model
from search import LIMIT, free_columns

from nqbench.problems.published.computed import FIRST_SOLUTIONS

HOUR = 3600.0

FEWEST = 100  # nodes of the pruned search
CONFLICTS = 3_000  # of MiniSat, for a prefix of the chain
EFFORT = 3.0  # deterministic seconds of CP-SAT, for a prefix of the chain
Prefix = tuple[int, ...]


def draw(n: int, solution: list[int], random: Random) -> tuple[Prefix, int]:
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


def lines(n: int, prefix: Prefix) -> dict[tuple[str, int], list[int]]:
    """Return the squares, numbered from 1, that are free below a prefix, or hold its queens, by
    row, column and diagonal; a row or column may have none.
    """
    found: dict[tuple[str, int], list[int]] = {
        (kind, line): [] for kind in ("row", "column") for line in range(n)}
    for row in range(n):
        for column in prefix[row:row + 1] if row < len(prefix) else range(n):
            if any(column == other or abs(column - other) == abs(row - above)
                   for above, other in enumerate(prefix) if above != row):
                continue
            for line in (("row", row), ("column", column), ("sum", row + column),
                         ("difference", column - row)):
                found.setdefault(line, []).append(1 + row * n + column)
    return found


def complete(n: int, prefix: Prefix, threads: int,
             effort: float | None = None) -> tuple[str, float]:
    """Return the answer of CP-SAT, and its seconds: within an hour, or within an effort in
    deterministic seconds, with the linear relaxation.
    """
    model = cp_model.CpModel()
    queens = {square: model.new_bool_var(f"{square}")
              for squares in lines(n, prefix).values() for square in squares}
    for (kind, _), squares in lines(n, prefix).items():
        (model.add_exactly_one if kind in ("row", "column") else model.add_at_most_one)(
            [queens[square] for square in squares])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = threads
    solver.parameters.max_time_in_seconds = HOUR
    if effort is not None:
        solver.parameters.max_deterministic_time = effort
        solver.parameters.linearization_level = 2
        solver.parameters.cut_level = 0
    return solver.status_name(solver.solve(model)), solver.wall_time


def satisfy(n: int, prefix: Prefix) -> str:
    """Return the answer of MiniSat within CONFLICTS, in the words of CP-SAT."""
    from pysat.solvers import Solver

    with Solver("minisat22") as solver:
        for (kind, _), squares in lines(n, prefix).items():
            if kind in ("row", "column"):
                solver.add_clause(squares)
            for place, square in enumerate(squares):
                for other in squares[:place]:
                    solver.add_clause([-square, -other])
        solver.conf_budget(CONFLICTS)
        return {True: "FEASIBLE", False: "INFEASIBLE", None: "UNKNOWN"}[solver.solve_limited()]


def leaving(n: int, solution: list[int]) -> Iterator[Prefix]:
    """Yield the prefixes that leave the solution for a column before its own, the longest first."""
    for row in reversed(range(n)):
        for column in free_columns(n, solution[:row]):
            if column < solution[row]:
                yield (*solution[:row], column)


def unproved(n: int, prefix: Prefix, proved: set[Prefix], split: set[Prefix]) -> Iterator[Prefix]:
    """Yield what is left to prove of a prefix: itself, or extensions if it is `split`."""
    if prefix in split:
        for column in free_columns(n, prefix):
            yield from unproved(n, (*prefix, column), proved, split)
    elif prefix not in proved:
        yield prefix


def prove(n: int, solution: list[int], file: Path) -> None:
    """Continue the chain in FILE until it is complete."""
    proved: set[Prefix] = set()
    split: set[Prefix] = set()
    with file.open("a+", encoding="ascii") as log:
        log.seek(0)
        for line in log.read().splitlines():
            columns, _, by = line.partition(": ")
            if by and not line.startswith("#"):
                proved.add(tuple(int(word) - 1 for word in columns.split()))
        split = {prefix[:rows] for prefix in proved for rows in range(1, len(prefix))}
        for first in leaving(n, solution):
            while prefix := next(unproved(n, first, proved, split), None):
                start, by = perf_counter(), "minisat"
                answer = satisfy(n, prefix)
                if answer == "UNKNOWN":
                    answer, by = complete(n, prefix, 1, EFFORT)[0], "cp-sat"
                if answer == "UNKNOWN":
                    split.add(prefix)
                elif answer == "INFEASIBLE":
                    proved.add(prefix)
                    columns = " ".join(str(column + 1) for column in prefix)
                    print(f"{columns}: {by} {perf_counter() - start:.1f}", file=log, flush=True)
                else:
                    sys.exit(f"{by} says {answer} of {prefix}")
    summarize(n, file)


def summarize(n: int, file: Path) -> None:
    """Add the last line to a complete chain, if it has none, and print it."""
    rows = file.read_text("ascii").splitlines()
    if rows[-1].startswith("#"):
        print(rows[-1])
        return
    hardest = max(float(row.split()[-1]) for row in rows)
    prefixes = "".join(sorted(row.partition(":")[0] + "\n" for row in rows))
    line = (f"# {n} queens: {len(rows):,} prefixes, the hardest in {hardest:g} s; ortools "
            f"{version('ortools')}, python-sat {version('python-sat')}; SHA-256 of the sorted "
            f"prefixes {sha256(prefixes.encode()).hexdigest()}")
    with file.open("a", encoding="ascii") as log:
        print(line, file=log)
    print(line)


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("n", type=int)
@click.option("--number", type=int, default=6, show_default=True, help="Number of prefixes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option("--threads", type=int, default=1, show_default=True, help="Threads of CP-SAT.")
@click.option("--chain", type=Path, help="Prove all prefixes; resume and save the proof in a file.")
def main(n: int, number: int, seed: int, threads: int, chain: Path | None) -> None:
    known = FIRST_SOLUTIONS[n].solution
    if known is None:
        sys.exit(f"{n} queens have no solution")
    solution = [column - 1 for column in known]
    if chain is not None:
        prove(n, solution, chain)
        return
    random = Random(f"{n} {seed}")
    for _ in range(number):
        prefix, nodes = draw(n, solution, random)
        answer, seconds = complete(n, prefix, threads)
        print(f"{n} queens, {len(prefix)} rows, {nodes:,} nodes: {answer} in {seconds:.1f} s: "
              f"{' '.join(str(column + 1) for column in prefix)}", flush=True)
        if answer != "INFEASIBLE":
            sys.exit(f"CP-SAT says {answer}")


if __name__ == "__main__":
    main()
