"""Full symmetry without looking at a leaf: the middle lines first.

The eight symmetries of the square map its middle rows and columns, the cross, to
themselves. So the queens that cover the cross are placed first. Two placements of
the cross that are images of one another have equally many completions; of each
orbit one is completed, and counted as often as the orbit is large:

    Q(n) = sum over the orbits of  size of the orbit x completions

No solution is ever compared with its images. The queens in the middle attack most,
so the cross prunes best too. The rows that it leaves open are then filled in a
fixed order, always the row with the fewest free squares left to expect; a
placement is given up as soon as one of the next two rows has no free square.

This is the algorithm of the counting engine in plain Python. The compiled one does
the same with up to sixteen placements at a time, see docs/engine.md.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from nqbench import engine
from nqbench.algorithms import _crosses
from nqbench.algorithms._implementations import Implementation
from nqbench.algorithms.base import QueensAlgorithm, Tree
from nqbench.board import Square
from nqbench.builds import built
from nqbench.builds.comparing import compare
from nqbench.errors import InvalidValueError
from nqbench.symmetry import Symmetry
from nqbench.tally import Tally

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


class Plain:
    """The algorithm as it stands above."""

    largest_n = engine.LARGEST_N

    def count(self, n: int) -> int:
        return sum(weight * ways for weight, _, ways in built(counted, "plain")(n))


class Compiled:
    """The counting engine, in one thread."""

    largest_n = engine.LARGEST_N

    def count(self, n: int) -> int:
        return engine.count(n, jobs=1)


@dataclass(frozen=True, kw_only=True)
class Cross(QueensAlgorithm):
    """An algorithm that counts solutions without reaching most of them."""

    def compare_builds(self) -> None:
        for label, n in self.small_instances().items():
            compare(self.name, label, partial(counted, n, Tally(n)),
                    {"plain": partial(built(counted, "plain"), n)})

    @cached_property
    def implementations(self) -> Mapping[str, Implementation]:
        found: dict[str, Implementation] = {"python": Plain()}
        if engine.available():
            found["cython"] = Compiled()
        return found

    def counting(self, n: int, implementation: str = "python", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        n = self.implementation(implementation, n)[1]
        if implementation == "cython":
            self.no_choices({name: value for name, value in choices.items()
                             if name not in ("kernel", "checkpoint", "say")}, " in cython")
            kept = {name: choices[name] for name in ("checkpoint", "say") if choices.get(name)}
            return engine.counting(n, choices.get("kernel"), jobs, **kept)
        self.no_choices(choices, f" in {implementation}")
        self.one_job(implementation, jobs)
        return self._counting(n)

    def _counting(self, n: int) -> Iterator[tuple[float, int]]:
        found, all_crosses = 0, list(crosses(n))
        for done, (weight, cross) in enumerate(all_crosses, 1):
            found += weight * completions(n, cross)
            yield done / len(all_crosses), found
        yield 1.0, found

    def profiled(self, implementation: str) -> bool:
        return implementation == "python"

    def profile(self, n: int, implementation: str = "python") -> Tally:
        """Return the counters of the search in Python. Its solutions are counted with the size
        of their orbits, its nodes are not.
        """
        n = self.implementation(implementation, n)[1]
        if not self.profiled(implementation):
            raise InvalidValueError("cross counts its nodes in python only, not in cython")
        counters = Tally(n)
        counters.solutions = sum(weight * ways for weight, _, ways in counted(n, counters))
        return counters

    def unique(self, n: int, implementation: str = "python") -> int:
        """Return the number of solutions up to rotation and reflection, from the numbers
        of those that turns leave as they are.
        """
        return Symmetry.of(n, self.count(n, implementation)).fundamental


ALGORITHM = Cross(
    name="cross",
    order=280,
    origin="nqbench, docs/engine.md",
    year=2026,
    technique="bit masks of columns and diagonals, middle lines first, two rows of lookahead",
    keeps_marks=True,
    symmetry="all eight",
    uses_symmetry=True,
    counts_turns=True,
    tree=Tree.OWN,
)
