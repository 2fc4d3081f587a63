"""Count on any executor of `concurrent.futures`: processes, Dask, MPI.

The executor's workers count parts; this side submits a few tasks for each worker at a time. An
answer is accepted only if it has the requested parts, possible counts with matching remainders and
a valid checksum, and contradicts no other. A task is retried if it fails, gets an invalid answer or
no answer. A part that is answered twice is counted once.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from functools import lru_cache
from math import inf
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from zlib import crc32

from nqbench._version import __version__
from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint, PartCount, is_possible
from nqbench.engine.division import Division
from nqbench.engine.ledger import Ledger, open_ledger
from nqbench.errors import InvalidValueError, LostError, MiscountError, NqbenchError, describe_error

IN_FLIGHT = 3  # tasks for each worker: one that runs, the others on the way
DIVISOR = 2  # a task is 1 / DIVISOR of its fair share of what is left, so all end together
LONGEST_TASK = 30.0  # seconds that a task of more than one part may be expected to take
RETRY_AFTER = 600.0  # seconds without an answer after which a task is retried
TRIES = 4  # of a task, in all
ABSENT = 60.0  # seconds without any worker after which the count ends
MOST_PARTS = 10_000  # parts of a task
INTERVAL = 0.2  # seconds between two checks of the tasks
WORKERS_INTERVAL = 5.0  # seconds between two counts of the workers

Parts = tuple[int, ...]


_lost: list[str | None] = []  # devices of this worker


class Reply(NamedTuple):
    """What a worker returns: parts, the count of each, their checksum, and the seconds it took."""

    parts: Parts
    counts: tuple[PartCount, ...]
    check: int
    seconds: float


def checksum(parts: Sequence[int], counts: Sequence[PartCount]) -> int:
    """Return the CRC-32 of an answer.

    >>> checksum((1, 2), ((10, 10, 10), (0, 0, 0))) == checksum((2, 1), ((10, 10, 10), (0, 0, 0)))
    False
    """
    return crc32(repr((tuple(parts), tuple(counts))).encode())


_parse_division = lru_cache(maxsize=2)(Division.of)


def count_parts(line: str, parts: Parts, device: str | None = None) -> Reply:
    """Count parts on a worker, with the fastest kernel of its processor, or on a device of this
    name that no other worker has. If that is lost, the processor counts from the next task on.

    Raises
    ------
    ValueError
        if the worker has another version of nqbench, no compiled engine, or no device of its own.
    LostError
        if the device is lost.
    """
    division = _parse_division(line)
    if division.version != __version__:
        raise InvalidValueError(f"a worker has nqbench {__version__}, not {division.version}")
    kernel = processor.choose_kernel() if device in (None, *_lost) else processor.claim(device)
    try:
        memory = division.start_kernel(kernel)
        start = perf_counter()
        counts = tuple(memory.complete(division.engine, parts))
    except LostError:
        _lost.append(device)
        raise
    return Reply(parts, counts, checksum(parts, counts), perf_counter() - start)


def validate(answer: object, parts: Parts) -> Reply | None:
    """Return an answer if it is valid for these parts, else None.

    >>> ten = (10, 10, 10)
    >>> validate(((1,), (ten,), checksum((1,), (ten,)), 0.5), (1,)).seconds
    0.5
    >>> validate(((2,), (ten,), checksum((2,), (ten,)), 0.5), (1,)) is None
    True
    """
    match answer:
        case (tuple() as answered, tuple() as counts, int() as check, float() as seconds):
            if (answered == parts and len(counts) == len(parts) and 0 <= seconds < inf
                    and all(is_possible(count) for count in counts)
                    and check == checksum(parts, counts)):
                return Reply(parts, counts, check, seconds)
    return None


def counting_on(executor: Executor, n: int, workers: int | Callable[[], int],
                checkpoint: str | Path | Checkpoint | None = None,
                say: Callable[[str], None] = lambda line: None, algorithm: str = "cross",
                device: str | None = None) -> Iterator[tuple[float, int]]:
    """Count on an executor with this number of `workers`; yield (share of the parts done, solutions
    found so far), first as in the checkpoint, then after each answer. `algorithm` is the engine:
    cross or join. With the name of a `device`, each worker counts on one.

    If workers come and go, `workers` is a function that returns their number. Progress is saved in
    `checkpoint`, if it is given, and a count resumes from it. `say` gets a line for every task that
    is retried, with the reason. A task is retried after RETRY_AFTER seconds without an answer,
    or later if its parts take long.

    Raises
    ------
    TypeError, ValueError
        if n is not allowed, the checkpoint belongs to another count, or a worker has another
        version of nqbench.
    LostError
        if the workers or their scheduler are gone.
    MiscountError
        if a task failed or got an invalid answer TRIES times, or if two answers contradict each
        other.
    """
    division = Division.new(n, device or processor.choose_kernel(), algorithm=algorithm)
    with open_ledger(division, checkpoint, say) as ledger:
        yield ledger.share, ledger.solutions
        for answer in _Tasks(executor, ledger, workers, say, device).answers():
            ledger.enter(answer.parts, answer.counts)
            yield ledger.share, ledger.solutions


class _Tasks:
    """The tasks of a count: those that are submitted, and those to retry."""

    def __init__(self, executor: Executor, ledger: Ledger, workers: int | Callable[[], int],
                 say: Callable[[str], None], device: str | None) -> None:
        self.executor = executor
        self.device = [device] if device else []
        self.ledger = ledger
        self.count_workers = workers if callable(workers) else lambda: workers
        self.workers = 1
        self.workers_counted = -inf  # when that was last done
        self.workers_seen = perf_counter()  # when there was one
        self.update_workers()
        self.say = say
        self.to_retry: deque[Parts] = deque()
        self.tries: dict[Parts, int] = {}
        self.pending: dict[Future[Reply], tuple[Parts, float]] = {}  # and when it was submitted
        self.overdue: dict[Future[Reply], Parts] = {}  # retried, but they may still answer
        # Seconds of a part in the last tasks: the first tasks have one part each.
        self.part_seconds: deque[float] = deque([LONGEST_TASK], maxlen=4 * self.workers)

    def answers(self) -> Iterator[Reply]:
        """Yield valid answers until every part is counted."""
        line = self.ledger.division.line
        try:
            while self.ledger.done < self.ledger.division.parts:
                while len(self.pending) < IN_FLIGHT * self.workers and (parts := self.take()):
                    future = self.submit(line, parts)
                    self.pending[future] = parts, perf_counter()
                for future in wait([*self.pending, *self.overdue], INTERVAL, FIRST_COMPLETED).done:
                    answer = self.accept(future)
                    if answer is not None:
                        yield answer
                self.retry_overdue()
                self.update_workers()
        finally:
            for future in self.pending:
                future.cancel()

    def submit(self, line: str, parts: Parts) -> Future[Reply]:
        """Submit a task."""
        try:
            return self.executor.submit(count_parts, line, parts, *self.device)
        except BrokenExecutor as error:
            raise LostError(f"the workers are gone: {describe_error(error)}") from None

    def take(self) -> Parts:
        """Return the parts of the next task; none if there is nothing left to submit."""
        while self.to_retry:
            parts = self.to_retry.popleft()
            if not all(map(self.ledger.is_counted, parts)):  # an overdue answer may have come
                return parts
        size = min(self.ledger.left // (DIVISOR * self.workers),
                   int(LONGEST_TASK / max(self.part_seconds)), MOST_PARTS)
        return self.ledger.take(max(1, size))

    def accept(self, future: Future[Reply]) -> Reply | None:
        """Return the answer of a future; if it is not valid, retry the task and return None."""
        overdue = self.overdue.pop(future, None)
        parts = overdue or self.pending.pop(future)[0]
        answer, fault = _result(future, parts)
        if answer is not None:
            self.part_seconds.append(max(answer.seconds / len(parts), 1e-9))
        elif overdue is None:
            self.retry(parts, fault)
        return answer

    def update_workers(self) -> None:
        """Count the workers, if that was not done lately."""
        now = perf_counter()
        if now - self.workers_counted < WORKERS_INTERVAL:
            return
        try:
            workers = self.count_workers()
        except OSError as error:
            raise LostError(f"the scheduler is gone: {describe_error(error)}") from None
        self.workers_counted = now
        if workers > 0:
            self.workers, self.workers_seen = workers, now
        elif now - self.workers_seen > ABSENT:
            raise LostError(f"there have been no workers for {ABSENT:g} seconds")

    def retry_overdue(self) -> None:
        """Retry the tasks without an answer for too long, given how many wait, how long parts take,
        and how often each was tried.
        """
        usual = RETRY_AFTER * max(1.0, len(self.pending) / (IN_FLIGHT * self.workers)) * max(
            1.0, max(self.part_seconds) / (IN_FLIGHT * LONGEST_TASK))
        for future, (parts, since) in list(self.pending.items()):
            patience = usual * self.tries.get(parts, 1)
            if perf_counter() - since > patience and not future.done():
                del self.pending[future]
                if not future.cancel():
                    self.overdue[future] = parts
                self.retry(parts, f"no answer for {patience:g} seconds")

    def retry(self, parts: Parts, why: str) -> None:
        """Note that a task must be submitted again; raise if it failed too often."""
        self.tries[parts] = self.tries.get(parts, 1) + 1
        if self.tries[parts] > TRIES:
            raise MiscountError(f"part {parts[0]} failed {TRIES} times, the last time with {why}")
        self.say(f"part {parts[0]} is counted again: {why}")
        self.to_retry.append(parts)


def _result(future: Future[Reply], parts: Parts) -> tuple[Reply | None, str]:
    """Return the answer of a future if it is valid, else None and what is wrong with it."""
    if future.cancelled():
        raise LostError("the scheduler or its workers are gone: a task was cancelled")
    error = future.exception()
    if isinstance(error, NqbenchError) and not isinstance(error, LostError):
        raise error  # a retry would fail in the same way
    if error is not None:
        return None, describe_error(error)
    return validate(future.result(), parts), "an invalid answer"
