"""Recount a search from its events, and follow a missing solution into its tree."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from nqbench.checking.findings import Fault
from nqbench.explain.trace import Event, Trace
from nqbench.explain.tree import Node
from nqbench.problems.instances import Board
from nqbench.search.board import Square
from nqbench.search.tally import Tally

Run = Callable[[Tally], Iterable[Any]]  # a search with this tally
Loss = tuple[tuple[Square, ...] | None, str]  # the longest part of a solution that is a node; words
EXHAUSTED = ("call tally.exhausted(level) after the last candidate; `level` is the number of "
             "queens, not the row")


class UntestedError(Exception):
    """A node came without a test of its square."""

    def __init__(self, level: int) -> None:
        super().__init__(f"tally.node({level})")
        self.level = level


class Recount(Trace):
    """A trace that counts nodes, dead ends and placements without a test independently.

    A node is closed when the next one is not below it; then it is a dead end if it has no child and
    is not a solution. A search that continues from earlier nodes cannot be recounted in this way.
    """

    __slots__ = ("_has_child", "dead", "given_squares", "out_of_order", "placed", "tested", "twice",
                 "without_test")

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


def recount(run: Run, n: int, where: str, uncounted: Collection[str] = ()) -> Iterator[Fault]:
    """Yield the counters of a search on `n` levels that differ from its events, unless they are not
    counted; `where` names the board in words. Without tests, the events say nothing.
    """
    if "tests" in uncounted:
        return
    tally = Recount(n)
    try:
        for _ in run(tally):
            pass
    except UntestedError as error:
        yield Fault(
            "counter", f"{where}: tally.node({error.level}) comes without tally.test or "
            "tally.given before it, so its placement is not known", n, error.level, "tests", 1, 0)
        return
    tally.close()
    yield from _compare("levels", "node", "placement", " accepted", n, where, tally.placed,
                        tally.levels)
    if not tally.out_of_order:
        if "dead_levels" not in uncounted:
            yield from _compare("dead_levels", "dead end", "node",
                                f" without a child; {EXHAUSTED}", n, where, tally.dead,
                                tally.dead_levels)
        if tally.twice:
            *queens, (row, column) = tally.twice
            yield Fault("counter", f"{where}: below {Node(n, tuple(queens)).label}, row {row + 1}, "
                        f"column {column + 1} is tested twice; a test counts once", n, len(queens),
                        "tests", 1, 2)
    least = tally.nodes - 1 - tally.without_test
    if tally.tests and tally.tests < least:
        yield Fault("counter", f"{where}: tests is {tally.tests}, but {least} nodes were tested",
                    n, None, "tests", least, tally.tests)


def _compare(counter: str, noun: str, what: str, which: str, n: int, where: str,
             expected: list[int], got: list[int]) -> Iterator[Fault]:
    """Yield the first level at which a counter differs from its recount."""
    for level, (right, wrong) in enumerate(zip(expected, got, strict=True)):
        if right != wrong:
            yield Fault("counter", f"{where}, level {level}: {counter} says {wrong} {noun}"
                        f"{'s' * (wrong != 1)}, but there {'is' if right == 1 else 'are'} {right} "
                        f"{what}{'s' * (right != 1)}{which}", n, level, counter, right, wrong)
            return


class Pursuit(Trace):
    """A trace that keeps the largest part of some solutions that is a node."""

    __slots__ = ("deepest", "lost", "wanted")

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


def find_loss(run: Run, n: int, wanted: Iterable[Iterable[Square]], board: Board | None = None
              ) -> Loss:
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
