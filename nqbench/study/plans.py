"""What a study measures: its presets, their solvers, and the steps they are done in."""

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from nqbench import engine
from nqbench.algorithms import Algorithm, Tree, catalogue
from nqbench.records.names import LARGEST_ESTIMATE, PLAIN, SMALL
from nqbench.records.presets import presets
from nqbench.study import clusters
from nqbench.study.measure import SHORTEST
from nqbench.sudoku import DATA_SETS
from nqbench.tally import COUNTERS

DEARER = 16  # near n = 20 a stratified probe takes so many times as long as one of Knuth's
ESTIMATES = 0.1  # of the budget, for estimates beside other work
RATES = 0.2  # likewise for solvers of Sudoku
TINY = 0.001  # seconds of a sample there
PATIENCE = 0.15  # of the budget, for samples that are taken again as the machine was disturbed
PROCESSES = 5  # from two samples of five, chance alone makes disjoint ranges in 0.8 % of all cases


class Step(NamedTuple):
    """A part of a study; its records are written together.

    what: "checks", "estimates", "points" or "peers" (number is n), "rates" (number is that of the
    data set), or what `nqbench.study.clusters` does. process: which process takes the samples.
    """

    what: str
    number: int
    process: int = 0


@dataclass(frozen=True)
class Preset:
    """How much a study measures, and of what.

    patience: the part of the budget for samples that are taken again as the machine was disturbed.
    budget: seconds for all, though n <= SMALL is always measured; of these `checks` seconds
    for published values up to check_n. first_n, max_n: the smallest and the largest n
    measured. samples: rounds a point in each of so many `processes`. shortest: seconds of a
    sample at least. share: the part of the budget that all rounds of one point may take.
    probes: random probes for each estimate of a tree, from n = 4 to LARGEST_ESTIMATE, if
    the budget allows; none if 0. puzzles: seconds for each solver of Sudoku and each data set;
    none if 0. about: which solvers are measured in turns, see `solvers`; "peers": our own and
    those of others, see `nqbench.study.peering`.
    """

    budget: float
    checks: float = 0
    check_n: int = 0
    max_n: int = 0
    samples: int = 0
    share: float = 1.0
    first_n: int = 1
    probes: int = 0
    puzzles: float = 0
    about: str = "algorithms"
    processes: int = PROCESSES
    shortest: float = SHORTEST
    patience: float = PATIENCE

    def rounds(self, n: int) -> int:
        """Return how many rounds each process takes at n."""
        return 1 if n <= SMALL else self.samples

    def sample_seconds(self, n: int) -> float:
        """Return how long a sample of n lasts at least."""
        return min(TINY, self.shortest) if n <= SMALL else self.shortest


PRESETS = {name: Preset(**fields) for name, fields in presets().items()}


@dataclass(frozen=True)
class Solver:
    """An algorithm, its implementation, and for the engine the kernel and the threads."""

    algorithm: Algorithm
    implementation: str
    kernel: str | None = None
    jobs: int = 1

    @property
    def key(self) -> tuple[str, str, str | None, int]:
        return self.algorithm.name, self.implementation, self.kernel, self.jobs

    def __str__(self) -> str:
        more = f", {self.kernel}, {self.jobs} threads" if self.kernel else ""
        return f"{self.algorithm.name} ({self.implementation}{more})"

    def count(self, n: int) -> int:
        if self.kernel:
            return self.algorithm.count(n, self.implementation, self.jobs, kernel=self.kernel)
        return self.algorithm.implementations[self.implementation].count(n)

    def counted(self, plan: Preset) -> tuple[str, ...]:
        """What is counted of it."""
        profiled = self.algorithm.profiled(self.implementation) and plan.about != "engine"
        return ("solutions", *COUNTERS) if profiled else ("solutions",)


def solvers(n: int, plan: Preset) -> list[Solver]:
    """All that are measured at n.

    About "algorithms": every algorithm that finds all solutions; of these about "pruning"
    those that prune, about "symmetry" those that use some symmetry and the plain search;
    about "engine": the engine's kernels and Somers' program.
    """
    if plan.about == "engine":
        cross, able = catalogue()["cross"], engine.kernels()
        threads = {1, engine.cores()}
        return [Solver(catalogue()["somers"], "cython")] + [
            Solver(cross, "cython", kernel, jobs) for kernel in able for jobs in sorted(threads)
            if jobs == 1 or kernel == able[0]]
    chosen = [algorithm for algorithm in catalogue().values() if algorithm.exhaustive and {
        "algorithms": True, "pruning": algorithm.tree != Tree.NONE,
        "symmetry": algorithm.name == PLAIN or algorithm.uses_symmetry,
    }[plan.about]]
    return [Solver(algorithm, name) for algorithm in chosen
            for name, implementation in algorithm.implementations.items()
            if n <= implementation.largest_n]


def methods(plan: Preset) -> dict[str, int]:
    """How many probes of each method an estimate takes, if there is time for them."""
    return {"knuth": plan.probes, "stratified": max(2, plan.probes // DEARER)}


def steps(plan: Preset) -> list[Step]:
    """Return what is done, one after the other.

    The first process decides what fits into the budget; each of the others then takes its samples
    of all that was measured, so that those of a point come from the whole time of the study.
    """
    if plan.about == "cluster":
        return [Step(*step) for step in clusters.steps()]
    checks = [Step("checks", plan.check_n)] if plan.checks else []
    estimated = range(4, LARGEST_ESTIMATE + 1) if plan.probes else []
    sets = range(len(DATA_SETS)) if plan.puzzles else []
    in_turns = "peers" if plan.about == "peers" else "points"
    measured = [[*(Step(in_turns, n, process) for n in range(plan.first_n, plan.max_n + 1)),
                 *(Step("rates", number, process) for number in sets)]
                for process in range(plan.processes)]
    return [*checks, *measured[0], *(Step("estimates", n) for n in estimated),
            *chain.from_iterable(measured[1:])]
