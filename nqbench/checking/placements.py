"""Read what a search yields: placements of the right shape, or the fault that ends the check."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import active_count
from traceback import extract_tb, format_list
from types import FrameType
from typing import Any

from nqbench.checking.findings import Fault, Findings
from nqbench.problems.plugins.decorator import is_placement
from nqbench.problems.plugins.registry import home
from nqbench.search import tally
from nqbench.search.board import Columns
from nqbench.search.tally import GaveUpError, Tally
from nqbench.util.text import describe_error, format_seconds

SHOWN = 3  # lines of a traceback
TRACED = (4, 5, 6)  # queens: larger boards take too long line by line; on smaller ones, a search
                    # may load what it needs
OUTLIVES = "something outlives a search, such as a cache or a global list"
# Lines, or processor seconds, of a first search or call, of which a second may not save most. Those
# of the catalogue run at least 94 % of the lines again.
FEWEST, MOMENT = 300, 0.02
SAVED = 10  # times faster


class StopError(Exception):
    """A fault after which nothing else can be checked."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


def describe_saving(lines: Sequence[int], seconds: Sequence[float] = (0.0, 0.0),
                    what: str = "search") -> str:
    """Return in words how much less a second search does than the first one, given the lines of
    Python and the processor seconds of both; empty if it does not save most.

    >>> describe_saving([1000, 900], [0.5, 0.01]).partition(";")[0]
    'a second search takes 10 ms, the first 500 ms'
    """
    if lines[0] > FEWEST and lines[1] < lines[0] / 2:
        less = f"runs {lines[1]:,} lines of Python, the first {lines[0]:,}"
    elif seconds[0] > MOMENT and seconds[1] < seconds[0] / SAVED:
        less = f"takes {format_seconds(seconds[1])}, the first {format_seconds(seconds[0])}"
    else:
        return ""
    return f"a second {what} {less}; {OUTLIVES}, so a study times less than a search"


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


def read_twice(run: Callable[[Tally], Iterable[Any]], make_tally: Callable[[], Tally],
               algorithm: object, n: int, where: str, findings: Findings,
               partial_ones: bool = False) -> tuple[list[Columns], Tally]:
    """Search twice, and return the answers and the counters of the first search; see `read`. Warn
    if the second one runs less than half of the lines, or if a thread is left running.

    Raises
    ------
    StopError
        if the second search reaches or counts something else.
    """
    tallies = make_tally(), make_tally()
    found, lines, threads = [], [], active_count()
    for counted in tallies:
        with count_lines(n in TRACED) as ran:
            found.append(read(run(counted), algorithm, n, where, partial_ones))
        counted.require_end()
        lines.append(len(ran))
    different = [f"reaches {len(found[1])} placements, the first {len(found[0])}"] * (
        len(found[0]) != len(found[1])) + ["reaches other placements"] * (found[0] != found[1])
    first, second = (counted.counters() for counted in tallies)
    different += [f"says {name} = {second[name]}, the first {first[name]}"
                  for name in first if first[name] != second[name]]
    if different:
        raise StopError(Fault("state", f"{where}: a second search {different[0]}; {OUTLIVES}", n))
    saving = describe_saving(lines)
    if saving and not findings.warnings:
        findings.warnings.append(f"{where}: {saving}")
    if active_count() > threads and not findings.warnings:
        findings.warnings.append(
            f"{where}: a thread is alive after the search; it may do work that a study does not "
            "time")
    return found[0], tallies[0]


@contextmanager
def count_lines(wanted: bool) -> Iterator[list[None]]:
    """Collect an entry for each line of Python that runs, if `wanted`, without those that count:
    what is timed does not run them.
    """
    ran: list[None] = []

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename == tally.__file__:
            del ran[-1:]  # the line that calls it
            return None
        if event == "line":
            ran.append(None)
        return trace

    before = sys.gettrace()
    if wanted:
        sys.settrace(trace)
    try:
        yield ran
    finally:
        sys.settrace(before)


def _describe_failure(algorithm: object, n: int, where: str, error: Exception) -> Fault:
    """Return the fault of a search that raises, with the last lines of its own file."""
    own = [frame for frame in extract_tb(error.__traceback__)
           if frame.filename == home(algorithm) or not Path(frame.filename).is_relative_to(
               Path(__file__).parent.parent)]
    lines = [line.rstrip() for text in format_list(own[-SHOWN:]) for line in text.splitlines()]
    line = f", line {own[-1].lineno}" if own else ""
    return Fault("raises", f"{where}{line}: {describe_error(error)}", n, lines=tuple(lines))
