"""What is counted while a puzzle is solved.

The counters are those of the queens (`nqbench.tally`), with digits in the place of queens:
a node is a grid reached, the givens alone the root; its level is the number of digits
placed; scans are cells read. And one more:

    guesses     digits placed where another one could still go

The search of one candidate after the other knows nothing of the others, so that all it
places are guesses; the last candidate of a cell, when the others have failed, is none.
"""

from typing import Any

from nqbench import tally
from nqbench.tally import GaveUpError

__all__ = ["GaveUpError", "Tally"]


class Tally(tally.BoundedTally):
    """The counters of one search, within its budget, in a grid with `n` empty cells."""

    _board = "{} empty cells"

    __slots__ = ("guesses",)

    def __init__(self, n: int, nodes_allowed: int | None = None,
                 seconds_allowed: float | None = None,
                 backtracks_allowed: int | None = None) -> None:
        super().__init__(n, nodes_allowed, seconds_allowed, backtracks_allowed)
        self.guesses = 0

    def counters(self) -> dict[str, Any]:
        return {**super().counters(), "guesses": self.guesses}

    def test(self, row: int, column: int, digit: int | None = None) -> None:
        """Count a test; those who follow the search need the digit, too."""
        super().test(row, column)

    def given(self, row: int, column: int, digit: int | None = None) -> None:
        """Nothing to count: a digit follows, for those who follow the search."""

    def guess(self) -> None:
        self.guesses += 1


def __getattr__(name: str) -> Any:
    """Return COUNTERS, the names of all counters."""
    if name == "COUNTERS":
        return (*tally.COUNTERS, "guesses")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
