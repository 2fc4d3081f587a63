"""Find the compiled cores, and call them in threads, without the GIL: by default one for each core
of this processor.
"""

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import Any, TypeVar

from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_whole

INTERVAL = 0.1  # seconds between two looks for Ctrl-C
MOST_THREADS = 1024  # the system may refuse to start more

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
               jobs: int | None = None) -> Generator[Found]:
    """Yield what a function returns of each part, as soon as it is there. The function gets a part
    and bytes, and ends early once the first of these is set. Closing the iterator stops the
    threads; there is one for each core unless `jobs` says how many.

    >>> sorted(in_threads(lambda part, stop: part * part, range(4)))
    [0, 1, 4, 9]
    """
    stop, left, threads = bytearray(1), iter(parts), choose_threads(jobs)
    waiting: set[Future[Found]] = set()  # few, as each wait looks at all
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                waiting |= {pool.submit(count, part, stop)
                            for part in islice(left, 2 * threads - len(waiting))}
                if not waiting:
                    return
                done, waiting = wait(waiting, INTERVAL, FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            stop[0] = 1
            pool.shutdown(cancel_futures=True)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def choose_threads(jobs: int | None) -> int:
    """Return the number of threads for `jobs`; by default one for each core.

    Raises
    ------
    TypeError, ValueError
        if jobs is not a whole number from 1 to 1,024.

    Examples
    --------
    >>> choose_threads(3)
    3
    >>> choose_threads(10**6)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: jobs must be at most 1,024, not 1,000,000
    """
    if jobs is None:
        return cores()
    number = require_whole(jobs, "jobs", least=1)
    if number > MOST_THREADS:
        raise InvalidValueError(f"jobs must be at most {MOST_THREADS:,}, not {number:,}")
    return number
