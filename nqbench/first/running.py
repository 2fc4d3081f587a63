"""Find the first solution by rejecting prefixes, and count what the plain search tries before it.

The search extends a prefix row by row. It rejects a prefix only with a proof that it has no
completion: a complete search of what is left of the board, which branches on the row or column
with the fewest free squares. It cuts a branch off if a row or column has no free square, or by
the sum of squares: queens stand on different diagonals of both kinds, and for every queen
(r + c)^2 + (c - r)^2 = 2 (r^2 + c^2), whose sum over the open rows and columns is known. If the
diagonals that are left, those closest to the means, need more than this, there is no completion.
A prefix that is not decided within 10,000 nodes gets another row instead.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, Self

from nqbench._arguments import require_seconds, require_whole
from nqbench._interrupts import delay_interrupts
from nqbench.board import Placement
from nqbench.engine.processor import choose_threads
from nqbench.errors import DistrustError, InvalidValueError
from nqbench.first.plain import Division, count_parts
from nqbench.first.progress import First, Progress

LARGEST_N = 64
STEP = 100_000  # nodes, in a fraction of a second
SAVE = 10.0  # seconds between two checkpoints

Report = Callable[[str, float], None]  # what is done, and the share of the budget or of the work


def find_first(n: int, budget: float | None = None, checkpoint: str | Path | None = None,
               jobs: int | None = None, count: bool = True,
               report: Report = lambda what, share: None) -> First:
    """Find the first solution for n queens, and count the squares tried before it.

    Parameters
    ----------
    budget
        seconds for both; by default no limit. What is known by then is returned.
    checkpoint
        file in which the progress is saved, and from which it is resumed.
    jobs
        threads of the plain count; by default one for each core.
    count
        whether to count the squares.
    report
        gets a text and the share that is done, a few times a second.

    Raises
    ------
    TypeError, ValueError
        if an argument is invalid, the checkpoint belongs to another search, or the compiled core
        is missing.
    DistrustError
        if the two searches contradict each other.
    OSError
        if the checkpoint cannot be read or written.

    Examples
    --------
    >>> find_first(6).columns, find_first(3).tried
    ((1, 3, 5, 0, 2, 4), 18)
    """
    n = require_whole(n, least=1)
    if n > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N}, not {n}")
    run = _Run(n, None if budget is None else require_seconds(budget), checkpoint, report)
    with run:
        run.search()
        if run.progress.finished is None or not count:
            return First.of(run.progress)
        return run.count(choose_threads(jobs))


def _core() -> Any:
    try:
        return import_module("nqbench._first")
    except ImportError:
        raise InvalidValueError("the compiled core nqbench._first is missing; install nqbench "
                                "where there is a C compiler") from None


class _Run:
    """One run: its progress, its end and its checkpoint, which is written when the block ends."""

    def __init__(self, n: int, budget: float | None, checkpoint: str | Path | None,
                 report: Report) -> None:
        self.core = _core()
        self.path = None if checkpoint is None else Path(checkpoint)
        self.progress = Progress(n) if self.path is None else Progress.load(self.path, n)
        self.start = self.saved = perf_counter()
        self.budget, self.report = budget, report

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.save()

    def save(self) -> None:
        """Write the checkpoint, if there is one."""
        if self.path is not None:
            with delay_interrupts():
                self.progress.save(self.path)
        self.saved = perf_counter()

    def go_on(self) -> bool:
        """Return whether there is time left; save the progress now and then."""
        now = perf_counter()
        if now - self.saved > SAVE:
            self.save()
        return self.budget is None or now - self.start < self.budget

    def search(self) -> None:
        """Search for the first solution until it is found or the time is over."""
        progress, n = self.progress, self.progress.n
        if progress.finished is not None:
            return
        try:
            search = self.core.Search(n, progress.path, progress.next)
        except ValueError as error:
            raise InvalidValueError(f"{self.path}: {error}") from None
        nodes, rejected = progress.nodes or [0] * n, progress.rejected or [0] * n
        before = progress.seconds[0]
        while True:
            finished = search.advance(STEP)
            progress.path, progress.next = search.path, search.next
            progress.nodes = [a + b for a, b in zip(nodes, search.nodes, strict=True)]
            progress.rejected = [a + b for a, b in zip(rejected, search.rejected, strict=True)]
            progress.seconds[0] = before + perf_counter() - self.start
            if finished:
                progress.finished = search.finished
                return
            self.report(f"{n} queens: {describe_prefix(progress.path)}, "
                        f"{sum(progress.nodes):,} nodes", self.share(0.0))
            if not self.go_on():
                return

    def share(self, done: float) -> float:
        """Return the share of the budget that is spent, or what is done where there is none."""
        return (perf_counter() - self.start) / self.budget if self.budget else done

    def count(self, threads: int) -> First:
        """Count the placements to the left of the solution that was found."""
        progress = self.progress
        columns = tuple(progress.path) if progress.finished else None
        if columns is not None and not Placement(columns).is_solution:
            raise DistrustError(f"{columns} is not a solution")
        division = Division.of(progress.n, columns)
        begin, before = perf_counter(), progress.seconds[1]

        def go_on() -> bool:
            progress.seconds[1] = before + perf_counter() - begin
            done = len(progress.counted) / max(len(division.parts), 1)
            self.report(f"{progress.n} queens: squares tried before the first solution",
                        max(done, self.share(done)))
            return self.go_on()

        parts = [(number, prefix) for number, prefix in enumerate(division.parts)
                 if number not in progress.counted]
        if parts:
            count_parts(self.core, progress.n, parts, threads, progress.counted.__setitem__, go_on)
        return First.of(progress, division)


def describe_prefix(path: list[int]) -> str:
    """Return a prefix in words, its columns counted from 1.

    >>> describe_prefix([0, 2])
    'prefix 1 3'
    """
    return "prefix " + " ".join(str(column + 1) for column in path)
