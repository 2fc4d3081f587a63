"""What is counted while a puzzle is solved, and when a search gives up.

The counters are those of the queens (`nqbench.tally`), with digits in the place of queens:
a node is a grid reached, the givens alone the root; its level is the number of digits
placed; scans are cells read. And one more:

    guesses     digits placed where another one could still go

The search of one candidate after the other knows nothing of the others, so that all it
places are guesses; the last candidate of a cell, when the others have failed, is none.
"""

from time import perf_counter
from typing import Any

from nqbench import tally

COUNTERS = (*tally.COUNTERS, "guesses")
LOOK = 256  # nodes between two looks at the clock


class GaveUpError(Exception):
    """A search came to the end of its budget.

    >>> str(GaveUpError(1000, 0.5))
    'gave up after 1,000 nodes, 0.50 s'
    """

    def __init__(self, nodes: int, seconds: float) -> None:
        super().__init__(f"gave up after {nodes:,} nodes, {seconds:.2f} s")
        self.nodes = nodes


class Tally(tally.Tally):
    """The counters of one search in a grid with `empty` empty cells.

    `nodes_allowed` and `seconds_allowed` are its budget: `node` raises GaveUpError where
    the search would go on beyond it.
    """

    _board = "{} empty cells"

    __slots__ = ("_nodes", "guesses", "nodes_allowed", "seconds_allowed", "started")

    def __init__(self, empty: int, nodes_allowed: int | None = None,
                 seconds_allowed: float | None = None) -> None:
        super().__init__(empty)
        self.guesses = self._nodes = 0
        self.nodes_allowed = nodes_allowed
        self.seconds_allowed = seconds_allowed
        self.started = perf_counter()

    def node(self, level: int) -> None:
        if self._nodes == self.nodes_allowed:
            self.give_up()
        super().node(level)
        self._nodes += 1
        if self.seconds_allowed is not None and self._nodes % LOOK == 0 and (
                perf_counter() - self.started > self.seconds_allowed):
            self.give_up()

    def give_up(self) -> None:
        raise GaveUpError(self._nodes, perf_counter() - self.started)

    def counters(self) -> dict[str, Any]:
        return {**super().counters(), "guesses": self.guesses}

    def child(self, level: int) -> None:
        """A node has a child, which need not be on the next level."""
        self._childless[level] = False

    def guess(self) -> None:
        self.guesses += 1
