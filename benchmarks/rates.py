"""Nodes per second, and ratios of times taken in turns in one process: higher is better.

Each returns samples, from four processes, so that asv gives the median and its interval.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import nqbench

from .common import COUNTED, KERNELS, lacking, measured, module, parts, without_kernel

PROCESSES, SAMPLES = 4, 5


SHORTEST = 0.005  # seconds; a shorter search is repeated


def ratios(over: Callable[[], object], under: Callable[[], object]) -> dict[str, Any]:
    """Return time(over) / time(under), both run in turns, as samples of asv."""
    over(), under()
    loops = [int(SHORTEST / seconds(search)) + 1 for search in (over, under)]
    return {"samples": [seconds(over, loops[0]) / seconds(under, loops[1])
                        for _ in range(SAMPLES)], "number": 1}


def seconds(search: Callable[[], object], loops: int = 1) -> float:
    """Return the seconds that one of `loops` searches takes."""
    start = perf_counter()
    for _ in range(loops):
        search()
    return (perf_counter() - start) / loops


class Nodes:
    """Nodes that a search accepts per second. Searches that prune nothing have only one node."""

    version = "1"
    params = [[solver for solver in COUNTED
               if solver.split()[0] not in ("brute_force", "permutations")]]
    param_names = ["solver"]
    skip_params = lacking(params[0])

    @measured("nodes/s", better="higher", rounds=PROCESSES)
    def track_per_second(self, solver: str) -> dict[str, Any]:
        algorithm, implementation, n = parts(solver)
        nodes = nqbench.profile(n, algorithm, implementation).nodes
        nqbench.count(n, algorithm, implementation)
        return {"number": 1, "samples": [
            nodes / seconds(lambda: nqbench.count(n, algorithm, implementation))
            for _ in range(SAMPLES)]}


class Somers:
    """How many times faster the engine counts than Somers' program in Cython, one thread."""

    version = "2"
    params = [KERNELS, [14]]
    param_names = ["kernel", "n"]
    skip_params = without_kernel(params[1])

    @measured("times faster", better="higher", rounds=PROCESSES)
    def track_speed(self, kernel: str, n: int) -> dict[str, Any]:
        return ratios(lambda: nqbench.count(n, "somers", "cython"),
                      lambda: nqbench.count(n, "cross", "cython", jobs=1, kernel=kernel))


class Symmetry:
    """How many times as long a search takes without symmetry; see `counts.Symmetry` for nodes.

    mirror: `bitmask` over `bitmask_even_mirror`, which are otherwise the same.
    full: completing every placement of the cross over completing one of each orbit.
    """

    version = "2"
    params = [["mirror", "full"], [8, 10, 12]]
    param_names = ["symmetry", "n"]

    def setup(self, symmetry: str, n: int) -> None:
        if symmetry == "full":
            try:
                from nqbench import _engine
                self.completions = _engine.completions
            except (ImportError, AttributeError):
                raise NotImplementedError("this commit completes no single cross") from None
            cross = module("nqbench.problems.queens.cross", "nqbench.algorithms.cross")
            self.orbits = [squares for _, squares in cross.ALGORITHM.jobs(n)]
            self.every = [image for squares in self.orbits
                          for image in set(cross.images(squares, n))]

    @measured("times the time", better="higher", rounds=PROCESSES)
    def track_gain_in_time(self, symmetry: str, n: int) -> dict[str, Any]:
        if symmetry == "mirror":
            return ratios(lambda: nqbench.count(n, "bitmask", "python"),
                          lambda: nqbench.count(n, "bitmask_even_mirror", "python"))
        return ratios(lambda: self.complete(n, self.every), lambda: self.complete(n, self.orbits))

    def complete(self, n: int, crosses: list[Any]) -> None:
        for squares in crosses:
            self.completions(n, squares, "portable")
