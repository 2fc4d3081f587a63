"""Check our counts against the published ones, by every algorithm that can answer in time.

This is like perft in chess programs: a count that differs is divided by the first move, here the
column of the first queen, and by level, which locates the fault.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any

from nqbench._arguments import require_seconds, require_whole
from nqbench._text import html_table
from nqbench.algorithms import QueensAlgorithm, Search
from nqbench.forecast import Forecast
from nqbench.problems import PROBLEMS
from nqbench.reference.sequences import SEQUENCES, published
from nqbench.solver import Solver, SolverKey

QUEENS = "queens"
COUNTS = "A000170"
QUICK = 0.05  # seconds; faster solvers answer first, which keeps predictions good
SMALL = 6  # up to here every algorithm answers in a moment; predictions start from it

Measure = Callable[[Any, str, int], Any]


@dataclass
class Mismatch:
    """A wrong answer, and where it goes wrong.

    `by_first_queen` has a row (column, expected, got) for each column of the first queen; expected
    is None if no other algorithm gave the right answer. `level` is the first level whose number of
    nodes differs, None if none does or the algorithm has another tree.
    """

    solver: str
    expected: Any
    got: Any
    by_first_queen: list[tuple[int, int | None, int]] = field(default_factory=list)
    level: int | None = None


@dataclass
class Check:
    """One published value and the answers of the algorithms.

    `answers` and `left_out` are by the names of solvers; `solvers` are those that answered.
    """

    sequence: str
    n: int
    expected: Any
    answers: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, float] = field(default_factory=dict)  # predicted seconds
    seconds: float = 0.0
    mismatches: list[Mismatch] = field(default_factory=list)
    solvers: list[Solver] = field(default_factory=list, repr=False)

    @property
    def status(self) -> str:
        """`ok`, `differs`, or `left out` if no algorithm could answer in time."""
        if self.mismatches:
            return "differs"
        return "ok" if self.answers else "left out"

    @property
    def got(self) -> Any:
        """Return the answer: a wrong one if there is one, None if there is none."""
        if self.mismatches:
            return self.mismatches[0].got
        return next(iter(self.answers.values()), None)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "sequence": self.sequence, "n": self.n, "expected": self.expected, "got": self.got,
            "status": self.status, "answered_by": list(self.answers),
            "left_out": self.left_out, "seconds": self.seconds,
            "mismatches": [{
                "solver": m.solver, "expected": m.expected, "got": m.got, "level": m.level,
                "by_first_queen": [{"column": c, "expected": e, "got": g}
                                   for c, e, g in m.by_first_queen],
            } for m in self.mismatches],
        }


@dataclass(repr=False)
class Verification:
    """All checks of a run, by sequence and n."""

    checks: list[Check]
    interrupted: bool = False

    @property
    def ok(self) -> bool:
        """Return whether no value differs and at least one is confirmed.

        >>> run_checks(3, ["A000170"]).ok, run_checks(3, ["A000170"], budget=1e-300).ok
        (True, False)
        """
        found = {check.status for check in self.checks}
        return "ok" in found and "differs" not in found

    @property
    def summary(self) -> str:
        """Return how many values are confirmed, in one line."""
        found = Counter(check.status for check in self.checks)
        return (f"{found['ok']} of {len(self.checks)} published values confirmed, "
                f"{found['differs']} differ, {found['left out']} left out")

    def __repr__(self) -> str:
        """Return the summary; the checks have a table in a notebook.

        >>> run_checks(3, ["A000170"])
        <Verification: 4 of 4 published values confirmed, 0 differ, 0 left out>
        """
        return f"<Verification: {self.summary}{', interrupted' * self.interrupted}>"

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        return html_table(
            self.summary + (", interrupted" if self.interrupted else ""),
            ["sequence", "n", "expected", "got", "status", "solvers"],
            [(c.sequence, c.n, c.expected, c.got, c.status, len(c.answers)) for c in self.checks],
            numeric=["n", "solvers"])


def run_checks(max_n: int = 10, sequences: Iterable[str] | None = None, budget: float = 60.0,
               algorithms: Mapping[str, QueensAlgorithm] | None = None,
               progress: Callable[[Check, str], None] | None = None) -> Verification:
    """Compute the published values again and compare.

    First every value is computed by the algorithm that is predicted to be the
    fastest and by those that take a moment, then by all the others, the cheap answers
    first, each as long as its prediction fits into what is left of `budget` seconds. An
    interrupt ends the run; what has been checked by then is returned.

    The algorithms are those of the problem of each sequence; `algorithms`, if given, are those of
    the queens. Their builds are compared first: those of the catalogue are by its tests and by
    every study.

    Raises
    ------
    TypeError, ValueError
        if max_n, a sequence or the budget is invalid.
    BuildError, BuildsDifferError
        if a build of one of `algorithms` cannot be made, or differs from the others.

    Examples
    --------
    >>> run_checks(5).ok
    True
    """
    max_n = require_whole(max_n, "max_n")
    budget = require_seconds(budget)
    if sequences is None:
        sequences = SEQUENCES
    if isinstance(sequences, str):
        sequences = (sequences,)
    checks = [Check(name, n, value) for name in sequences
              for n, value in published(name).up_to(max_n)]
    for algorithm in (algorithms or {}).values():
        if algorithm.exhaustive:
            algorithm.compare_builds()
    solvers = {name: _solvers(name, PROBLEMS.find(name).catalogue if algorithms is None
                              or name != QUEENS else algorithms)
               for name in {published(check.sequence).problem for check in checks}}
    verification = Verification(checks)
    try:
        _Run(solvers, budget, progress).answer(checks)
    except KeyboardInterrupt:
        verification.interrupted = True
    return verification


def _solvers(problem: str, algorithms: Mapping[str, Any]) -> list[Solver]:
    """Return the solvers that find all solutions; of each algorithm, cython first."""
    return [Solver(algorithm, implementation, problem=problem) for algorithm in algorithms.values()
            if algorithm.exhaustive
            for implementation in reversed(list(algorithm.implementations))]


def only_counts(solver: Solver) -> bool:
    """Return whether an implementation returns a number and nothing else."""
    return hasattr(solver.algorithm.implementations[solver.implementation], "only_counts")


class _Run:
    """The measurements of one run, each made once; `solvers` are by problem."""

    def __init__(self, solvers: Mapping[str, list[Solver]], budget: float,
                 progress: Callable[[Check, str], None] | None) -> None:
        self.solvers = solvers
        self.end = perf_counter() + budget
        self.progress = progress
        self.forecast = Forecast()
        self.measured: dict[tuple[Measure, SolverKey, int], Any] = {}

    def answer(self, checks: list[Check]) -> None:
        """Compute the answers of all checks, as far as there is time."""
        by_size = sorted(checks, key=lambda check: check.n)
        for check in by_size:
            able = sorted(self.able(check), key=lambda solver: self.predict(check, solver))
            for place, solver in enumerate(able):
                if place == 0 or check.n <= SMALL or self.predict(check, solver) <= QUICK:
                    self.ask(check, solver)
        for most in (0.01, 0.1, 1.0, 10.0, inf):  # seconds: the cheap answers first
            for check in by_size:
                for solver in self.able(check):
                    if self.predict(check, solver) <= most:
                        self.ask(check, solver)
        for check in by_size:
            check.solvers = [solver for solver in self.able(check)
                             if solver.name in check.answers]
            check.answers = {solver.name: check.answers[solver.name] for solver in check.solvers}
            self.divide(check)

    def able(self, check: Check) -> list[Solver]:
        """Return the solvers that can answer a check."""
        sequence = published(check.sequence)
        return [solver for solver in self.solvers[sequence.problem]
                if sequence.able(solver.algorithm)
                and check.n <= (sequence.reach or solver.largest_n)
                and (check.sequence == COUNTS or not only_counts(solver))]

    def predict(self, check: Check, solver: Solver) -> float:
        """Return the seconds that an answer will take; 0 if it is known."""
        measure = published(check.sequence).measure
        if (measure, solver.key, check.n) in self.measured:
            return 0.0
        if check.n > SMALL and not self.forecast.knows((measure, solver.key)):
            for n in range(SMALL - 2, SMALL + 1):  # a sequence may begin with a large n
                self.measure(measure, solver, n)
        return self.forecast.predict((measure, solver.key), check.n)

    def ask(self, check: Check, solver: Solver) -> None:
        """Get the answer of a solver, if there is time, and compare it."""
        name = solver.name
        if name in check.answers:
            return
        predicted = self.predict(check, solver)
        if predicted > self.end - perf_counter():
            check.left_out[name] = predicted
            return
        if self.progress:
            self.progress(check, name)
        check.left_out.pop(name, None)
        sequence = published(check.sequence)
        start = perf_counter()
        got = sequence.value(self.measure(sequence.measure, solver, check.n))
        check.seconds += perf_counter() - start
        check.answers[name] = got
        check.solvers.append(solver)
        if got != check.expected:
            check.mismatches.append(Mismatch(name, check.expected, got))

    def measure(self, measure: Measure, solver: Solver, n: int) -> Any:
        """Return the measurement; make it now if it was not made before."""
        key = (measure, solver.key, n)
        if key not in self.measured:
            start = perf_counter()
            self.measured[key] = measure(solver.algorithm, solver.implementation, n)
            self.forecast.add(key[:2], n, perf_counter() - start)
        return self.measured[key]

    def divide(self, check: Check) -> None:
        """Find the first queens and the level at which each wrong answer for n queens differs."""
        sequence = published(check.sequence)
        if sequence.problem != QUEENS or sequence.reach is not None:
            return
        wrong = {mismatch.solver for mismatch in check.mismatches}
        right = [solver for solver in check.solvers if solver.name not in wrong]
        for mismatch in check.mismatches:
            solver = next(each for each in check.solvers if each.name == mismatch.solver)
            algorithm, implementation = solver.algorithm, solver.implementation
            if only_counts(solver):
                continue
            if check.n and isinstance(algorithm, Search):  # n = 0 has no first queen
                got = algorithm.by_first_queen(check.n, implementation)
                search = next((s for s in right if isinstance(s.algorithm, Search)
                               and not only_counts(s)), None)
                expected = (search.algorithm.by_first_queen(check.n, search.implementation)
                            if search else {})
                mismatch.by_first_queen = [(c, expected.get(c), got[c]) for c in got]
            profiles = published("A319284")
            if profiles.able(algorithm) and check.n in profiles:
                levels = algorithm.profile(check.n, implementation).levels
                mismatch.level = next((level for level, (a, b) in enumerate(
                    zip(profiles[check.n], levels, strict=True)) if a != b), None)
