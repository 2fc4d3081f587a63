"""Timing: rounds in which all points of one n take turns, the collector off."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

Found = TypeVar("Found")

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


def calibrate(search: Callable[[], Found]) -> tuple[float, int, Found]:
    """Warm up; return the seconds of one search, how many make a sample, and what the
    search returns.
    """
    start = perf_counter()
    found = search()
    seconds, loops = perf_counter() - start, 1
    while seconds < SHORTEST:
        loops *= max(2, min(10, int(SHORTEST / max(seconds, 1e-6)) + 1))
        seconds = sample(search, loops) * loops
    return seconds / loops, loops, found


def sample(search: Callable[[], object], loops: int) -> float:
    """Return the seconds that one of `loops` searches took."""
    start = perf_counter()
    for _ in range(loops):
        search()
    return (perf_counter() - start) / loops
