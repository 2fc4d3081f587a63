"""Find the lexicographically first solution by rejecting prefixes, for each N.

    python search.py 30 31 32
    python search.py 48 --save 48.first
    python search.py 33 --count

The search extends a prefix row by row. It rejects a prefix only with a proof that it has no
completion: a complete search of what is left of the board for each number of queens above the main
diagonal, which branches on the row or column with the fewest free squares. It cuts a branch off if
a row or column has no free square, or by sums: queens stand on different diagonals of both kinds,
and for every queen (r + c)^2 + (c - r)^2 = 2 (r^2 + c^2), whose sum over the open rows and columns
is known, like those of r + c and of c - r. If no diagonals with these sums have squares so small,
or no rows and columns reach so far on both sides, there is no completion. A prefix that is not
decided within 1,000 nodes is extended by a row instead. README.md has the bounds.

Several prefixes are decided at a time. The result of one that is decided early waits until all
prefixes to the left of it are decided. So the results and counts do not depend on how many are
decided at a time, or on interruptions.

>>> found = find_first(8)
>>> [column + 1 for column in found.columns], sum(found.nodes)
([1, 5, 8, 6, 3, 7, 2, 4], 30)
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from time import perf_counter

from first import LARGEST_N, decide

from nqbench.problems.published.computed import FIRST_SOLUTIONS

Prefix = tuple[int, ...]
Decision = tuple[bool, int]  # whether it is rejected, and the nodes of the search

LIMIT = 1_000  # nodes for a prefix, before it is extended by a row
NODES = 100_000  # nodes for a task: a fraction of a second
MOST = 64  # prefixes of a task
SAVE = 10.0  # seconds between two reports, each with a checkpoint


def search(n: int) -> tuple[Prefix | None, int]:
    """Return the first solution, or None, and the number of squares tried, by the definition.

    >>> search(4), search(3)
    (((1, 3, 0, 2), 26), (None, 18))
    """
    placed: list[int] = []
    tried = 0

    def extend() -> bool:
        nonlocal tried
        row = len(placed)
        if row == n:
            return True
        for column in range(n):
            tried += 1
            if all(column != other and abs(column - other) != row - above
                   for above, other in enumerate(placed)):
                placed.append(column)
                if extend():
                    return True
                placed.pop()
        return False

    return (tuple(placed) if extend() else None), tried


def free_columns(n: int, prefix: Sequence[int]) -> list[int]:
    """Return the columns that are free in the row below a prefix.

    >>> free_columns(5, (0, 2))
    [4]
    """
    row, taken = len(prefix), set(prefix)
    sums = {above + column for above, column in enumerate(prefix)}
    differences = {column - above for above, column in enumerate(prefix)}
    return [column for column in range(n) if column not in taken and row + column not in sums
            and column - row not in differences]


@dataclass
class Progress:
    """The state of the search for n; every field is written to the checkpoint.

    Attributes
    ----------
    n
        the size of the board.
    path, next
        the prefix that the search has reached, and the column that it tries next: every prefix to
        the left of them is rejected.
    finished
        whether the search has found a solution; None while it searches.
    nodes, rejected
        nodes of the search, and prefixes that it rejected, by the row of the last queen.
    seconds
        elapsed time.
    """

    n: int
    path: list[int] = field(default_factory=list)
    next: int = 0
    finished: bool | None = None
    nodes: list[int] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.nodes = self.nodes or [0] * self.n
        self.rejected = self.rejected or [0] * self.n

    @property
    def columns(self) -> Prefix | None:
        """The first solution; None if there is none, or if it is not known yet."""
        return tuple(self.path) if self.finished else None

    def save(self, path: Path) -> None:
        """Write the checkpoint completely or not at all."""
        new = path.with_name(path.name + ".new")
        new.write_text(json.dumps({"progress": asdict(self)}) + "\n", "ascii")
        new.replace(path)

    @classmethod
    def load(cls, path: Path, n: int) -> "Progress":
        """Read a checkpoint; a file that does not exist is a new search.

        Raises
        ------
        ValueError
            if it is of another n.
        """
        if not path.exists():
            return cls(n)
        found = cls(**json.loads(path.read_text("ascii"))["progress"])
        if found.n != n:
            raise ValueError(f"{path} is a checkpoint of {found.n} queens, not {n}")
        return found


class Frontier:
    """The prefixes that are open, taken, or decided while prefixes to the left of them are not."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.open: list[Prefix] = []
        self.taken: set[Prefix] = set()
        self.decided: list[tuple[Prefix, Decision]] = []
        self.solution: Prefix = (progress.n,)  # the least known solution; prefixes come before it
        path = tuple(progress.path)
        for row in range(len(path) + 1):
            least = path[row] + 1 if row < len(path) else progress.next
            free = free_columns(progress.n, path[:row])
            if row < len(path) and path[row] not in free:
                raise ValueError(f"the queens of the prefix {path[:row + 1]} attack each other")
            for column in free:
                if column >= least:
                    heappush(self.open, (*path[:row], column))

    def take(self, most: int) -> list[Prefix]:
        """Take the least open prefixes, at most `most` of them."""
        taken: list[Prefix] = []
        while len(taken) < most and self.open and self.open[0] < self.solution:
            taken.append(heappop(self.open))
        self.taken.update(taken)
        return taken

    def enter(self, prefixes: list[Prefix], decisions: list[Decision]) -> None:
        """Enter the decisions of the first of some prefixes; the others are open again."""
        n = self.progress.n
        self.taken.difference_update(prefixes)
        for prefix in prefixes[len(decisions):]:
            heappush(self.open, prefix)
        for prefix, decision in zip(prefixes, decisions, strict=False):
            heappush(self.decided, (prefix, decision))
            if not decision[0] and len(prefix) < n:
                for column in free_columns(n, prefix):
                    heappush(self.open, (*prefix, column))
            elif not decision[0]:
                self.solution = min(self.solution, prefix)

    def settle(self) -> None:
        """Record in the progress every decided prefix that has no open prefix to its left."""
        progress = self.progress
        waiting = [*self.open[:1], *self.taken]
        first = min(waiting) if waiting else None
        while self.decided and (first is None or self.decided[0][0] < first):
            prefix, (rejected, nodes) = heappop(self.decided)
            progress.nodes[len(prefix) - 1] += nodes
            progress.rejected[len(prefix) - 1] += rejected
            if not rejected and len(prefix) == progress.n:
                progress.path, progress.next, progress.finished = [*prefix], 0, True
                return
        if first is None:
            progress.path, progress.next, progress.finished = [], progress.n, False
        else:
            progress.path, progress.next = [*first[:-1]], first[-1]


def rejecting(progress: Progress, executor: Executor, tasks: int,
              limit: int = LIMIT) -> Generator[None]:
    """Reject prefixes, in so many tasks at a time, until the first solution is found or there is
    none; update the progress before each yield.

    Raises
    ------
    ValueError
        if the queens of the path attack each other.
    """
    frontier = Frontier(progress)
    running: dict[Future[list[Decision]], list[Prefix]] = {}
    try:
        while progress.finished is None:
            while len(running) < tasks and (taken := frontier.take(_fair(frontier, tasks))):
                running[executor.submit(decide, progress.n, taken, limit, NODES)] = taken
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                frontier.enter(running.pop(future), future.result())
            frontier.settle()
            yield
    finally:
        for future in running:
            future.cancel()


def _fair(frontier: Frontier, tasks: int) -> int:
    """Return how many prefixes a task gets: those far to the right may never be needed."""
    return max(1, min(MOST, len(frontier.open) // (4 * tasks)))


def find_first(n: int, checkpoint: Path | None = None, jobs: int | None = None,
               report: Callable[[Progress], None] = lambda progress: None) -> Progress:
    """Find the first solution for n queens.

    Parameters
    ----------
    checkpoint
        file in which the progress is saved every ten seconds and at the end, and from which it is
        resumed.
    jobs
        threads; by default one for each core.
    report
        gets the progress every ten seconds.

    Raises
    ------
    ValueError
        if n is not allowed, or the checkpoint belongs to another search.

    Examples
    --------
    >>> find_first(6).columns, find_first(3).finished
    ((1, 3, 5, 0, 2, 4), False)
    """
    if not 1 <= n <= LARGEST_N:
        raise ValueError(f"n must be from 1 to {LARGEST_N}, not {n}")
    progress = Progress.load(checkpoint, n) if checkpoint else Progress(n)
    if progress.finished is not None:
        return progress
    jobs = jobs or os.cpu_count() or 1
    before, start, saved = progress.seconds, perf_counter(), perf_counter()
    with ThreadPoolExecutor(jobs) as pool, closing(rejecting(progress, pool, jobs)) as steps:
        try:
            for _ in steps:
                progress.seconds = before + perf_counter() - start
                if perf_counter() - saved > SAVE:
                    saved = perf_counter()
                    report(progress)
                    if checkpoint:
                        progress.save(checkpoint)
        finally:
            if checkpoint:
                progress.save(checkpoint)
    return progress


def write(columns: Sequence[int]) -> str:
    """Return a prefix in columns from 1.

    >>> write([0, 2])
    '1 3'
    """
    return " ".join(str(column + 1) for column in columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("n", type=int, nargs="+", metavar="N")
    parser.add_argument("--save", type=Path, metavar="FILE",
                        help="Save the progress in FILE, and resume from it; of one N only.")
    parser.add_argument("--jobs", type=int, help="Threads. Default: one for each core.")
    parser.add_argument("--count", action="store_true",
                        help="Count the squares that the plain search tries.")
    options = parser.parse_args()
    if options.save and len(options.n) > 1:
        parser.error("--save takes one N")
    differ = False
    for n in options.n:
        found = find_first(n, options.save, options.jobs, lambda progress: print(
            f"{progress.n} queens: {write(progress.path)}, {sum(progress.nodes):,} nodes",
            file=sys.stderr, flush=True))
        print(f"{n} queens: {write(found.columns or ()) or 'none'}; {sum(found.nodes):,} nodes, "
              f"{sum(found.rejected):,} prefixes rejected, {found.seconds:.1f} s", flush=True)
        known = FIRST_SOLUTIONS.get(n)
        wrong = known is not None and (
            known.nodes, known.rejected, known.solution) != (
            sum(found.nodes), sum(found.rejected), found.columns and [
                column + 1 for column in found.columns])
        if options.count:
            from squares import count_dead, squares_tried  # it needs this module

            tried = squares_tried(n, found.columns, count_dead(n, found.columns, None,
                                                               options.jobs))
            print(f"{n} queens: {tried:,} squares")
            wrong |= known is not None and known.tried not in (None, tried)
        if wrong:
            print(f"{n} queens: differs from the published row", file=sys.stderr)
        differ |= wrong
    sys.exit(differ)


if __name__ == "__main__":
    main()
