"""Find the first solution by rejecting prefixes, and count what the plain search tries before it.

The search extends a prefix row by row. It rejects a prefix only with a proof that it has no
completion: a complete search of what is left of the board, which branches on the row or column with
the fewest free squares. It cuts a branch off if a row or column has no free square, or by the sum
of squares: queens stand on different diagonals of both kinds, and for every queen (r + c)^2 + (c -
r)^2 = 2 (r^2 + c^2), whose sum over the open rows and columns is known, like those of r + c and of
c - r. If no diagonals with these sums have squares so small, there is no completion. A prefix that
is not decided within 10,000 nodes is extended by a row instead.
"""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from nqbench.board import Placement
from nqbench.engine.ledger import Ledger
from nqbench.engine.processor import choose_kernel, choose_threads
from nqbench.errors import DistrustError, InvalidValueError
from nqbench.first.plain import count_dead, counting_dead, counting_dead_on
from nqbench.first.progress import First, Progress
from nqbench.first.pruned import find_core, rejecting, require_size
from nqbench.util.arguments import require_seconds
from nqbench.util.interrupts import delay_interrupts

SAVE = 10.0  # seconds between two checkpoints
COUNT = ".squares"  # the end of the name of the checkpoint of the plain count

Report = Callable[[str, float], None]  # what is done, and the share of the budget or of the work
Workers = tuple[Executor, Callable[[], int]]


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
    DistrustError
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
    n = require_size(n)
    find_core()
    end = None if budget is None else perf_counter() + require_seconds(budget)
    threads, kernel = choose_threads(jobs), choose_kernel(kernel)
    path = None if checkpoint is None else Path(checkpoint)
    progress = Progress(n) if path is None else Progress.load(path, n)
    left = _Budget(n, end, report)
    if progress.finished is None:
        try:
            with _saving(progress, path) as save, _executor(workers, threads) as (pool, many):
                _search(progress, rejecting(progress, pool, many), left, save)
        except InvalidValueError as error:
            raise InvalidValueError(f"{path}: {error}" if path else str(error)) from None
    found = First(progress)
    if progress.finished is None or not count:
        return found
    if found.columns is not None and not Placement(found.columns).is_solution:
        raise DistrustError(f"{found.columns} is not a solution")
    saved = None if path is None else path.with_name(path.name + COUNT)
    return _count(found, left, counting_dead(
        n, found.columns, kernel, threads, saved, say) if workers is None else counting_dead_on(
        *workers, n, found.columns, saved, say))


class _Budget:
    """The remaining time, and the report of the progress."""

    def __init__(self, n: int, end: float | None, report: Report) -> None:
        self.n, self.start, self.end, self.report = n, perf_counter(), end, report

    def go_on(self, what: str, done: float) -> bool:
        """Report the progress; return whether there is time left."""
        now = perf_counter()
        share = 0.0 if self.end is None else (now - self.start) / (self.end - self.start)
        self.report(f"{self.n} queens: {what}", max(done, share))
        return self.end is None or now < self.end


@contextmanager
def _executor(workers: Workers | None, threads: int) -> Iterator[Workers]:
    if workers is not None:
        yield workers
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool, lambda: threads


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


def _search(progress: Progress, steps: Generator[None], left: _Budget,
            save: Callable[[], None]) -> None:
    """Search for the first solution until it is found or the time is over."""
    before, start = progress.seconds, perf_counter()
    with closing(steps):
        for _ in steps:
            progress.seconds = before + perf_counter() - start
            save()
            if not left.go_on(f"{describe_prefix(progress.path)}, {sum(progress.nodes):,} nodes",
                              0.0):
                return


def _count(found: First, left: _Budget, ledgers: Generator[Ledger]) -> First:
    """Count the placements to the left of the solution that was found."""
    start = perf_counter()
    with closing(ledgers):
        for ledger in ledgers:
            parts = ledger.division.parts
            found = replace(found, counted=ledger.done, parts=parts,
                            seconds=perf_counter() - start,
                            dead=count_dead(ledger) if ledger.done == parts else None)
            if not left.go_on("squares tried before the first solution", ledger.share):
                break
    return found


def describe_prefix(path: list[int]) -> str:
    """Return a prefix in words, its columns counted from 1.

    >>> describe_prefix([0, 2])
    'prefix 1 3'
    """
    return "prefix " + " ".join(str(column + 1) for column in path)
