"""Timing: rounds in which all points of one n take turns, the collector off."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

SHORTEST = 0.005  # seconds: a sample repeats its search until it lasts so long


@contextmanager
def quiet() -> Iterator[None]:
    """Collect garbage, then keep the collector off while measuring."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def calibrate(search: Callable[[], object]) -> tuple[float, int]:
    """Warm up; return the seconds of one search, and how many make a sample.

    >>> from time import sleep
    >>> calibrate(lambda: sleep(SHORTEST))[1]
    1
    """
    loops = 1
    while True:
        seconds = sample(search, loops) * loops
        if seconds >= SHORTEST:
            return seconds / loops, loops
        loops *= max(2, min(10, int(SHORTEST / max(seconds, 1e-6)) + 1))


def sample(search: Callable[[], object], loops: int) -> float:
    """Return the seconds that one of `loops` searches took."""
    start = perf_counter()
    for _ in range(loops):
        search()
    return (perf_counter() - start) / loops
