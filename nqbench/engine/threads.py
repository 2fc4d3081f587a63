"""Threads that count: each takes one part of the jobs after the other, without the GIL."""

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from importlib import import_module
from types import ModuleType

from nqbench.board import whole

_core: ModuleType | None = None
with suppress(ImportError):  # built without a C compiler
    _core = import_module("nqbench._engine")

LARGEST_N = 32
QUICK_N = 11  # up to here a count takes less time than to start a thread
LOOK = 0.1  # seconds between two looks at what the threads have done


def available() -> bool:
    """Whether the engine was compiled."""
    return _core is not None


def kernels() -> list[str]:
    """Return the kernels that this processor can run, the fastest first."""
    return [] if _core is None else list(_core.kernels())


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _chosen(kernel: str | None) -> str:
    if _core is None:
        raise ValueError("the counting engine was not compiled here: there was no C compiler")
    able = kernels()
    if kernel is None:
        return able[0]
    if kernel not in _core.NAMES:
        raise ValueError(f"there is no kernel {kernel!r}, only {', '.join(_core.NAMES)}")
    if kernel not in able:
        raise ValueError(f"this processor cannot run the kernel {kernel}, only "
                         f"{' and '.join(able)}")
    return kernel


def count(n: int, kernel: str | None = None, jobs: int | None = None) -> int:
    """Return the number of ways to place n queens, 0 <= n <= 32.

    Raises
    ------
    ValueError
        for n above 32, and for a kernel that there is not or that the processor
        cannot run.

    Examples
    --------
    >>> count(8), count(12, jobs=1)
    (92, 14200)
    """
    _, found = deque(counting(n, kernel, jobs), maxlen=1).pop()
    return found


def counting(n: int, kernel: str | None = None, jobs: int | None = None,
             split: int = 0, capacity: int = 1024, wide: bool = False) -> Iterator[
                 tuple[float, int]]:
    """Yield (share of the parts done, solutions found by then) ten times a second, and
    at the end; see `count`. Closing the iterator stops the threads.

    `split` queens at least stand in a job, `capacity` states wait on a level, and
    `wide` takes lanes of 64 bits: none of them changes the count.
    """
    number = whole(n)
    chosen = _chosen(kernel)
    assert _core is not None
    if number > LARGEST_N:
        raise ValueError(f"n must be at most {LARGEST_N} for the engine, not {number}")
    threads = cores() if jobs is None else whole(jobs, "jobs", least=1)
    # With one lane, words of 64 bits cost little and leave the order of the rows free.
    engine = _core.Engine(number, split, wide=wide or (chosen == "portable" and number > 17))
    stop = bytearray(1)
    if number <= QUICK_N:
        engine.work(chosen, stop, capacity)
        yield 1.0, engine.found
        return
    threads = max(1, min(threads, engine.progress[1]))  # no more than there are parts
    with ThreadPoolExecutor(threads) as pool:
        try:
            at_work = [pool.submit(engine.work, chosen, stop, capacity) for _ in range(threads)]
            ended: set[Future[None]] = set()
            while len(ended) < threads:
                ended = wait(at_work, LOOK).done
                for thread in ended:
                    thread.result()  # what went wrong in one ends all
                done, parts = engine.progress
                if len(ended) < threads:
                    yield done / parts, engine.found
        finally:
            stop[0] = 1
    yield 1.0, engine.found
