"""Solvers: an algorithm with one of its implementations, and for the engine a kernel and threads.
"""

from dataclasses import dataclass
from math import inf
from typing import Any

from nqbench.problems import PROBLEMS
from nqbench.problems.queens import QueensAlgorithm


@dataclass(frozen=True)
class SolverKey:
    """The names that identify a solver in records and forecasts.

    >>> str(SolverKey("bitmask", "python"))
    'bitmask (python)'
    >>> str(SolverKey("cross", "cython", "portable", 2))
    'cross (cython, portable, 2 threads)'
    """

    algorithm: str
    implementation: str
    kernel: str | None = None
    jobs: int = 1
    problem: str = "queens"

    def __str__(self) -> str:
        threads = f"{self.jobs} thread{'s' * (self.jobs != 1)}"
        more = [self.implementation, *([self.kernel] if self.kernel else []),
                *([threads] if self.kernel or self.jobs != 1 else [])]
        return f"{self.algorithm} ({', '.join(more)})"

    def find(self) -> "Solver":
        """Return the solver of these names.

        Raises
        ------
        InvalidValueError
            if there is no such problem, algorithm or implementation.
        """
        algorithm: Any = PROBLEMS.find(self.problem).find(self.algorithm)
        algorithm.find_implementation(self.implementation)
        return Solver(algorithm, self.implementation, self.kernel, self.jobs, self.problem)


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
    problem: str = "queens"

    @property
    def key(self) -> SolverKey:
        """Return the names of the solver, which identify it."""
        return SolverKey(self.algorithm.name, self.implementation, self.kernel, self.jobs,
                         self.problem)

    @property
    def name(self) -> str:
        """The name that is shown to users."""
        return str(self.key)

    @property
    def largest_n(self) -> float:
        """Return the largest n that the implementation accepts."""
        implementation = self.algorithm.implementations[self.implementation]
        return getattr(implementation, "largest_n", inf)

    def __str__(self) -> str:
        return self.name

    def count(self, n: int) -> int:
        """Return the number of solutions that the timed search finds: if it uses the mirror, half
        of them.
        """
        if self.kernel or self.jobs != 1:
            return self.algorithm.count(n, self.implementation, self.jobs, kernel=self.kernel)
        found: int = self.algorithm.implementations[self.implementation].count(n)
        return found
