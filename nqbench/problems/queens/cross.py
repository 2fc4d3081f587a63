"""Full symmetry without comparing solutions: the middle lines first.

The eight symmetries of the square map its middle rows and columns, the cross, to themselves. So the
queens that cover the cross are placed first. Two placements of the cross that are images of each
other have the same number of completions. One placement of each orbit is completed, and counted as
many times as its orbit has members:

    Q(n) = sum over the orbits of  size of the orbit x completions

No solution is ever compared with its images. The queens in the middle attack most squares, so the
cross also prunes best. The open rows are then filled in a fixed order, always the row with the
fewest expected free squares. A placement is abandoned as soon as one of the next two rows has no
free square.

This is one of the two algorithms of the counting engine, in plain Python; see docs/engine.md. The
compiled version does the same with up to sixteen placements at a time.
"""

from collections.abc import Iterator

from nqbench.problems.queens import _crosses
from nqbench.problems.queens._engines import EngineAlgorithm
from nqbench.problems.queens.base import Tally, Tree
from nqbench.search.board import Square
from nqbench.search.builds import built

images = _crosses.images


def crosses(n: int) -> Iterator[tuple[int, tuple[Square, ...]]]:
    """Yield (size of its orbit, squares) for one cross of each orbit.

    >>> list(crosses(4))
    [(2, ((0, 1), (1, 3), (2, 0), (3, 2)))]
    """
    found: Iterator[tuple[int, tuple[Square, ...]]] = built(_crosses.crosses, "plain")(n)
    return found


def completions(n: int, squares: tuple[Square, ...]) -> int:
    """Return in how many ways the queens on these squares can be completed.

    >>> sum(weight * completions(8, cross) for weight, cross in crosses(8))
    92
    """
    found: int = built(_crosses.completions, "plain")(n, squares)
    return found


def counted(n: int, tally: Tally) -> Iterator[tuple[int, tuple[Square, ...], int]]:
    """Yield (size of its orbit, squares, completions) for one cross of each orbit, counting."""
    for weight, cross in _crosses.crosses(n, tally):
        yield weight, cross, _crosses.completions(n, cross, tally)


ALGORITHM = EngineAlgorithm(
    name="cross", order=280, origin="nqbench, docs/engine.md", year=2026,
    technique="bit masks of columns and diagonals, middle lines first, two rows of lookahead",
    worst_case="fewer than 2.72 n! nodes, of which symmetry saves up to seven eighths",
    keeps_marks=True, symmetry="all eight", uses_symmetry=True, counts_turns=True, tree=Tree.OWN,
    counted=counted, jobs=crosses, ways=completions)
