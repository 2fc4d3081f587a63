"""Read what a search yields: placements of the right shape, or the fault that ends the check."""

from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb, format_list
from typing import Any

from nqbench._text import describe_error
from nqbench.board import Columns
from nqbench.checking.findings import Fault
from nqbench.plugins.decorating import is_placement
from nqbench.plugins.registering import home
from nqbench.tally import GaveUpError

SHOWN = 3  # lines of a traceback


class StopError(Exception):
    """A fault after which nothing else can be checked."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


def read(answers: Iterable[Any], algorithm: object, n: int, where: str,
         partial_ones: bool = False) -> list[Columns]:
    """Check the shape of what the search of an algorithm yields, and return it; only its first part
    if the search gives up.

    Raises
    ------
    StopError
        if it raises, or yields something else; `where` says in words on which board.
    """
    reached: list[Columns] = []
    last: tuple[Any, Columns] | None = None  # as it was yielded, and a copy

    def require_unchanged() -> None:
        if last is not None and tuple(last[0]) != last[1]:
            raise StopError(Fault(
                "shape", f"{where}: it changes the list {list(last[1])} after yielding it; yield "
                "tuple(columns) instead", n, placement=last[1]))

    try:
        for answer in answers:
            require_unchanged()
            if not is_placement(answer, n, partial_ones):
                raise StopError(Fault(
                    "shape", f"{where}: it yields {answer!r}, not a tuple of {n} columns from 0 to "
                    f"{n - 1}", n))
            last = answer, tuple(answer)
            reached.append(last[1])
        require_unchanged()
    except (StopError, GaveUpError):
        raise
    except Exception as error:
        raise StopError(_describe_failure(algorithm, n, where, error)) from error
    if n and last is not None and not isinstance(last[0], tuple):  # an empty list never changes
        raise StopError(Fault(
            "shape", f"{where}: it yields a {type(last[0]).__name__}, {last[0]!r}; yield "
            "tuple(columns) instead", n, placement=last[1]))
    return reached


def _describe_failure(algorithm: object, n: int, where: str, error: Exception) -> Fault:
    """Return the fault of a search that raises, with the last lines of its own file."""
    own = [frame for frame in extract_tb(error.__traceback__)
           if frame.filename == home(algorithm) or not Path(frame.filename).is_relative_to(
               Path(__file__).parent.parent)]
    lines = [line.rstrip() for text in format_list(own[-SHOWN:]) for line in text.splitlines()]
    line = f", line {own[-1].lineno}" if own else ""
    return Fault("raises", f"{where}{line}: {describe_error(error)}", n, lines=tuple(lines))
