"""Follow a search: read the placements that it yields, recount it from its events, and find where
it loses a solution.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import active_count
from traceback import extract_tb, format_list
from types import FrameType
from typing import Any

from nqbench.checking.findings import Fault, Findings
from nqbench.errors import describe_error
from nqbench.explain.trace import Event, Trace
from nqbench.explain.tree import Node
from nqbench.problems.instances import Board
from nqbench.problems.plugins.decorator import is_placement
from nqbench.problems.plugins.registry import home
from nqbench.search import tally
from nqbench.search.board import Columns, Square
from nqbench.search.tally import GaveUpError, Tally
from nqbench.util.text import format_seconds, plural

SHOWN_LINES = 3  # lines of a traceback
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
    except (Exception, SystemExit) as error:
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


def _describe_failure(algorithm: object, n: int, where: str, error: BaseException) -> Fault:
    """Return the fault of a search that raises, with the last lines of its own file."""
    own = [frame for frame in extract_tb(error.__traceback__)
           if frame.filename == home(algorithm) or not Path(frame.filename).is_relative_to(
               Path(__file__).parent.parent)]
    lines = [line.rstrip() for text in format_list(own[-SHOWN_LINES:])
             for line in text.splitlines()]
    line = f", line {own[-1].lineno}" if own else ""
    return Fault("raises", f"{where}{line}: {describe_error(error)}", n, lines=tuple(lines))


Tallied = Callable[[Tally], Iterable[Any]]  # a search with this tally
Loss = tuple[tuple[Square, ...] | None, str]  # the longest part of a solution that is a node; words
EXHAUSTED = ("call tally.exhausted(level) after the last candidate; `level` is the number of "
             "queens, not the row")


class UntestedError(Exception):
    """A node came without a test of its square."""

    def __init__(self, level: int) -> None:
        super().__init__(f"tally.node({level})")
        self.level = level


class CountingTrace(Trace):
    """A trace that counts nodes, dead ends and placements without a test independently.

    A node is closed when the next one is not below it; then it is a dead end if it has no child and
    is not a solution. A search that continues from earlier nodes cannot be recounted in this way.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n, self.take)
        self.placed = [1] + [0] * n
        self.dead = [0] * (n + 1)
        self.without_test = 0  # nodes whose square was given
        self.given_squares: set[Square] = set()
        self.tested: set[tuple[Square, ...]] = set()  # below which queens, and which square
        self.twice: tuple[Square, ...] = ()  # the first of these that was tested again
        self.out_of_order = False
        self._has_child = [False]  # of the open nodes, by level

    def take(self, event: Event) -> None:
        """Count an event."""
        if event.kind == "place":
            level = len(event.queens)
            self.placed[level] += 1
            self.without_test += event.square in self.given_squares
            self.close(level)
            self._has_child[-1:] = [True]
            self._has_child += [True] * (level - len(self._has_child)) + [False]
        elif event.kind in ("solution", "reached"):
            self._has_child[-1:] = [True]

    def close(self, level: int = 0) -> None:
        """Close the open nodes from a level on."""
        while len(self._has_child) > level:
            if not self._has_child.pop() and len(self._has_child) < self.n:
                self.dead[len(self._has_child)] += 1

    def test(self, row: int, column: int) -> None:
        self.given_squares.discard((row, column))
        super().test(row, column)
        test = *self._queens, (row, column)
        if test in self.tested:
            self.twice = self.twice or test
        self.tested.add(test)

    def given(self, row: int, column: int) -> None:
        self.given_squares.add((row, column))
        super().given(row, column)

    def node(self, level: int) -> None:
        if level and self._candidate is None:
            raise UntestedError(level)
        super().node(level)

    def again(self, level: int) -> None:
        self.out_of_order = True
        super().again(level)

    def child(self, level: int) -> None:
        self.out_of_order = True
        super().child(level)


def recount(run: Tallied, n: int, where: str, uncounted: Collection[str] = ()) -> Iterator[Fault]:
    """Yield the counters of a search on `n` levels that differ from its events, unless they are not
    counted; `where` names the board in words. Without tests, the events say nothing.
    """
    if "tests" in uncounted:
        return
    tally = CountingTrace(n)
    try:
        for _ in run(tally):
            pass
    except UntestedError as error:
        yield Fault(
            "counter", f"{where}: tally.node({error.level}) comes without tally.test or "
            "tally.given before it, so its placement is not known", n, error.level, "tests", 1, 0)
        return
    tally.close()
    yield from _find_difference("levels", "node", "placement", " accepted", n, where,
                                tally.placed, tally.levels)
    if not tally.out_of_order:
        if "dead_levels" not in uncounted:
            yield from _find_difference(
                "dead_levels", "dead end", "node", f" without a child; {EXHAUSTED}", n, where,
                tally.dead, tally.dead_levels)
        if tally.twice:
            *queens, (row, column) = tally.twice
            yield Fault("counter", f"{where}: below {Node(n, tuple(queens)).label}, row {row + 1}, "
                        f"column {column + 1} is tested twice; a test counts once", n, len(queens),
                        "tests", 1, 2)
    least = tally.nodes - 1 - tally.without_test
    if tally.tests and tally.tests < least:
        yield Fault("counter", f"{where}: tests is {tally.tests}, but {least} nodes were tested",
                    n, None, "tests", least, tally.tests)


def _find_difference(counter: str, noun: str, what: str, which: str, n: int, where: str,
                     expected: list[int], got: list[int]) -> Iterator[Fault]:
    """Yield the first level at which a counter differs from its recount."""
    for level, (right, wrong) in enumerate(zip(expected, got, strict=True)):
        if right != wrong:
            yield Fault("counter", f"{where}, level {level}: {counter} says {wrong} "
                        f"{plural(wrong, noun)}, but there {plural(right, 'is', 'are')} {right} "
                        f"{plural(right, what)}{which}", n, level, counter, right, wrong)
            return


class Pursuit(Trace):
    """A trace that keeps the largest part of some solutions that is a node."""

    def __init__(self, n: int, wanted: list[frozenset[Square]]) -> None:
        super().__init__(n, self.take)
        self.wanted = wanted
        self.deepest: tuple[Square, ...] = ()
        self.lost: Event | None = None  # the refusal below `deepest`

    def take(self, event: Event) -> None:
        """Look at an event."""
        squares = frozenset(event.queens)
        if event.kind == "place" and len(squares) > len(self.deepest) and any(
                squares <= wanted for wanted in self.wanted):
            self.deepest, self.lost = event.queens, None
        elif event.kind == "conflict" and event.queens == self.deepest and any(
                squares | {event.square} <= wanted for wanted in self.wanted):
            self.lost = event


def find_loss(run: Tallied, n: int, wanted: Iterable[Iterable[Square]],
              board: Board | None = None) -> Loss:
    """Return the longest part of missing solutions, given as their squares, that is a node of a
    search on `n` levels, and what happens there in words; None and no words if the search cannot be
    followed.
    """
    pursuit = Pursuit(n, list(map(frozenset, wanted)))
    try:
        for _ in run(pursuit):
            pass
    except AssertionError:  # a queen that was not tested: another fault
        return None, ""
    found = pursuit.deepest
    label = (Node(n, found) if board is None else Node(board.n, found, given=board.placed)).label
    below = f"below {label}, " + (f"at level {len(found)}, " if board is None else "")
    if len(found) == n:
        return found, (f"{label} is a node, but it is not yielded" if board is None else
                       f"{below}nothing is yielded")
    if pursuit.lost is None or pursuit.lost.square is None:
        return found, f"{below}its next queen is not tried"
    row, column = pursuit.lost.square
    rule = f" by the rule {pursuit.lost.rule}" * bool(pursuit.lost.rule)
    return found, f"{below}row {row + 1}, column {column + 1} is refused{rule}"
