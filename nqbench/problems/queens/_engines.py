"""Algorithms that count orbit by orbit. Their compiled implementations are the counting engines."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from nqbench import engine
from nqbench.errors import InvalidValueError
from nqbench.problems.queens.base import Placements, QueensAlgorithm, Tally
from nqbench.search.builds import built
from nqbench.search.implementations import Counting, compare, find_uncounted

Orbits = Iterator[tuple[int, Any, int]]  # number of images, job, solutions of one image


@dataclass(frozen=True, kw_only=True)
class EngineAlgorithm(QueensAlgorithm):
    """An algorithm that counts solutions without visiting most of them.

    Attributes
    ----------
    orbits, ways
        the two steps, counting: a generator of (images, job) for each orbit of n, and a function
        that returns the solutions of a job.
    """

    core: str | None = "nqbench._engine"
    orbits: Callable[[int, Any], Iterator[tuple[int, Any]]]
    ways: Callable[[int, Any, Any], int]

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        return self.orbits, self.ways

    def compare_builds(self) -> None:
        for label, n in self.small_instances().items():
            compare(self.name, label, partial(self.counted, n, self.tally(n)),
                    {"plain": partial(self.plain, n)})

    def counted(self, n: int, tally: Tally) -> Orbits:
        """Yield (number of images, job, solutions of one image), counting."""
        for images, job in self.orbits(n, tally):
            yield images, job, self.ways(n, job, tally)

    def jobs(self, n: int) -> Iterator[tuple[int, Any]]:
        """Yield (number of images, job) for each orbit, without counting."""
        found: Iterator[tuple[int, Any]] = built(self.orbits, "plain")(n)
        return found

    def plain(self, n: int) -> Orbits:
        """Yield what `counted` does, without its counting statements."""
        ways = built(self.ways, "plain")
        for images, job in self.jobs(n):
            yield images, job, ways(n, job)

    @cached_property
    def implementations(self) -> Mapping[str, Any]:
        """The algorithm in plain Python, and the counting engine in one thread."""
        found = {"python": Counting(
            lambda n: sum(images * ways for images, _, ways in self.plain(n)), engine.LARGEST_N)}
        if self.name in engine.engines():
            found["cython"] = Counting(
                partial(engine.count, jobs=1, algorithm=self.name), engine.LARGEST_N)
        return found

    def counting(self, n: int, implementation: str = "python", jobs: int | None = None,
                 **choices: Any) -> Iterator[tuple[float, int]]:
        n = self.implementation(implementation, n)[1]
        if implementation == "cython":
            self.no_choices({name: value for name, value in choices.items()
                             if name not in ("kernel", "checkpoint", "say")}, " in cython")
            kept = {name: choices[name] for name in ("checkpoint", "say") if choices.get(name)}
            return engine.counting(n, choices.get("kernel"), jobs, algorithm=self.name, **kept)
        self.no_choices(choices, f" in {implementation}")
        self.one_job(implementation, jobs)
        return self._counting(n)

    def _counting(self, n: int) -> Iterator[tuple[float, int]]:
        found, jobs, ways = 0, list(self.jobs(n)), built(self.ways, "plain")
        for done, (images, job) in enumerate(jobs, 1):
            found += images * ways(n, job)
            yield done / len(jobs), found
        yield 1.0, found

    def profiled(self, implementation: str) -> bool:
        return implementation == "python"

    def profile(self, n: int, implementation: str = "python") -> Tally:
        """Return the counters of the search in Python. Solutions are counted with the size of their
        orbits; nodes are not.
        """
        n = self.implementation(implementation, n)[1]
        if not self.profiled(implementation):
            raise InvalidValueError(
                f"{self.name} counts its nodes in python only, not in {implementation}")
        counters = self.tally(n)
        counters.uncounted = find_uncounted(*self.functions)
        counters.solutions = sum(images * ways for images, _, ways in self.counted(n, counters))
        return counters

    def solutions(self, n: int, implementation: str = "python") -> Placements:
        raise self._only_counts("asked for solutions")

    def follow(self, n: int, tally: Tally) -> Placements:
        raise self._only_counts("followed")

    def unique(self, n: int, implementation: str = "python") -> int:
        """Return the number of solutions up to rotation and reflection, from the numbers of
        solutions that turns leave unchanged.
        """
        from nqbench.search.variants import Symmetry

        return Symmetry.of(n, self.count(n, implementation)).fundamental
