"""The counters of a search on the 8 x 8 board: exact, and the same at every commit.

The names are those of `nqbench.search.tally`.
"""

from typing import Any

import nqbench

from . import common
from .common import SEARCHES, able, measured, module

N = 8
IDEAS = tuple(f"{name} python" for name in common.IDEAS)
NAMES = ("nodes", "dead_ends", "exhaustions", "tests", "scans", "comparisons")


def counters(tally: nqbench.Tally) -> dict[str, int]:
    return {name: getattr(tally, name) for name in NAMES}


class Profiles:
    """The counters of all searches, taken once for all benchmarks below."""

    version = "1"
    params = [SEARCHES, [N]]
    param_names = ["algorithm and implementation", "n"]

    def setup_cache(self) -> dict[str, dict[str, int]]:
        return {search: counters(nqbench.profile(N, *search.split()))
                for search in (*SEARCHES, *IDEAS) if able(*search.split())}

    def setup(self, profiles: dict[str, dict[str, int]], search: str, n: int) -> None:
        if search not in profiles:
            raise NotImplementedError(f"this commit has no {search}")
        self.tally = profiles[search]


class Tree(Profiles):
    @measured("nodes", exact=True)
    def track_nodes(self, *_: Any) -> int:
        return self.tally["nodes"]

    @measured("nodes", exact=True)
    def track_dead_ends(self, *_: Any) -> int:
        return self.tally["dead_ends"]

    @measured("rows", exact=True)
    def track_exhaustions(self, *_: Any) -> int:
        return self.tally["exhaustions"]


class Work(Profiles):
    @measured("tests", exact=True)
    def track_tests(self, *_: Any) -> int:
        return self.tally["tests"]

    @measured("iterations", exact=True)
    def track_scans(self, *_: Any) -> int:
        return self.tally["scans"]

    @measured("comparisons", exact=True)
    def track_comparisons(self, *_: Any) -> int:
        return self.tally["comparisons"]


class Ideas(Tree):
    """The trees of the further ideas."""

    params = [IDEAS, [N]]


class Symmetry:
    """How many times as many nodes there are without symmetry.

    mirror: nodes of `bitmask` over those of `somers`, which tries half of the first row.
    full: placements of the cross over their orbits, of which the engine completes one each.
    """

    version = "1"
    params = [["mirror", "full"], [N, 10, 12]]
    param_names = ["symmetry", "n"]

    def setup(self, symmetry: str, n: int) -> None:
        if symmetry == "full" and not able("cross", "python"):
            raise NotImplementedError("this commit has no cross")

    @measured("times the nodes", exact=True, better="higher")
    def track_gain_in_nodes(self, symmetry: str, n: int) -> float:
        if symmetry == "mirror":
            return nqbench.profile(n, "bitmask").nodes / nqbench.profile(n, "somers").nodes
        cross = module("nqbench.problems.queens.cross", "nqbench.algorithms.cross")
        sizes = [size for size, _ in cross.ALGORITHM.jobs(n)]
        return sum(sizes) / len(sizes)
