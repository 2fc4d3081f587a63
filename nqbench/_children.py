"""Run a function in a child process, which can be killed at any time."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import ModuleType
from typing import Self

from nqbench._interrupts import delay_interrupts

LONGEST = 1.0  # seconds between two checks, so that Ctrl-C works on every system


class Child:
    """A process that runs `serve(*args, connection)`, killed at the end of a with statement.

    Attributes
    ----------
    pipe
        our end of the connection.
    process
        the process.
    """

    def __init__(self, serve: Callable[..., object], *args: object) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, its_end = context.Pipe()
        self.process = context.Process(target=serve, args=(*args, its_end), daemon=True)
        with delay_interrupts(), _hide_main():
            self.process.start()
        its_end.close()

    def wait(self, seconds: float) -> None:
        """Wait until the process has sent something, or has ended.

        Raises
        ------
        TimeoutError
            if it has done neither after `seconds`.
        """
        end = monotonic() + seconds
        while not self.pipe.poll(max(0.0, min(LONGEST, end - monotonic()))):
            if monotonic() >= end:
                raise TimeoutError

    def kill(self) -> None:
        """Kill the process and, if it called `isolate`, the processes that it started."""
        if self.process.is_alive():
            assert self.process.pid is not None
            with suppress(AttributeError, ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.join()
        self.pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill()


@contextmanager
def _hide_main() -> Iterator[None]:
    """Prevent processes that are started here from running the user's script again."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def isolate() -> None:
    """Put this child into a new process group. Its searches may print; this is not data."""
    with suppress(AttributeError, OSError):
        os.setsid()
    os.dup2(2, 1)
