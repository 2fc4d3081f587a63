"""Solvers: an algorithm and one of its implementations; of the engine a kernel and threads, too."""

from dataclasses import dataclass
from math import inf

from nqbench.algorithms import QueensAlgorithm, find


@dataclass(frozen=True)
class SolverKey:
    """The names that identify a solver: what records and forecasts know of it.

    >>> str(SolverKey("bitmask", "python"))
    'bitmask (python)'
    >>> str(SolverKey("cross", "cython", "portable", 2))
    'cross (cython, portable, 2 threads)'
    """

    algorithm: str
    implementation: str
    kernel: str | None = None
    jobs: int = 1

    def __str__(self) -> str:
        more = f", {self.kernel}, {self.jobs} threads" if self.kernel else ""
        return f"{self.algorithm} ({self.implementation}{more})"

    def find(self) -> "Solver":
        """Return the solver of these names.

        Raises
        ------
        InvalidValueError
            if there is no such algorithm.
        """
        return Solver(find(self.algorithm), self.implementation, self.kernel, self.jobs)


@dataclass(frozen=True)
class Solver:
    """An algorithm, its implementation, and for the engine the kernel and the threads.

    >>> solver = SolverKey("somers", "python").find()
    >>> solver.name, solver.count(6)
    ('somers (python)', 2)
    """

    algorithm: QueensAlgorithm
    implementation: str
    kernel: str | None = None
    jobs: int = 1

    @property
    def key(self) -> SolverKey:
        """Return the names of the solver, which identify it."""
        return SolverKey(self.algorithm.name, self.implementation, self.kernel, self.jobs)

    @property
    def name(self) -> str:
        """Return what is shown to users."""
        return str(self.key)

    @property
    def largest_n(self) -> float:
        """Return the largest n that the implementation accepts."""
        implementation = self.algorithm.implementations[self.implementation]
        return getattr(implementation, "largest_n", inf)

    def __str__(self) -> str:
        return self.name

    def count(self, n: int) -> int:
        """Return what the search for n queens finds: half of the solutions if it mirrors them."""
        if self.kernel:
            return self.algorithm.count(n, self.implementation, self.jobs, kernel=self.kernel)
        return self.algorithm.implementations[self.implementation].count(n)
