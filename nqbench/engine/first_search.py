"""Find the lexicographically first solution by rejecting prefixes, and count what the plain search
tries before it.

The search extends a prefix row by row. It rejects a prefix only with a proof that it has no
completion: a complete search of what is left of the board for each number of queens above the main
diagonal, which branches on the row or column with the fewest free squares. It cuts a branch off if
a row or column has no free square, or by sums: queens stand on different diagonals of both kinds,
and for every queen (r + c)^2 + (c - r)^2 = 2 (r^2 + c^2), whose sum over the open rows and columns
is known, like those of r + c and of c - r. If no diagonals with these sums have squares so small,
or no rows and columns reach so far on both sides, there is no completion. A prefix that is not
decided within 1,000 nodes is extended by a row instead. docs/sequences.md has the bounds.

Several prefixes are decided at a time. The result of one that is decided early waits until all
prefixes to the left of it are decided. So the results and counts do not depend on how many are
decided at a time, or on interruptions.

>>> found = find_first(8)
>>> [column + 1 for column in found.columns], found.tried
([1, 5, 8, 6, 3, 7, 2, 4], 876)
"""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from heapq import heappop, heappush
from math import inf
from pathlib import Path
from time import perf_counter

from nqbench.engine.first_solution import First, Progress, Workers, counting_dead, free_columns
from nqbench.engine.ledger import Ledger
from nqbench.engine.processor import PLAIN, choose_kernel, find_core
from nqbench.errors import InvalidValueError, LostError, MiscountError, NqbenchError
from nqbench.search.board import Placement
from nqbench.util.arguments import require_seconds, require_whole
from nqbench.util.cores import choose_threads
from nqbench.util.interrupts import delay_interrupts
from nqbench.util.text import describe_error

Prefix = tuple[int, ...]
Decision = tuple[bool, int]  # whether it is rejected, and the nodes of the search

LARGEST_N = 64
LIMIT = 1_000  # nodes for a prefix, before it is extended by a row
NODES = 100_000  # nodes for a task: a fraction of a second
MOST = 64  # prefixes of a task
INTERVAL = 0.1  # seconds between two reports


def decide(n: int, prefixes: list[Prefix], limit: int, nodes: int) -> list[Decision]:
    """Decide the first of some prefixes on a worker, up to one that is not rejected; see
    ext/first.pyx.

    Raises
    ------
    ValueError
        if the compiled core is missing.
    """
    found: list[Decision] = find_core(PLAIN).decide(n, prefixes, limit, nodes)
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
                raise InvalidValueError(f"the queens of the prefix {path[:row + 1]} attack each "
                                        "other")
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


def rejecting(progress: Progress, executor: Executor, workers: Callable[[], int],
              limit: int = LIMIT) -> Generator[None]:
    """Reject prefixes until the first solution is found or there is none; update the progress
    before each yield.

    Raises
    ------
    ValueError
        if the queens of the path attack each other, or the compiled core is missing.
    LostError
        if a worker fails.
    """
    frontier = Frontier(progress)
    running: dict[Future[list[Decision]], list[Prefix]] = {}
    try:
        while progress.finished is None:
            most = max(workers(), 1)
            while len(running) < most and (taken := frontier.take(_fair(frontier, most))):
                running[executor.submit(decide, progress.n, taken, limit, NODES)] = taken
            for future in wait(running, INTERVAL, FIRST_COMPLETED).done:
                frontier.enter(running.pop(future), _result(future))
            frontier.settle()
            yield
    finally:
        for future in running:
            future.cancel()


def _fair(frontier: Frontier, tasks: int) -> int:
    """Return how many prefixes a task gets: those far to the right may never be needed."""
    return max(1, min(MOST, len(frontier.open) // (4 * tasks)))


def _result(future: Future[list[Decision]]) -> list[Decision]:
    try:
        return future.result()
    except NqbenchError:
        raise
    except Exception as error:
        raise LostError(f"a worker failed ({describe_error(error)})") from error


SAVE = 10.0  # seconds between two checkpoints
COUNT = ".squares"  # the end of the name of the checkpoint of the plain count

Report = Callable[[str, float], None]  # what is done, and the share of the budget or of the work


def find_first(n: int, budget: float | None = None, checkpoint: str | Path | None = None,
               jobs: int | None = None, count: bool = True,
               report: Report = lambda what, share: None, kernel: str | None = None,
               workers: Workers | None = None,
               say: Callable[[str], None] = lambda line: None) -> First:
    """Find the first solution for n queens, and count the squares tried before it.

    Parameters
    ----------
    budget
        seconds for both; by default no limit. What is known by then is returned.
    checkpoint
        file in which the progress is saved, and from which it is resumed; that of the plain count
        has the same name, and .squares behind it.
    jobs
        threads; by default one for each core.
    count
        whether to count the squares.
    report
        gets a text and the share that is done, a few times a second.
    kernel
        of the plain count; by default the fastest.
    workers
        an executor that does the work in place of threads, and a function that returns how many
        workers it has; see `nqbench.engine.cluster`.
    say
        gets a line for each damage in a checkpoint, and for each task that is retried.

    Raises
    ------
    TypeError, ValueError
        if an argument is invalid, the checkpoint belongs to another search, or the compiled core
        is missing.
    MiscountError
        if the two searches contradict each other.
    LostError
        if the workers are gone.
    OSError
        if the checkpoint cannot be read or written.

    Examples
    --------
    >>> find_first(6).columns, find_first(3).tried
    ((1, 3, 5, 0, 2, 4), 18)
    """
    if require_whole(n, least=1) > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N}, not {n}")
    find_core(PLAIN)
    budget = inf if budget is None else require_seconds(budget)
    begun = perf_counter()

    def go_on(what: str, done: float) -> bool:
        """Report the progress; return whether there is time left."""
        gone = perf_counter() - begun
        report(f"{n} queens: {what}", max(done, gone / budget))
        return gone < budget

    threads, kernel = choose_threads(jobs), choose_kernel(kernel)
    path = None if checkpoint is None else Path(checkpoint)
    progress = Progress(n) if path is None else Progress.load(path, n)
    if progress.finished is None:
        try:
            with _saving(progress, path) as save, (
                    ThreadPoolExecutor(threads) if workers is None else nullcontext(workers[0])
                    ) as pool:
                many = workers[1] if workers else lambda: threads
                _search(progress, rejecting(progress, pool, many), go_on, save)
        except InvalidValueError as error:
            raise InvalidValueError(f"{path}: {error}" if path else str(error)) from None
    found = First(progress)
    if progress.finished is None or not count:
        return found
    if found.columns is not None and not Placement(found.columns).is_solution:
        raise MiscountError(f"{found.columns} is not a solution")
    saved = None if path is None else path.with_name(path.name + COUNT)
    return _count(found, go_on, counting_dead(n, found.columns, kernel, threads, saved, say,
                                              workers))


def _stamp(path: Path | None) -> tuple[int, ...]:
    """Return what changes when a file is written; nothing if it is not there."""
    if path is None or not path.exists():
        return ()
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _saving(progress: Progress, path: Path | None) -> Iterator[Callable[[], None]]:
    """Yield a function that saves the progress now and then; save it at the end. A file that was
    written by another process meanwhile is left alone, as it may know more.

    Raises
    ------
    InvalidValueError
        if the file was written by another process.
    """
    saved, known = perf_counter(), _stamp(path)

    def save(at_once: bool = False) -> None:
        nonlocal saved, known
        if path is not None and (at_once or perf_counter() - saved > SAVE):
            if _stamp(path) != known:
                raise InvalidValueError("was written by another process meanwhile; the progress of "
                                        "this one is not saved")
            with delay_interrupts():
                progress.save(path)
            saved, known = perf_counter(), _stamp(path)

    try:
        yield save
    finally:
        save(at_once=True)


def _search(progress: Progress, steps: Generator[None], go_on: Callable[[str, float], bool],
            save: Callable[[], None]) -> None:
    """Search for the first solution until it is found or the time is over."""
    before, start = progress.seconds, perf_counter()
    with closing(steps):
        for _ in steps:
            progress.seconds = before + perf_counter() - start
            save()
            if not go_on(f"{describe_prefix(progress.path)}, {sum(progress.nodes):,} nodes", 0.0):
                return


def _count(found: First, go_on: Callable[[str, float], bool],
           ledgers: Generator[Ledger]) -> First:
    """Count the placements to the left of the solution that was found."""
    start = perf_counter()
    with closing(ledgers):
        for ledger in ledgers:
            parts = ledger.division.parts
            found = replace(found, counted=ledger.done, parts=parts,
                            seconds=perf_counter() - start,
                            dead=ledger.count_dead() if ledger.done == parts else None)
            if not go_on("squares tried before the first solution", ledger.share):
                break
    return found


def describe_prefix(path: list[int]) -> str:
    """Return a prefix in words, its columns counted from 1.

    >>> describe_prefix([0, 2])
    'prefix 1 3'
    """
    return "prefix " + " ".join(str(column + 1) for column in path)
