"""Count while searching. `nqbench/search/metrics.json` says what each counter means.

Each counter is for one whole search: for all solutions, or for the one that it looks for. The
levels are the profile of the search tree (Knuth, The Art of Computer Programming 4B, section
7.2.2).

An algorithm reports its steps through the counting statements below; they are removed from the
build that is timed (see `nqbench.search.builds`)::

    tally.test(row, column)         a candidate square is tested for conflict
    tally.given(row, column)        a queen is put there without a test
    tally.tests += n                n squares of a line are tested at once
    tally.scans += 1                likewise comparisons, and counters that the search declares
    tally.node(level)               a partial placement of `level` queens was accepted
    tally.guess()                   one of several candidates is taken
    tally.again(level)              the search goes on from a node that was counted before
    tally.jump(columns)             the search goes on from this placement, of the first rows
    tally.jump(columns, row)        likewise, after the queen of the row was moved
    tally.look()                    a long step within a node: is there time left?
    tally.child(level)              a node has a child, which need not be on the next level
    tally.solution()                what the search looks for was reached: a placement of n
                                    queens, or of fewer where it goes no deeper
    tally.refused(level, "rule")    a rule refuses the candidate that was tested last, below a node
                                    of this level (see `nqbench.search.syntax`)
    tally.exhausted(level)          the row below `level` queens has no candidate left
    tally.dead_end(level)           a node has no child, where the search does not say
                                    `exhausted` in the order of a walk through the tree
"""

from collections.abc import Collection, Sequence
from time import perf_counter
from typing import Any

from nqbench.search import metrics
from nqbench.util.text import format_count, html_table, plural, unknown

__all__ = ["BoundedTally", "GaveUpError", "Tally"]

LOOK_NODES = 256  # between two checks of the clock


class Tally:
    """The counters of one search on an n x n board.

    `visits` counts the placements that the search looked for and reached. The caller sets
    `solutions` to the number of solutions that these stand for, including mirror images. `gave_up`
    is the GaveUpError that this tally raised, else None: a search may catch it and go on.
    `uncounted` has the names of the counters that the search never reports, `own` has those that
    it alone has.

    Examples
    --------
    >>> tally = Tally(1)
    >>> tally.node(0)
    >>> tally.test(0, 0)
    >>> tally.node(1)
    >>> tally.solution()
    >>> tally.exhausted(0)
    >>> tally.levels, tally.nodes, tally.dead_ends, tally.tests_to_first
    ([1, 1], 2, 0, 1)
    """

    _board = "n = {}"  # its size, in words
    checks: int  # this and the next ones only if a search declares them
    jumps: int
    jumped: int
    nogoods: int
    removals: int
    repairs: int
    revisions: int

    __slots__ = ("__dict__", "_childless", "comparisons", "dead_levels", "exhaustions", "gave_up",
                 "levels", "n", "nodes_to_first", "own", "scans", "solutions", "tests",
                 "tests_to_first", "uncounted", "visits")

    def __init__(self, n: int) -> None:
        self.n = n
        self.uncounted: Collection[str] = ()
        self.own: Sequence[metrics.Counter] = ()
        self.gave_up: GaveUpError | None = None
        self.solutions = self.visits = 0
        self.levels = [0] * (n + 1)
        self.dead_levels = [0] * (n + 1)
        self.tests = self.scans = self.comparisons = 0
        self.exhaustions = 0
        self.updates = 0  # `nqbench.search.exact_cover` counts them, whatever search calls it
        self.tests_to_first = self.nodes_to_first = 0
        self._childless = [True] * (n + 1)  # by level: has the open node no child yet?

    def begin(self, own: Sequence[metrics.Counter], uncounted: Collection[str] = ()) -> None:
        """Begin to count what one search alone counts, and leave out what it never reports.

        >>> tally = Tally(1)
        >>> tally.begin(metrics.declare({"looks": "squares looked at"}, str.isupper))
        >>> tally.looks += 1
        >>> tally.counters()["looks"]
        1
        """
        self.own, self.uncounted = own, uncounted
        for counter in own:
            setattr(self, counter.name, [0] * (self.n + 1) if counter.by_level else 0)

    def __getattr__(self, name: str) -> Any:
        """Say which counter a search counts without having declared it."""
        known = [] if name == "own" else [counter.name for counter in self.own]
        raise AttributeError(unknown("counter", name, known) if known else
                             f"the algorithm declares no counter {name!r}")

    def refused(self, level: int, rule: str) -> None:
        vars(self).setdefault(f"{metrics.REFUSED}{rule}", [0] * (self.n + 1))[level] += 1

    def refusals(self) -> dict[str, int]:
        """Return how many candidates each rule refused."""
        return {counter.name.removeprefix(metrics.REFUSED): sum(getattr(self, counter.name))
                for counter in self.own if counter.by_level}

    def refuses(self, level: int, rule: str) -> bool:
        """Return whether a rule that is left out refuses a candidate all the same."""
        return False

    @property
    def nodes(self) -> int:
        """The number of nodes, which is the sum of the levels."""
        return sum(self.levels)

    @property
    def dead_ends(self) -> int:
        """The number of dead ends, on all levels."""
        return sum(self.dead_levels)

    @property
    def leaves(self) -> int:
        """The number of dead ends, and of nodes with n queens."""
        return self.dead_ends + self.levels[-1]

    def test(self, row: int, column: int) -> None:
        self.tests += 1

    def given(self, row: int, column: int) -> None:
        """Count nothing; functions that follow the search use it, see `nqbench.explain.trace`."""

    def guess(self) -> None:
        """Count nothing for the queens; see `nqbench.problems.sudoku.base`."""

    def jump(self, columns: Sequence[int], row: int | None = None) -> None:
        """Count nothing; functions that follow a search without a tree use it, see
        `nqbench.explain.recordings`.
        """

    def look(self) -> None:
        """Count nothing; a tally with a limit of seconds looks at the clock."""

    def child(self, level: int) -> None:
        """Record that the open node of a level has a child, which need not be on the next level."""
        self._childless[level] = False

    def node(self, level: int) -> None:
        self.levels[level] += 1
        self._childless[level] = True
        if level:
            self._childless[level - 1] = False

    def again(self, level: int) -> None:
        self._childless[level] = True

    def solution(self) -> None:
        self.visits += 1
        if self.visits == 1:
            self.tests_to_first = self.tests
            self.nodes_to_first = self.nodes

    def exhausted(self, level: int) -> None:
        self.exhaustions += 1
        if self._childless[level]:
            self.dead_end(level)

    def dead_end(self, level: int) -> None:
        self.dead_levels[level] += 1

    def require_end(self) -> None:
        """Raise the GaveUpError that a search has caught: its end proves nothing."""
        if self.gave_up is not None:
            raise self.gave_up

    def counters(self) -> dict[str, Any]:
        """Return every counter that this tally has by name, in their order; None for those that
        the search never reports.
        """
        values = ((counter.name, counter.value(self)) for counter in (
            *metrics.counters(), *self.own))
        return {name: None if name in self.uncounted else value
                for name, value in values if value is not None}

    def rows(self) -> list[tuple[str, str]]:
        """Return the solutions and every counter by name, as text for people."""
        return [(name, format_count(value)) for name, value in
                {"solutions": self.solutions, **self.counters()}.items()]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (self.solutions, self.counters()) == (other.solutions, other.counters())

    __hash__ = None  # type: ignore[assignment]  # counters change

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value}" for name, value in self.counters().items())
        return f"Tally(n={self.n}, solutions={self.solutions}, {shown})"

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        return html_table(f"Counters of one search, {self._board.format(self.n)}",
                          ["counter", "value"], self.rows())


class GaveUpError(Exception):
    """A search reached the end of its budget.

    >>> str(GaveUpError(1000, 0.5))
    'gave up after 1,000 nodes, 0.50 s'
    """

    def __str__(self) -> str:
        nodes, seconds = self.args
        return f"gave up after {nodes:,} {plural(nodes, 'node')}, {seconds:.2f} s"


class BoundedTally(Tally):
    """The counters of one search with limits on its nodes, seconds and backtracks; None is no
    limit.

    `node` raises GaveUpError if the search would exceed the limits, and `exhausted` after the last
    allowed backtrack.

    >>> tally = BoundedTally(8, nodes_allowed=1)
    >>> tally.node(0)
    >>> tally.node(1)
    Traceback (most recent call last):
        ...
    nqbench.search.tally.GaveUpError: gave up after 1 node, ... s
    """

    __slots__ = ("_nodes", "backtracks_allowed", "nodes_allowed", "seconds_allowed", "started")

    def __init__(self, n: int, nodes_allowed: int | None = None,
                 seconds_allowed: float | None = None,
                 backtracks_allowed: int | None = None) -> None:
        super().__init__(n)
        self._nodes = 0
        self.nodes_allowed = nodes_allowed
        self.seconds_allowed = seconds_allowed
        self.backtracks_allowed = backtracks_allowed
        self.started = perf_counter()

    def node(self, level: int) -> None:
        if self._nodes == self.nodes_allowed:
            self.give_up()
        super().node(level)
        self._nodes += 1
        if self._nodes % LOOK_NODES == 0:
            self.look()

    def look(self) -> None:
        if (self.seconds_allowed is not None
                and perf_counter() - self.started > self.seconds_allowed):
            self.give_up()

    def exhausted(self, level: int) -> None:
        super().exhausted(level)
        if self.exhaustions == self.backtracks_allowed:
            self.give_up()

    def give_up(self) -> None:
        """End the search."""
        self.gave_up = GaveUpError(self._nodes, perf_counter() - self.started)
        raise self.gave_up
