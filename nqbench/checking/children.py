"""Check algorithms in a child process, which is killed when it takes too long."""

import json
from functools import partial
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from nqbench._children import Child, isolate
from nqbench.checking.examining import CHECKED, check
from nqbench.errors import InvalidValueError, NqbenchError
from nqbench.plugins import find_all


def check_in_child(notation: str, max_n: int | None, limit: float) -> list[dict[str, Any]]:
    """Return the findings about each algorithm that a notation names, see `Findings.as_dict`.

    If there is no `max_n`, totals of larger boards are checked as far as the limit allows. An
    algorithm that is not finished after `limit` seconds in all has a fault of kind "time".

    Raises
    ------
    InvalidValueError
        if there is no such algorithm, or if its file cannot be loaded.
    """
    found: list[dict[str, Any]] = []
    name, doing = notation, "while loading"
    end = monotonic() + limit
    with Child(_serve, notation, max_n, limit) as child:
        try:
            while True:
                child.wait(end - monotonic())
                message = json.loads(child.pipe.recv_bytes())
                if "error" in message:
                    raise InvalidValueError(message["error"])
                if "end" in message:
                    return found
                name, doing = message["name"], message.get("doing", "")
                if "found" in message:
                    found.append(message["found"])
        except TimeoutError:
            fault = f"it is not finished after {limit:g} s: it was stopped {doing}"
        except EOFError:
            child.process.join()
            fault = f"its process ended {doing}, with status {child.process.exitcode}"
    return [*found, _unfinished(name, fault)]


def _unfinished(name: str, text: str) -> dict[str, Any]:
    from nqbench.checking.findings import Fault, Findings

    return Findings(name, 0, faults=[Fault("time", text)]).as_dict()


def _serve(notation: str, max_n: int | None, limit: float, connection: Connection) -> None:
    """Check in a process group of its own, and send what is found."""
    isolate()
    end = monotonic() + limit

    def send(**message: Any) -> None:
        connection.send_bytes(json.dumps(message).encode())

    try:
        algorithms = [*find_all(notation, None)]
        for place, algorithm in enumerate(algorithms):
            tell = partial(_tell, send, algorithm.name)
            # Each takes the same part of what is left.
            seconds = (end - monotonic()) / (len(algorithms) - place) if max_n is None else 0.0
            found = check(algorithm, CHECKED if max_n is None else max_n, tell, seconds)
            send(name=algorithm.name, found=found.as_dict())
        send(end=True)
    except NqbenchError as error:
        send(error=str(error))


def _tell(send: Any, name: str, doing: str) -> None:
    send(name=name, doing=doing)
