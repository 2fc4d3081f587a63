"""Reject prefixes in the order of their columns, several at a time.

The result of a prefix that is decided early waits until all prefixes to the left of it are decided.
So the results and counts do not depend on how many prefixes are decided at a time, or on
interruptions.
"""

from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from heapq import heappop, heappush
from importlib import import_module
from typing import Any

from nqbench.errors import NOT_COMPILED, InvalidValueError, LostError, NqbenchError
from nqbench.first.plain import free_columns
from nqbench.first.progress import Progress
from nqbench.util.arguments import require_whole
from nqbench.util.text import describe_error

Prefix = tuple[int, ...]
Decision = tuple[bool, int]  # whether it is rejected, and the nodes of the search

LARGEST_N = 64
LIMIT = 10_000  # nodes for a prefix, before it is extended by a row
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
    found: list[Decision] = find_core().decide(n, prefixes, limit, nodes)
    return found


def require_size(n: int) -> int:
    """Return n if the search is for boards of this size; else raise TypeError or ValueError."""
    if require_whole(n, least=1) > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N}, not {n}")
    return n


def find_core() -> Any:
    """Return the compiled core.

    Raises
    ------
    ValueError
        if it is missing.
    """
    try:
        return import_module("nqbench._first")
    except ImportError:
        raise InvalidValueError(
            f"the search for a first solution is not available: {NOT_COMPILED}") from None


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
