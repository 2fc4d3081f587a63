"""Joining halves: solutions are pairs of half boards that share no diagonal.

The board is cut into a western and an eastern half. Choose the rows whose queens stand in the west;
the queens of the other rows stand in the east. A western half is a placement of queens on the
western rows and columns, an eastern half is a placement on the others. They never share a row or a
column, so they form a solution exactly if they share no diagonal:

    Q(n) = sum over the choices of rows of  pairs (western half, eastern half) without a diagonal
                                            in common

There are few halves: about the square root of the number of placements. There are many pairs, but
counting them needs no search. A half is a word with a bit for each diagonal. For a piece of 512
western words, one vector for each diagonal says which words leave it free. An eastern word ANDs the
vectors of its diagonals; the remaining bits are its partners. Both sides are sorted by an index,
the few diagonals that are used most: words that share one of them are never compared.

Symmetry. Turning the board upside down, or left to right, maps a choice of rows to its reverse or
to its complement; one choice of each orbit is counted. The reflections in the long diagonals give
the other factor of two: a solution with queens on j of these diagonals has 2^j images by these
reflections, and one of them has all these queens in the west. For odd n, a queen in the middle
column is placed first. Unless it stands in the centre, the reflection exchanges it with the queen
in the middle row. So only halves are kept in which the queen in the middle row is at least as far
from the centre.

This is one of the two algorithms of the counting engine, in plain Python, and the faster one from
n = 18 on; see docs/engine.md. The compiled version makes the halves from quarter boards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nqbench.problems.queens import _halves
from nqbench.problems.queens._engines import EngineAlgorithm
from nqbench.problems.queens._halves import PairTally, Split
from nqbench.problems.queens.base import Tree
from nqbench.search.builds import built


def splits(n: int) -> Iterator[tuple[int, Split]]:
    """Yield (number of its images, (row of the queen in the middle column, western rows)) for one
    choice of rows of each orbit.

    >>> list(splits(4))
    [(2, (None, (0, 1))), (2, (None, (0, 2))), (2, (None, (0, 3)))]
    """
    found: Iterator[tuple[int, Split]] = built(_halves.splits, "plain")(n)
    return found


def count_pairs(n: int, split: Split) -> int:
    """Return the number of solutions of one image of this split.

    >>> sum(images * count_pairs(8, split) for images, split in splits(8))
    92
    """
    found: int = built(_halves.count_pairs, "plain")(n, split)
    return found


def counted(n: int, tally: PairTally) -> Iterator[tuple[int, Split, int]]:
    """Yield (images, split, solutions that an image stands for), counting."""
    for images, split in _halves.splits(n, tally):
        yield images, split, _halves.count_pairs(n, split, tally)


@dataclass(frozen=True, kw_only=True)
class Join(EngineAlgorithm):
    """The algorithm with its own counters."""

    def tally(self, n: int, nodes: int | None = None, seconds: float | None = None,
              backtracks: int | None = None) -> PairTally:
        return PairTally(n)


ALGORITHM = Join(
    name="join", order=285, origin="nqbench, docs/engine.md", year=2026,
    technique="pairs of half boards that share no diagonal, 512 at a time",
    worst_case="about C(n, n/2) / 4 choices of rows, each with up to (n/2)! halves on each side",
    keeps_marks=True, symmetry="all eight", uses_symmetry=True, tree=Tree.OWN, counted=counted,
    jobs=splits, ways=count_pairs)
