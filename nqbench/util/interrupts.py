"""Make Ctrl-C, SIGTERM and SIGHUP responsive in compiled code and child processes."""

import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import TypeVar

Result = TypeVar("Result")

REPEAT = 1.0  # seconds; timeout(1) sends the signal twice, to the process and to its group


class _Termination:
    """The last SIGTERM or SIGHUP and its time, whether interrupts are delayed, and whether one came
    meanwhile.
    """

    number: int = signal.SIGINT
    received: float | None = None  # monotonic seconds
    delayed = False
    pending = False


def handle_termination() -> None:
    """Raise KeyboardInterrupt at SIGTERM and SIGHUP, as Python does at Ctrl-C, and do not ignore
    SIGCHLD, as the system keeps no status of a child for a process that does.

    Call it in the main thread. It changes nothing for the first two if one is ignored or has a
    handler.

    >>> handle_termination()
    >>> exit_status()  # nothing was received
    130
    """
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        number = getattr(signal, name, None)
        if (number is not None and current_thread() is main_thread()
                and signal.getsignal(number) == signal.SIG_DFL):
            signal.signal(number, _terminate)
    if hasattr(signal, "SIGCHLD") and current_thread() is main_thread():
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _terminate(number: int, frame: FrameType | None) -> None:
    now = monotonic()
    repeated = _Termination.received is not None and now - _Termination.received < REPEAT
    _Termination.number, _Termination.received = number, now
    if _Termination.delayed:
        _Termination.pending = True
    elif not repeated:  # a second interrupt would stop the cleanup
        raise KeyboardInterrupt


def exit_status() -> int:
    """Return the exit status of an interrupted command: 130 for Ctrl-C, 143 for SIGTERM and 129 for
    SIGHUP.
    """
    return 128 + _Termination.number


def ignore_repeated() -> None:
    """Ignore a received SIGTERM or SIGHUP that comes again while the interpreter ends, where it
    would change the exit status.
    """
    if _Termination.received is not None:
        signal.signal(_Termination.number, signal.SIG_IGN)


def interruptible(work: Callable[[bytearray], Result]) -> Result:
    """Run `work` in a thread and return its result, so that an interrupt stops compiled code too.

    An interrupt sets stop[0]; `work` must end soon after that.

    >>> interruptible(lambda stop: len(stop))
    1
    """
    from nqbench.util.cores import in_threads

    with closing(in_threads(lambda _, stop: work(stop), [0], jobs=1)) as found:
        return next(found)


@contextmanager
def delay_interrupts() -> Iterator[None]:
    """Delay interrupts until the block ends, and hide Ctrl-C from processes started in it.

    SIGTERM and SIGHUP still end these processes.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # if it started later, it would accept Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    _Termination.delayed = True
    handler = signal.getsignal(signal.SIGINT)
    # Another thread may receive Ctrl-C, and the main thread would handle it.
    changed = current_thread() is main_thread() and callable(handler)
    if changed:
        signal.signal(signal.SIGINT, _delay)
    try:
        yield
    finally:
        _Termination.delayed = False
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if changed:
            signal.signal(signal.SIGINT, handler)
        if _Termination.pending:
            _Termination.pending = False
            raise KeyboardInterrupt


def _delay(number: int, frame: FrameType | None) -> None:
    _Termination.pending = True
