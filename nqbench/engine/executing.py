"""The parts of a count on any executor of `concurrent.futures`: processes, Dask, MPI.

The executor's workers count parts; this side hands them out, a few tasks for each worker at a
time, and believes an answer only if it fits: the parts that were asked for, counts that can be
with remainders that agree, a checksum, and no contradiction to what is known. What fails,
answers nonsense or does not answer is handed out again; what is answered twice is counted once.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from functools import lru_cache
from math import inf
from pathlib import Path
from time import perf_counter
from zlib import crc32

from nqbench._text import describe_error
from nqbench._version import __version__
from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint, Count, possible
from nqbench.engine.dividing import Division
from nqbench.engine.ledger import Ledger, open_ledger
from nqbench.errors import DistrustError, InvalidValueError, LostError, NqbenchError

IN_FLIGHT = 3  # tasks for each worker: one at work, the others on the way
SHARE = 2  # a task is so small a part of what is left for each worker: the last end together
LONGEST = 30.0  # seconds that a task of more than one part may be expected to take
PATIENCE = 600.0  # seconds without an answer, then a task is handed out once more
TRIES = 4  # of a task, in all
ABSENT = 60.0  # seconds without any worker, then the count ends
MOST = 10_000  # parts of a task
LOOK = 0.2  # seconds between two looks
ROLL_CALL = 5.0  # seconds after which the workers are counted again


Parts = tuple[int, ...]
# Parts, the count of each, checksum, seconds.
Answer = tuple[Parts, tuple[Count, ...], int, float]


def checksum(parts: Sequence[int], counts: Sequence[Count]) -> int:
    """Return the CRC-32 of an answer.

    >>> checksum((1, 2), ((10, 10, 10), (0, 0, 0))) == checksum((2, 1), ((10, 10, 10), (0, 0, 0)))
    False
    """
    return crc32(repr((tuple(parts), tuple(counts))).encode())


@lru_cache(maxsize=2)
def _division(line: str) -> Division:
    return Division.of(line)


def work(line: str, parts: Parts) -> Answer:
    """Count parts on a worker, with the fastest kernel of its processor.

    Raises
    ------
    ValueError
        if the worker has another version of nqbench, or no compiled engine.
    """
    division = _division(line)
    if division.version != __version__:
        raise InvalidValueError(f"a worker has nqbench {__version__}, not {division.version}")
    kernel = processor.chosen_kernel()
    assert processor.core is not None
    start = perf_counter()
    counts = tuple(processor.core.Kernel(kernel).complete(division.engine, parts))
    return parts, counts, checksum(parts, counts), perf_counter() - start


def believable(answer: object, parts: Parts) -> bool:
    """Whether an answer is one to these parts.

    >>> ten = (10, 10, 10)
    >>> believable(((1,), (ten,), checksum((1,), (ten,)), 0.5), (1,))
    True
    >>> believable(((2,), (ten,), checksum((2,), (ten,)), 0.5), (1,))
    False
    """
    match answer:
        case (tuple() as answered, tuple() as counts, int() as check, float() as seconds):
            return (answered == parts and len(counts) == len(parts) and 0 <= seconds < inf
                    and all(map(possible, counts)) and check == checksum(parts, counts))
    return False


def counting_on(executor: Executor, n: int, workers: int | Callable[[], int],
                checkpoint: str | Path | Checkpoint | None = None,
                say: Callable[[str], None] = lambda line: None,
                patience: float = PATIENCE) -> Iterator[tuple[float, int]]:
    """Count on an executor with so many `workers`; yield (share of the parts done, solutions found
    by then) regularly, and at the end. Save progress in a `checkpoint`, if it is given, and resume
    from it.

    Where workers come and go, `workers` is a function that returns how many there are. `say` gets a
    line for every task that is retried, with the reason. A task is retried after `patience` seconds
    without an answer.

    Raises
    ------
    TypeError, ValueError
        for an n that is not allowed, a checkpoint of another count, or a worker with another
        version of nqbench.
    LostError
        if the workers or their scheduler are gone.
    DistrustError
        if a task failed or got an impossible answer TRIES times, or if two answers contradict one
        another.
    """
    with open_ledger(Division.new(n, processor.chosen_kernel()), checkpoint, say) as ledger:
        yield ledger.share, ledger.found
        for parts, counts, *_ in _Tasks(executor, ledger, workers, say, patience).answers():
            ledger.enter(parts, counts)
            yield ledger.share, ledger.found


class _Tasks:
    """What is handed out, what is handed out again, and what is awaited."""

    def __init__(self, executor: Executor, ledger: Ledger, workers: int | Callable[[], int],
                 say: Callable[[str], None], patience: float) -> None:
        self.executor = executor
        self.ledger = ledger
        self.tell = workers if callable(workers) else lambda: workers
        self.workers = 1
        self.told = -inf  # when the workers were counted last,
        self.seen = perf_counter()  # and when there was one
        self.look()
        self.say = say
        self.patience = patience
        self.again: deque[Parts] = deque()
        self.tries: dict[Parts, int] = {}
        self.flying: dict[Future[Answer], tuple[Parts, float]] = {}
        self.late: dict[Future[Answer], Parts] = {}  # given up, but they may answer yet
        # Seconds that a part took, of late: the first tasks are one part each.
        self.slow: deque[float] = deque([LONGEST], maxlen=4 * self.workers)

    def answers(self) -> Iterator[Answer]:
        """Yield believable answers until every part is counted."""
        line = self.ledger.division.line
        try:
            while self.ledger.done < self.ledger.division.parts:
                while len(self.flying) < IN_FLIGHT * self.workers and (parts := self.next()):
                    future = self.submit(line, parts)
                    self.flying[future] = parts, perf_counter()
                for future in wait([*self.flying, *self.late], LOOK, FIRST_COMPLETED).done:
                    answer = self.answer(future)
                    if answer is not None:
                        yield answer
                self.replace()
                self.look()
        finally:
            for future in self.flying:
                future.cancel()

    def submit(self, line: str, parts: Parts) -> Future[Answer]:
        try:
            return self.executor.submit(work, line, parts)
        except BrokenExecutor as error:
            raise LostError(f"the workers are gone: {describe_error(error)}") from None

    def next(self) -> Parts:
        """The parts of the next task; none if there is nothing left to hand out."""
        while self.again:
            parts = self.again.popleft()
            if not all(map(self.ledger.knows, parts)):  # a late answer may have come
                return parts
        size = min(self.ledger.left // (SHARE * self.workers), int(LONGEST / max(self.slow)), MOST)
        return self.ledger.take(max(1, size))

    def answer(self, future: Future[Answer]) -> Answer | None:
        """What a future answers, if it is believed; else its task is handed out again."""
        late = self.late.pop(future, None)
        parts = late or self.flying.pop(future)[0]
        fault = _fault(future, parts)
        if fault is None:
            answer = future.result()
            self.slow.append(max(answer[3] / len(parts), 1e-9))
            return answer
        if late is None:
            self.repeat(parts, fault)
        return None

    def look(self) -> None:
        """See how many workers there are now."""
        now = perf_counter()
        if now - self.told < ROLL_CALL:
            return
        try:
            workers = self.tell()
        except OSError as error:
            raise LostError(f"the scheduler is gone: {describe_error(error)}") from None
        self.told = now
        if workers > 0:
            self.workers, self.seen = workers, now
        elif now - self.seen > ABSENT:
            raise LostError(f"there have been no workers for {ABSENT:g} seconds")

    def replace(self) -> None:
        """Hand out again what has not been answered for too long, given how many are waiting."""
        patience = self.patience * max(1.0, len(self.flying) / (IN_FLIGHT * self.workers))
        for future, (parts, since) in list(self.flying.items()):
            if perf_counter() - since > patience and not future.done():
                del self.flying[future]
                if not future.cancel():
                    self.late[future] = parts
                self.repeat(parts, f"no answer for {self.patience:g} seconds")

    def repeat(self, parts: Parts, why: str) -> None:
        """Note that a task is to be handed out again; too often is an error."""
        self.tries[parts] = self.tries.get(parts, 1) + 1
        if self.tries[parts] > TRIES:
            raise DistrustError(f"part {parts[0]} failed {TRIES} times, at last with {why}")
        self.say(f"part {parts[0]} is counted again: {why}")
        self.again.append(parts)


def _fault(future: Future[Answer], parts: Parts) -> str | None:
    """What is wrong with an answer; None if it is believed."""
    if future.cancelled():
        raise LostError("the scheduler or its workers are gone: a task was cancelled")
    error = future.exception()
    if isinstance(error, NqbenchError):
        raise error  # a retry would fail in the same way
    if error is not None:
        return describe_error(error)
    return None if believable(future.result(), parts) else "an answer that cannot be"
