"""Find the compiled cores, and call them in threads, without the GIL."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

from nqbench.util.arguments import require_whole

INTERVAL = 0.1  # seconds between two looks for Ctrl-C
MOST_THREADS = 1024

Found = TypeVar("Found")


def find_core(name: str, implementation: str | None = None) -> Any:
    """Return a compiled core; None for a search in Python, or without a C compiler.

    >>> print(find_core("nqbench._sets", "python"))
    None
    """
    with suppress(ImportError):
        return None if implementation == "python" else import_module(name)
    return None


def in_threads(count: Callable[[int, bytearray], Found], parts: Iterable[int],
               jobs: int | None = None) -> Iterator[Found]:
    """Yield what a function returns of each part, as soon as it is there. The function gets a part
    and bytes, and ends early once the first of these is set. Closing the iterator stops the
    threads; there is one for each core unless `jobs` says how many.

    >>> sorted(in_threads(lambda part, stop: part * part, range(4)))
    [0, 1, 4, 9]
    """
    stop = bytearray(1)
    with ThreadPoolExecutor(choose_threads(jobs)) as pool:
        try:
            waiting = {pool.submit(count, part, stop) for part in parts}
            while waiting:
                done, waiting = wait(waiting, INTERVAL, FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            stop[0] = 1
            pool.shutdown(cancel_futures=True)


def choose_threads(jobs: int | None) -> int:
    """Return the number of threads; one for each core of this process for None."""
    if jobs is not None:
        return min(require_whole(jobs, "jobs", least=1), MOST_THREADS)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
