"""Drawings of two halves of a board: one pair that forms a solution, and one that does not."""

from collections.abc import Iterator
from dataclasses import dataclass

from nqbench.board import QUEEN, SQUARE, Columns, Placement, Square, attacks

SOLUTION: Columns = (1, 5, 0, 6, 3, 7, 2, 4)
OTHER: Columns = (1, 7, 0, 6, 3, 5, 2, 4)  # another eastern half
Point = tuple[float, float]
Ray = tuple[Point, Point]  # from the centre of a square to an edge of the board


@dataclass(frozen=True)
class Picture:
    """A board with both halves filled, in units of `square`.

    western: the rows whose queens stand in the west; queens: (row, column, its side, whether it
    attacks a queen of the other side); rays: (the line, whether it meets a queen) of each diagonal
    of a western queen that reaches the east.
    """

    columns: Columns
    western: tuple[int, ...]
    square: int = SQUARE
    queen: str = QUEEN

    @property
    def n(self) -> int:
        """The size of the board."""
        return len(self.columns)

    @property
    def rows(self) -> str:
        """The western rows, counted from 1."""
        return ", ".join(str(row + 1) for row in self.western)

    @property
    def is_solution(self) -> bool:
        """Whether the halves share no diagonal."""
        return Placement(self.columns).is_solution

    @property
    def queens(self) -> list[tuple[int, int, str, bool]]:
        """The queens, from the top."""
        return [(row, column, "west" if row in self.western else "east",
                 any(attacks((row, column), other) for other in self._across(row)))
                for row, column in enumerate(self.columns)]

    @property
    def rays(self) -> list[tuple[Ray, bool]]:
        """The diagonals that western queens send into the east."""
        return [(ray, any(attacks((row, self.columns[row]), other) and (
            (other[0] > row) == (down > 0)) for other in self._across(row)))
            for row in self.western for down in (1, -1)
            for ray in self._reach(row, self.columns[row], down)]

    def _across(self, row: int) -> list[Square]:
        """Return the queens of the other side."""
        return [(other, column) for other, column in enumerate(self.columns)
                if (other in self.western) != (row in self.western)]

    def _reach(self, row: int, column: int, down: int) -> Iterator[Ray]:
        """Yield the line from a square to the edge, down or up to the right, if it reaches the
        east.
        """
        steps = min(self.n - column, self.n - row if down > 0 else row + 1) - 0.5
        if column + 0.5 + steps > self.n / 2:
            yield ((column + 0.5, row + 0.5), (column + 0.5 + steps, row + 0.5 + down * steps))


def pictures() -> tuple[Picture, Picture]:
    """Return a solution, and a pair of halves that is not a solution, with the same western half.
    """
    western = tuple(row for row, column in enumerate(SOLUTION) if column < len(SOLUTION) // 2)
    return Picture(SOLUTION, western), Picture(OTHER, western)
