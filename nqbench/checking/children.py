"""Check algorithms in a child process, which is killed when it takes too long."""

import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from time import monotonic
from types import ModuleType
from typing import Any

from nqbench._interrupts import delay_interrupts
from nqbench.checking.examining import check
from nqbench.errors import InvalidValueError, NqbenchError
from nqbench.plugins import find_all

LONGEST = 1.0  # seconds between two looks, so that Ctrl-C is heard on every system


def check_in_child(notation: str, max_n: int, limit: float) -> list[dict[str, Any]]:
    """Return what a check finds in each algorithm that a notation names, see `Findings.as_dict`.

    An algorithm that is not finished after `limit` seconds in all has a fault of kind "time".

    Raises
    ------
    InvalidValueError
        if there is no such algorithm, or if its file cannot be loaded.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(notation, max_n, theirs), daemon=True)
    with delay_interrupts(), hide_main():
        process.start()
    theirs.close()
    found: list[dict[str, Any]] = []
    name, doing = notation, "while loading"
    end = monotonic() + limit
    try:
        while True:
            if not ours.poll(max(0.0, min(LONGEST, end - monotonic()))):
                if monotonic() < end:
                    continue
                return [*found, _unfinished(name, f"it is not finished after {limit:g} s: it was "
                                            f"stopped {doing}")]
            try:
                message = json.loads(ours.recv_bytes())
            except EOFError:
                process.join()
                return [*found, _unfinished(
                    name, f"its process ended {doing}, with status {process.exitcode}")]
            if "error" in message:
                raise InvalidValueError(message["error"])
            if "end" in message:
                return found
            name, doing = message["name"], message.get("doing", "")
            if "found" in message:
                found.append(message["found"])
    finally:
        kill(process)


@contextmanager
def hide_main() -> Iterator[None]:
    """Keep processes that are started here from running the user's script once more."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _unfinished(name: str, text: str) -> dict[str, Any]:
    from nqbench.checking.findings import Fault, Findings

    return Findings(name, 0, faults=[Fault("time", text)]).as_dict()


def kill(process: Any) -> None:
    """Kill a child and what it started."""
    if process.is_alive():
        with suppress(AttributeError, ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
    process.join()


def isolate() -> None:
    """Make this child a process group of its own, whose searches may print: that is no data."""
    with suppress(AttributeError, OSError):
        os.setsid()
    os.dup2(2, 1)


def _serve(notation: str, max_n: int, connection: Connection) -> None:
    """Check in a process group of its own, and send what is found."""
    isolate()

    def send(**message: Any) -> None:
        connection.send_bytes(json.dumps(message).encode())

    try:
        for algorithm in find_all(notation):
            tell = partial(_tell, send, algorithm.name)
            send(name=algorithm.name, found=check(algorithm, max_n, tell).as_dict())
        send(end=True)
    except NqbenchError as error:
        send(error=str(error))


def _tell(send: Any, name: str, doing: str) -> None:
    send(name=name, doing=doing)
