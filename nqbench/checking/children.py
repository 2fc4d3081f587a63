"""Check algorithms in a child process, which is killed when it takes too long."""

from functools import partial
from time import monotonic
from typing import Any

from nqbench._children import MEMORY, TIME, Child, StoppedError
from nqbench.checking.examining import CHECKED, check
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

    def hear(told: tuple[str, Any]) -> None:
        nonlocal name, doing
        name, said = told
        if isinstance(said, str):
            doing = said
        else:
            found.append(said)

    try:
        with Child() as child:
            child.call(_check, notation, max_n, limit, seconds=limit, hear=hear)
        return found
    except StoppedError as error:
        fault = (f"it is not finished after {limit:g} s: it was stopped {doing}"
                 if error.outcome == TIME else f"it was {error}, {doing}"
                 if error.outcome == MEMORY else f"{error} {doing}")
    return [*found, _unfinished(name, fault)]


def _unfinished(name: str, text: str) -> dict[str, Any]:
    from nqbench.checking.findings import Fault, Findings

    return Findings(name, 0, faults=[Fault("time", text)]).as_dict()


def _check(notation: str, max_n: int | None, limit: float, tell: Any) -> None:
    """Check, and tell what is done and found."""
    end = monotonic() + limit
    algorithms = [*find_all(notation, None)]
    for place, algorithm in enumerate(algorithms):
        # Each takes the same part of what is left.
        seconds = (end - monotonic()) / (len(algorithms) - place) if max_n is None else 0.0
        found = check(algorithm, CHECKED if max_n is None else max_n,
                      partial(_tell, tell, algorithm.name), seconds)
        tell((algorithm.name, found.as_dict()))


def _tell(tell: Any, name: str, doing: str) -> None:
    tell((name, doing))
