"""Threads that count: each takes some parts after the others, without the GIL."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Lock
from time import perf_counter

from nqbench._arguments import require_whole
from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint
from nqbench.engine.dividing import Division
from nqbench.engine.ledger import Ledger, open_ledger

LEAST_CAPACITY = 128  # states: a step adds up to so many, see ext/engine.h
QUICK_N = 14  # up to here a count takes no longer than to start threads
ALONE_N = 16  # and up to here one thread is not worth its start
LOOK = 0.1  # seconds between two looks at what the threads have done
SHARE = 2  # a thread takes so small a part of what is left for each: the last end together
SHORT = 3e-4  # seconds for which it is worth to come back for more
GONE = 0.02  # of the time that has gone: what a thread may take at once, from SHORT to LOOK


def count(n: int, kernel: str | None = None, jobs: int | None = None) -> int:
    """Return the number of ways to place n queens, 0 <= n <= 32.

    Raises
    ------
    TypeError, ValueError
        for an n that is not allowed, and for a kernel that does not exist or that the processor
        cannot run.

    Examples
    --------
    >>> count(8), count(12, jobs=1)
    (92, 14200)
    """
    _, found = deque(counting(n, kernel, jobs), maxlen=1).pop()
    return found


def counting(n: int, kernel: str | None = None, jobs: int | None = None,
             split: int | None = None, slices: int | None = None, wide: bool = False,
             capacity: int = 1024, checkpoint: str | Path | Checkpoint | None = None,
             say: Callable[[str], None] = lambda line: None) -> Iterator[tuple[float, int]]:
    """Yield (share of the parts done, solutions found by then) ten times a second, and
    at the end; see `count`. Closing the iterator stops the threads.

    How the count is divided (`split`, `slices`, `wide`: see `Division`) and how many states wait
    on a level (`capacity`) do not change it. Progress is saved in the file `checkpoint`, if one is
    given; the parts that it holds are not recounted. `say` gets a line for whatever was wrong with
    it and could be repaired.

    Raises
    ------
    TypeError, ValueError
        as `count` does, and for a checkpoint of another count, version or process.
    OSError
        if the checkpoint cannot be read or written.
    """
    chosen = processor.chosen_kernel(kernel)
    capacity = require_whole(capacity, "capacity", least=LEAST_CAPACITY)
    division = Division.new(n, chosen, split, slices, wide)
    threads = processor.threads(jobs)
    quick = division.n <= (ALONE_N if threads == 1 else QUICK_N)
    if quick and checkpoint is None:
        yield 1.0, _at_once(division, chosen, capacity)
        return
    with open_ledger(division, checkpoint, say) as ledger:
        if quick:
            _work(ledger, chosen, 1, capacity, bytearray(1), Lock())
        else:
            yield from _in_threads(ledger, chosen, threads, capacity)
        yield 1.0, ledger.found


def _at_once(division: Division, kernel: str, capacity: int) -> int:
    """Count all parts in one go: for small n the ledger would take as long as they do."""
    assert processor.core is not None
    parts, engine = range(division.parts), division.engine
    counts = processor.core.Kernel(kernel, capacity).complete(engine, parts)
    if any(ways % 13 != rest_13 or ways % 15 != rest_15 for ways, rest_13, rest_15 in counts):
        Ledger(division).enter(parts, counts)  # raises, and says which
    return sum(engine.images(part) * ways for part, (ways, *_) in zip(parts, counts, strict=True))


def _in_threads(ledger: Ledger, kernel: str, threads: int,
                capacity: int) -> Iterator[tuple[float, int]]:
    """Count, and yield now and then; see `counting`."""
    threads = min(threads, ledger.division.parts)
    stop, lock = bytearray(1), Lock()
    with ThreadPoolExecutor(threads) as pool:
        try:
            at_work = [pool.submit(_work, ledger, kernel, threads, capacity, stop, lock)
                       for _ in range(threads)]
            ended: set[Future[None]] = set()
            while len(ended) < threads:
                ended = wait(at_work, LOOK).done
                for thread in ended:
                    thread.result()  # what went wrong in one ends all
                if len(ended) < threads:
                    yield ledger.share, ledger.found
        finally:
            stop[0] = 1


def _work(ledger: Ledger, kernel: str, threads: int, capacity: int, stop: bytearray,
          lock: Lock) -> None:
    """What a thread does: take some parts, count them, enter them, until there are none left."""
    assert processor.core is not None
    memory = processor.core.Kernel(kernel, capacity)
    most = 1
    begin = perf_counter()
    while not stop[0]:
        with lock:
            fair = ledger.left // (SHARE * threads) if threads > 1 else ledger.left
            parts = ledger.take(max(1, min(most, fair)))
        if not parts:
            return
        start = perf_counter()
        counts = memory.complete(ledger.engine, parts, stop)
        end = perf_counter()
        with lock:
            ledger.enter(parts, counts)
        # Parts differ a hundredfold in size: more only by and by, and by time.
        allowed = min(max(SHORT, GONE * (end - begin)), LOOK)
        most = min(2 * len(parts), int(allowed * len(parts) / (end - start)))
