"""Call functions in a child process, which can be killed at any time, and ends with its parent.

All child processes of nqbench are of this kind, except the workers of Dask, which watch their
parent themselves. A child does not receive Ctrl-C. `nqbench.problems.plugins.limits` says what it
may take.

What a child is asked is a pickle, which the parent made. What it answers is JSON, as an external
algorithm may write anything to the pipe: numbers, texts, lists, objects, and dataclasses as
objects. The caller makes other types of that.

Where processes can be forked, a child is a supervisor and the process that calls the functions. The
supervisor kills that process, and all that it started, when the pipe to the parent is closed or
when these are too many, and ends as that process ended. On Linux this includes processes that left
its session or whose own parent ended; on other systems those survive.
"""

import errno
import gc
import json
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import partial
from math import inf
from multiprocessing.connection import Connection
from operator import index
from threading import Thread
from time import monotonic
from types import ModuleType
from typing import Any, NoReturn, cast

from nqbench import errors
from nqbench.errors import LostError, NqbenchError, PluginError, describe_error
from nqbench.problems.plugins import blame
from nqbench.problems.plugins.limits import (
    ENDED,
    FILE,
    FORKS,
    MEMORY,
    STOPPED,
    TIME,
    Limits,
    ProcessTree,
)
from nqbench.problems.plugins.registry import describe_failure
from nqbench.util.files import occupy_streams
from nqbench.util.interrupts import delay_interrupts

START = "spawn"  # how processes start: each with a memory layout of its own
LONGEST_WAIT = 1.0  # seconds between two checks, so that Ctrl-C works on every system
GRACE = 5.0  # seconds in which a supervisor has killed all that it watches
LOOK_SECONDS = 0.2  # between two looks of a supervisor at how many processes there are
LARGEST_ANSWER = 1 << 26  # bytes of an answer
HEADER = 4  # bytes of the length before an answer, in network order
NO_MEMORY_ANSWER = json.dumps([MEMORY, None]).encode()
SPARE = 1 << 20  # bytes that a child frees, so that there is room for this answer
# The errors that a child may raise in its parent.
ERRORS: dict[str, type[NqbenchError]] = {
    name: each for name, each in vars(errors).items()
    if isinstance(each, type) and issubclass(each, NqbenchError)}
# What JSON of another form than that of an answer raises.
UNREADABLE = AttributeError, LookupError, RecursionError, TypeError, ValueError
SAFE_PATH = "PYTHONSAFEPATH"  # of the environment
DIE_WITH_PARENT, ADOPT = 1, 36  # options of prctl(2): PDEATHSIG and CHILD_SUBREAPER


class StoppedError(LostError):
    """A call without an answer, because it exceeded its time or another limit, or ended its
    process.

    Attributes
    ----------
    outcome
        one of `nqbench.problems.plugins.limits.STOPPED`, or ENDED.
    seconds
        how long it had run.
    """

    def __init__(self, outcome: str, seconds: float, why: str = "") -> None:
        super().__init__(why or f"stopped after {seconds:.3g} s")
        self.outcome = outcome
        self.seconds = seconds


class Child(AbstractContextManager["Child"]):
    """A process that calls functions, one at a time; killed at the end of a with statement.

    Attributes
    ----------
    process
        the process, or its supervisor.
    begun, allowed
        when the current call, or its current part, began (monotonic seconds), and the seconds that
        it may take.
    limits
        what else it may take.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        context = multiprocessing.get_context(START)
        occupy_streams()
        self.allow(inf)
        self.pipe, its_end = context.Pipe()
        self.process = cast(Any, context).Process(target=_serve, daemon=True, args=(
            its_end, os.environ.get(SAFE_PATH), self.limits))
        try:
            with _hidden(), delay_interrupts():
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
             hear: Callable[[Any], object] = bool,
             read: Callable[[Any], Any] = lambda found: found) -> Any:
        """Return `function(*arguments, tell)`, called in the process; `hear` gets what it tells,
        and may `allow` more. `read` makes of its JSON what is returned.

        Raises
        ------
        StoppedError
            if the call takes more than `seconds`, or than its limits, if the process ends, or if it
            sends anything else than an answer; the process is killed.
        NqbenchError
            what the function raises; any other error of a plug-in is a PluginError.
        """
        self.allow(seconds)
        try:
            with suppress(OSError):  # the process ended; below it sends no answer
                self.pipe.send((function, arguments))
            kind, found = self._receive()
            while kind == "told":
                hear(found)
                kind, found = self._receive()
            if kind == "done":
                return read(found)
            if kind in STOPPED:
                raise StoppedError(kind, self._taken, self.limits.explain(kind))
            error = RuntimeError(f"in a child process:\n{found}") if kind == "bug" else (
                ERRORS[found[0]](str(found[1])))
        except BaseException as fault:
            self.kill()
            if isinstance(fault, UNREADABLE) and not isinstance(fault, NqbenchError):
                raise StoppedError(ENDED, self._taken, "its process sent what cannot be read: "
                                   f"{describe_error(fault)}") from None
            raise
        raise error

    def _receive(self) -> tuple[str, Any]:
        """Return what the process sends next: what it tells, or the kind of its answer and more."""
        try:
            kind, found = json.loads(self._read())
        except TimeoutError:
            raise StoppedError(TIME, self.allowed) from None
        except (EOFError, OSError):
            self.kill()
            raise StoppedError(ENDED, self._taken, "its process "
                               f"{describe_end(self.process.exitcode or 0)}") from None
        return str(kind), found

    def _read(self) -> bytes:
        """Return the bytes of an answer; raise TimeoutError if they are not here in time."""
        if not hasattr(os, "fork"):  # Windows has messages
            self._wait()
            return self.pipe.recv_bytes(LARGEST_ANSWER)
        size = int.from_bytes(self._read_exactly(HEADER))
        return self._read_exactly(size) if size <= LARGEST_ANSWER else b""

    def _read_exactly(self, size: int) -> bytes:
        found = bytearray()
        while len(found) < size:
            self._wait()
            piece = os.read(self.pipe.fileno(), size - len(found))
            if not piece:
                raise EOFError
            found += piece
        return bytes(found)

    def _wait(self) -> None:
        """Wait until there is something to read."""
        while not self.pipe.poll(max(0.0, min(LONGEST_WAIT, self.allowed - self._taken))):
            if self._taken >= self.allowed:
                raise TimeoutError
            if not self.process.is_alive() and not self.pipe.poll():  # its end is inherited
                raise EOFError

    @property
    def _taken(self) -> float:
        return monotonic() - self.begun

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
            if hasattr(os, "fork"):
                self.process.join(GRACE)  # the supervisor sees that the pipe is closed
            self.process.kill()
            self.process.join()

    def __exit__(self, *exception: object) -> None:
        self.kill()


@contextmanager
def _hidden() -> Iterator[None]:
    """Keep processes that are started here from running the user's script again, and from importing
    files of the working folder, such as a `select.py` of the user, in place of modules of Python.
    """
    main, before = sys.modules["__main__"], os.environ.get(SAFE_PATH)
    sys.modules["__main__"], os.environ[SAFE_PATH] = ModuleType("__main__"), "1"
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        _restore_path(before)


def _restore_path(before: str | None) -> None:
    if before is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = before


def describe_end(code: int) -> str:
    """Return how a process ended.

    >>> describe_end(3), describe_end(-9)
    ('ended with status 3', 'was killed by SIGKILL')
    """
    if code < 0:
        with suppress(ValueError):  # a number without a name
            return f"was killed by {signal.Signals(-code).name}"
    return f"ended with status {code}"


def _serve(pipe: Connection, safe_path: str | None, limits: Limits) -> None:
    """Call functions until the parent has closed the pipe."""
    _restore_path(safe_path)
    _end_with_parent(pipe, limits.processes)
    limits.apply()
    gc.freeze()  # a collection before each measurement need not scan what is imported
    with suppress(OSError):
        os.dup2(2, 1)  # a search may print; this is not data
    multiprocessing.current_process().daemon = False  # a search may start processes
    if hasattr(os, "register_at_fork"):  # a copy of this process must not answer
        os.register_at_fork(after_in_child=pipe.close)
    spare = [bytes(SPARE)]
    with suppress(EOFError, OSError):
        try:
            while True:
                _answer(pipe)
        except MemoryError:
            spare.clear()
            pipe.send_bytes(NO_MEMORY_ANSWER)
    os._exit(0)


def _send(pipe: Connection, kind: str, found: object) -> None:
    """Send what a function tells or answers, as JSON."""
    pipe.send_bytes(json.dumps([kind, found], default=_plain).encode())


def _plain(value: Any) -> object:
    """Return a dataclass as its fields, and a number of another class as one of Python."""
    if is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    with suppress(TypeError):
        return index(value)
    return float(value)


def _answer(pipe: Connection) -> None:
    """Receive a call, carry it out, and send its answer: its kind, and what the function returns or
    why it does not.
    """
    function, arguments = pipe.recv()
    try:
        _send(pipe, "done", function(*arguments, partial(_send, pipe, "told")))
    except MemoryError:
        raise
    except BaseException as error:  # whatever a plug-in raises
        if _is_too_large(error):
            _send(pipe, FILE, None)
        elif isinstance(error, NqbenchError):  # of a class that the parent knows
            kind = next(each for each in type(error).__mro__ if each.__name__ in ERRORS)
            _send(pipe, "raised", (kind.__name__, str(error)))
        elif fault := blame(error) or (isinstance(error, KeyboardInterrupt)  # Ctrl-C is hidden
                                       and describe_failure(error)):
            _send(pipe, "raised", (PluginError.__name__, fault))
        else:
            _send(pipe, "bug", traceback.format_exc())


def _is_too_large(error: BaseException | None) -> bool:
    """Return whether an error, or one behind it, is that of a file that exceeded its limit."""
    return error is not None and (getattr(error, "errno", None) == errno.EFBIG
                                  or _is_too_large(error.__cause__ or error.__context__))


def _end_with_parent(pipe: Connection, most: int) -> None:
    """End this process, and those that it starts, with its parent, however that ends, or once the
    parent has closed the pipe, or once there are more than `most` of them.

    Another process watches the pipe: a search may hold the lock of Python for hours, so no thread
    could. This function returns in a copy of the process; the original watches.
    """
    if not hasattr(os, "fork"):  # Windows
        parent = multiprocessing.parent_process()
        assert parent is not None

        def wait() -> None:
            parent.join()
            os._exit(1)

        Thread(target=wait, daemon=True).start()
        return
    os.setsid()
    _control(ADOPT, 1)()
    serving = os.fork()
    with suppress(OSError):  # the other of the two has done it
        os.setpgid(serving, serving)
    if serving == 0:
        _control(DIE_WITH_PARENT, signal.SIGKILL)()
    else:
        _supervise(serving, pipe, most)


def _control(option: int, value: int) -> Callable[[], object]:
    """Return a call of prctl(2), which only Linux has. A new process of this one may make it, as
    that imports nothing.
    """
    if sys.platform != "linux":
        return lambda: None
    import ctypes

    return partial(ctypes.CDLL(None).prctl, option, value, 0, 0, 0)


def die_with_parent() -> Callable[[], object] | None:
    """Return what a process must call first that is to end with this one; None where a supervisor
    ends it, or nothing can.
    """
    if sys.platform != "linux" or multiprocessing.parent_process():
        return None
    return _control(DIE_WITH_PARENT, signal.SIGKILL)


def _supervise(serving: int, pipe: Connection, most: int) -> NoReturn:
    """Wait for a process, kill it when the pipe is closed, or when it has started more than `most`
    others, then kill all that it started, and end as it ended.
    """
    import resource
    import select

    from psutil import NoSuchProcess, Process

    too_many = False

    def watch() -> None:
        nonlocal too_many
        watched, tree = select.poll(), ProcessTree()
        watched.register(pipe, 0)  # of its closing alone
        while not (watched.poll(1000 * LOOK_SECONDS) or too_many):
            too_many = tree.exceeds(most)
        with suppress(ProcessLookupError):
            os.kill(serving, signal.SIGKILL)

    code = 1
    try:
        Thread(target=watch, daemon=True).start()
        while (ended := os.wait())[0] != serving:
            pass
        code = os.waitstatus_to_exitcode(ended[1])
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(serving, signal.SIGKILL)
        with suppress(ChildProcessError):  # until there are none
            while True:
                for each in Process().children(recursive=True):
                    with suppress(NoSuchProcess):
                        each.kill()
                os.wait()
        if too_many:
            with suppress(OSError):
                _send(pipe, FORKS, None)
        if code < 0:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            with suppress(OSError):  # SIGKILL has no handler
                signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
    finally:
        os._exit(code % 256)
