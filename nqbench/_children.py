"""Call functions in a child process, which can be killed at any time, and ends with its parent.

All child processes of nqbench are of this kind, except the workers of Dask, which watch their
parent themselves. A child does not receive Ctrl-C. It is limited to a share of the memory.
"""

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any, Self

from nqbench import errors
from nqbench._interrupts import delay_interrupts
from nqbench._text import describe_error, format_bytes
from nqbench.errors import LostError, NqbenchError, PluginError
from nqbench.plugins import blame

LONGEST = 1.0  # seconds between two checks, so that Ctrl-C works on every system
SHARE = 0.5  # of the machine's memory, that a child may take besides what Python takes at first
TIME, MEMORY = "timed out", "out of memory"  # as records say it


class StoppedError(NqbenchError, RuntimeError):
    """A call that was stopped, because it exceeded its time or its memory.

    Attributes
    ----------
    outcome
        TIME or MEMORY.
    seconds
        how long it had run.
    """

    status = 1

    def __init__(self, outcome: str, seconds: float) -> None:
        super().__init__(f"stopped after {seconds:.3g} s" if outcome == TIME else
                         f"stopped, as it needs more than {format_bytes(memory_allowed())} of "
                         "memory")
        self.outcome = outcome
        self.seconds = seconds


class Child:
    """A process that calls functions, one at a time; killed at the end of a with statement.

    Attributes
    ----------
    process
        the process.
    begun, allowed
        when the current call, or its current part, began (monotonic seconds), and the seconds that
        it may take.
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.allow(inf)
        self.pipe, its_end = context.Pipe()
        self.process = context.Process(target=_serve, args=(its_end,), daemon=True)
        try:
            with delay_interrupts(), _hide_main():
                self.process.start()
        except BaseException:
            self.kill()
            raise
        finally:
            its_end.close()

    def allow(self, seconds: float) -> None:
        """Allow a call, or the part of it that begins now, so many seconds."""
        self.begun, self.allowed = monotonic(), seconds

    def call(self, function: Callable[..., Any], *arguments: Any, seconds: float = inf,
             hear: Callable[[Any], object] = bool) -> Any:
        """Return `function(*arguments, tell)`, called in the process; `hear` gets what it tells,
        and may `allow` more.

        Raises
        ------
        StoppedError
            if the call takes more than `seconds`, or too much memory; the process is killed.
        LostError
            if the process ends.
        NqbenchError
            what the function raises; any other error of a plug-in is a PluginError.
        """
        self.allow(seconds)
        try:
            with suppress(OSError):  # the process ended; below it sends no answer
                self.pipe.send((function, arguments))
            while (answer := self._receive())[0] == "told":
                hear(answer[1])
        except BaseException:
            self.kill()
            raise
        kind, found = answer
        if kind in (TIME, MEMORY):
            self.kill()
            raise StoppedError(kind, self.allowed if kind == TIME else monotonic() - self.begun)
        if kind == "raised":
            error, text = found
            raise error(text)
        if kind == "bug":
            raise RuntimeError(f"in a child process:\n{found}")
        return found

    def _receive(self) -> tuple[str, Any]:
        """Return what the process sends next: what it tells, or the kind of its answer and more."""
        try:
            while not self.pipe.poll(max(0.0, min(LONGEST, self._left))):
                if self._left <= 0:
                    return TIME, None
            kind, found = self.pipe.recv()
        except (EOFError, OSError):
            self.kill()
            raise LostError(f"its process ended with status {self.process.exitcode}") from None
        except Exception as error:  # of a class that only the process knows, for example
            raise LostError("its process sent what cannot be read: "
                            f"{describe_error(error)}") from None
        return kind, found

    @property
    def _left(self) -> float:
        return self.begun + self.allowed - monotonic()

    @property
    def ended(self) -> bool:
        """Return whether it was killed, or ended; it answers no more."""
        return self.pipe.closed or not self.process.is_alive()

    def kill(self) -> None:
        """Kill the process and those that it started."""
        if self.pipe.closed:
            return
        self.pipe.close()
        if self.process.pid is not None:
            with suppress(AttributeError, ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
            self.process.join()

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


def memory_allowed() -> int:
    """Return the bytes of memory that a call in a child may take.

    >>> memory_allowed() > 10**8
    True
    """
    from psutil import virtual_memory

    total = virtual_memory().total
    with suppress(OSError, ValueError):  # of a container; "max" if there is no limit
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")))
    return int(SHARE * total)


def _limit_memory() -> None:
    """Let allocations beyond what is allowed fail, where the system has limits."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        from psutil import Process

        limit = Process().memory_info().vms + memory_allowed()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (
            limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def _serve(pipe: Connection) -> None:
    """Call functions until the parent has ended."""
    _end_with_parent()
    _limit_memory()
    with suppress(OSError):
        os.dup2(2, 1)  # a search may print; this is not data
    multiprocessing.current_process().daemon = False  # a search may start processes
    if hasattr(os, "register_at_fork"):  # a copy of this process must not answer
        os.register_at_fork(after_in_child=pipe.close)
    with suppress(EOFError, OSError):
        while True:
            function, arguments = pipe.recv()
            answer = _carry_out(function, arguments, lambda told: pipe.send(("told", told)))
            try:
                pipe.send(answer)
            except OSError:
                raise
            except Exception:  # it cannot be pickled
                pipe.send(("bug", traceback.format_exc()))
    os._exit(0)


def _carry_out(function: Callable[..., Any], arguments: tuple[Any, ...],
               tell: Callable[[Any], None]) -> tuple[str, Any]:
    """Return the answer: its kind, and what the function returns or why it does not."""
    try:
        return "done", function(*arguments, tell)
    except NqbenchError as error:  # of a class that the parent knows
        kind = next(each for each in type(error).__mro__ if each.__module__ == errors.__name__)
        return "raised", (kind, str(error))
    except MemoryError:
        return MEMORY, None
    except BaseException as error:  # whatever a plug-in raises
        fault = blame(error)
        return ("raised", (PluginError, fault)) if fault else ("bug", traceback.format_exc())


def _end_with_parent() -> None:
    """End this process, and those that it starts, with its parent, however that ends.

    A process of the same group watches the pipe that closes then: a search may hold the lock of
    Python for hours, so no thread could.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    if not hasattr(os, "fork"):  # Windows
        from threading import Thread

        def wait() -> None:
            parent.join()
            os._exit(1)

        Thread(target=wait, daemon=True).start()
        return
    os.setsid()
    group = os.getpid()
    if os.fork() == 0:
        try:
            os.dup2(parent.sentinel, 0)
            os.closerange(1, os.sysconf("SC_OPEN_MAX"))
            os.read(0, 1)  # nothing, once the parent has ended
        finally:
            os.killpg(group, signal.SIGKILL)
