"""Count the solutions that a half or a quarter turn leaves unchanged.

The search places a queen together with its images under the turn. This takes little time compared
with a search for all solutions. Together, the counts give the orbits under the eight symmetries of
the square. Let Q be the number of solutions, P and R those that a half and a quarter turn leave
unchanged. No placement of n >= 2 queens is its own mirror image, so there are

    orbits of 2: R / 2    of 4: (P - R) / 4    of 8: (Q - P) / 8
"""

from dataclasses import dataclass
from typing import Self

from nqbench.search.variants import Variant
from nqbench.util.text import html_table

PLAIN_QUEENS = Variant("Ways to place n nonattacking queens")


@dataclass(frozen=True)
class Symmetry:
    """The number of solutions for n, by their symmetry.

    Attributes
    ----------
    n
        the size of the board.
    solutions
        Q, all of them (OEIS A000170).
    half_turn, quarter_turn
        P and R, those that the turn leaves unchanged (A032522, A033148).

    Examples
    --------
    >>> eight = Symmetry(8, solutions=92, half_turn=4, quarter_turn=0)
    >>> eight.orbits_of_8, eight.orbits_of_4, eight.orbits_of_2, eight.fundamental
    (11, 1, 0, 12)
    """

    n: int
    solutions: int
    half_turn: int
    quarter_turn: int

    @classmethod
    def of(cls, n: int, solutions: int) -> Self:
        """Return the symmetry of the solutions, given the number of all of them."""
        return cls(n, solutions, half_turn(n), quarter_turn(n))

    @property
    def orbits_of_8(self) -> int:
        """Solutions without symmetry, one of each orbit (A260320)."""
        return (self.solutions - self.half_turn) // 8

    @property
    def orbits_of_4(self) -> int:
        """Solutions that only a half turn leaves unchanged, one of each orbit (A260319)."""
        return (self.half_turn - self.quarter_turn) // 4

    @property
    def orbits_of_2(self) -> int:
        """Solutions that a quarter turn leaves unchanged, one of each orbit (A260318); n >= 2."""
        return self.quarter_turn // 2 if self.n > 1 else 0

    @property
    def fundamental(self) -> int:
        """Solutions up to rotation and reflection (A002562)."""
        alone = 1 if self.n < 2 else 0  # it is also its own mirror image
        return self.orbits_of_8 + self.orbits_of_4 + self.orbits_of_2 + alone

    def rows(self) -> list[tuple[str, int, str]]:
        """Return every number by name, with its OEIS sequence."""
        names = {"solutions": "A000170", "half_turn": "A032522", "quarter_turn": "A033148",
                 "orbits_of_8": "A260320", "orbits_of_4": "A260319", "orbits_of_2": "A260318",
                 "fundamental": "A002562"}
        return [(name, getattr(self, name), oeis) for name, oeis in names.items()]

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        return html_table(
            f"Symmetry of the solutions, n = {self.n}", ["quantity", "number", "OEIS"],
            [(name.replace("_", " "), f"{value:,}", oeis) for name, value, oeis in self.rows()],
            numeric=["number"])


def half_turn(n: int, implementation: str | None = None) -> int:
    """Return the number of solutions that a half turn leaves unchanged.

    Place two queens at a time, from the middle rows outwards. The search is compiled if possible,
    unless `implementation` is python.

    >>> [half_turn(n) for n in range(1, 13)]
    [1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80]
    """
    return PLAIN_QUEENS.fixed(n, "half turn", implementation)


def quarter_turn(n: int, implementation: str | None = None) -> int:
    """Return the number of solutions that a quarter turn leaves unchanged.

    Place four queens at a time; see `half_turn`.

    >>> [quarter_turn(n) for n in range(1, 14)]
    [1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8]
    """
    return PLAIN_QUEENS.fixed(n, "quarter turn", implementation) if n % 4 < 2 else 0
