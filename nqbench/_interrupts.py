"""Make Ctrl-C and SIGTERM responsive in compiled code and child processes."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import TypeVar

Found = TypeVar("Found")

REPEAT = 1.0  # seconds: timeout(1) sends the signal twice, to the process and to its group


class _Termination:
    """When the process was asked to terminate, and whether that must wait."""

    last: float | None = None
    waits = False
    missed = False


def handle_termination() -> None:
    """Raise KeyboardInterrupt at SIGTERM, as Python does at Ctrl-C.

    Call it in the main thread. A SIGTERM that is ignored, or has a handler, stays so.

    >>> handle_termination()
    >>> exit_status()  # nothing was received
    130
    """
    if current_thread() is main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)


def _terminate(number: int, frame: FrameType | None) -> None:
    now = monotonic()
    repeated = _Termination.last is not None and now - _Termination.last < REPEAT
    _Termination.last = now
    if _Termination.waits:
        _Termination.missed = True
    elif not repeated:  # one more would interrupt the cleaning up
        raise KeyboardInterrupt


def exit_status() -> int:
    """Return the exit status of an interrupted command: 128 and the number of the signal, which is
    130 for Ctrl-C and 143 for SIGTERM.
    """
    received = signal.SIGINT if _Termination.last is None else signal.SIGTERM
    return 128 + received


def interruptible(work: Callable[[bytearray], Found]) -> Found:
    """Return what `work` returns; run it in a thread and set stop[0] at an interrupt, after which
    `work` must end soon. So an interrupt stops compiled code too.

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
def delay_interrupts() -> Iterator[None]:
    """Delay interrupts until the block ends, and hide Ctrl-C from processes started in it.

    SIGTERM still ends these processes: whoever kills them must succeed.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # when started later, it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    _Termination.waits = True
    try:
        yield
    finally:
        _Termination.waits = False
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if _Termination.missed:
            _Termination.missed = False
            raise KeyboardInterrupt
