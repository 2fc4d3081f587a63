"""Ctrl-C where Python alone would be too slow for it, or too far."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Found = TypeVar("Found")


def interruptible(work: Callable[[bytearray], Found]) -> Found:
    """Return what `work` returns, which runs in a thread and ends soon after stop[0] is set: so
    Ctrl-C stops compiled code too.

    >>> interruptible(lambda stop: len(stop))
    1
    """
    stop = bytearray(1)
    with ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(work, stop).result()
        finally:
            stop[0] = 1


@contextmanager
def withheld() -> Iterator[None]:
    """Processes that are started within never see Ctrl-C; this process sees it a moment later."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # when started later, it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
