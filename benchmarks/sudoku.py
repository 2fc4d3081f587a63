"""Solvers of Sudoku on the puzzles of the package, each searched for a second solution."""

from typing import Any

from .common import measured, module

PROBLEM = module("nqbench.sudoku", "nqbench.problems.sudoku")  # None in a commit without Sudoku
SOLVERS = ("textbook_bitmask cython", "fewest_first python", "fewest_first cython",
           "dancing_links python", "fast cython")
SETS = ("easy50", "hardest")
LIMIT = 2


def lacking() -> list[tuple[str, str]]:
    """Return, for `skip_params`, the solvers that this commit lacks, on every data set."""
    known = {f"{name} {way}" for name, algorithm in (PROBLEM.catalogue() if PROBLEM else {}).items()
             for way in algorithm.implementations}
    return [(solver, name) for solver in SOLVERS for name in SETS if solver not in known]


class Puzzles:
    """All puzzles of a data set."""

    version = "1"
    params = [SOLVERS, SETS]
    param_names = ["solver", "data set"]
    skip_params = lacking()

    def setup(self, solver: str, name: str) -> None:
        algorithm, way = solver.split()
        self.implementation = PROBLEM.catalogue()[algorithm].implementations[way]
        self.puzzles = [grid.digits for grid in PROBLEM.data_set(name)]
        self.run = self.implementation.counter(self.puzzles, LIMIT)

    def total(self, counter: str) -> int:
        return sum(self.implementation.search(digits, LIMIT, 0).counters[counter]
                   for digits in self.puzzles)


class Solve(Puzzles):
    rounds = 4
    repeat = (2, 3, 5.0)

    def time_solve(self, *_: Any) -> None:
        self.run()


class Trees(Puzzles):

    @measured("nodes", exact=True)
    def track_nodes(self, *_: Any) -> int:
        return self.total("nodes")

    @measured("guesses", exact=True)
    def track_guesses(self, *_: Any) -> int:
        return self.total("guesses")
