"""The counters of a search for the solutions of a puzzle.

The counters are those of the queens (`nqbench.tally`), with digits in place of queens: a node is a
grid that the search reaches; the root has only the givens; the level of a node is the number of
digits placed; scans are cells that are read. There is one more counter:

    guesses     digits placed where another one could still go

A search that tries one candidate after the other does not know the others, so every digit that it
places is a guess; in other searches, the last candidate of a cell, after the others have failed, is
not a guess.
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
        """Count a test; the digit is for functions that follow the search."""
        super().test(row, column)

    def given(self, row: int, column: int, digit: int | None = None) -> None:
        """Count nothing; tell functions that follow the search that a digit was inferred."""

    def guess(self) -> None:
        self.guesses += 1
