"""Compare the values of sequences that nqbench computes with each other and the published ones.

`verify` asks every algorithm that can answer in time; `nqbench.checking.check` locates the
fault of one that differs. `compute_terms` computes one sequence, term by term, also beyond what is
published; other searches check each term.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import perf_counter
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.problems import PROBLEMS, Solver, SolverKey
from nqbench.problems.forecast import Forecast
from nqbench.problems.plugins import find_all
from nqbench.problems.plugins.limits import LEFT_OUT
from nqbench.problems.published.invariants import TOTALS, invariants
from nqbench.problems.published.sequences import SEQUENCES, Sequence, Way, published, stands_in
from nqbench.problems.queens import QueensAlgorithm
from nqbench.search.algorithm import Algorithm
from nqbench.util.arguments import require_seconds, require_whole
from nqbench.util.text import AGES, html_table

QUEENS = "queens"
QUICK = 0.05  # seconds; faster solvers answer first, which keeps predictions good
ALWAYS_N = 6  # up to here every algorithm answers in a moment; predictions start from it

# The solvers of a term: the first one that is able to compute it does, the others check it.
SOLVERS = (("cross", "cython"), ("join", "cython"), ("bitmask", "cython"), ("somers", "cython"),
           ("cross", "python"), ("bitmask", "python"), ("iterative", "python"))
STANDING_IN = {"cython": "the compiled search", "python": "the search in Python"}
MIN_SECONDS = 0.01  # seconds of a measurement; shorter ones say nothing about growth
SHORT_SECONDS = 1.0  # a longer term is predicted before it is computed
CHECK_SECONDS = 5.0  # that a check may take in any case
MAX_CHECK_FACTOR = 3  # a check may take this many times as long as the first source
MIN_TERMS = 3  # terms that all sources compute, before any prediction

Measure = Callable[[Any, str, int], Any]


@dataclass
class Check:
    """A value of a sequence and the answers of the algorithms.

    `expected` is the published value, None if none is in our data. A value is a number, or a list
    for a row of a triangle. `answers` and `left_out` are by the names of solvers. The first answer
    is the term, the others check it.
    """

    sequence: str
    n: int
    expected: Any = None
    answers: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, float] = field(default_factory=dict)  # predicted seconds
    seconds: float = 0.0
    wrong: dict[str, Any] = field(default_factory=dict)  # the answers that differ
    source: str = ""  # of the published value

    @property
    def status(self) -> str:
        """`ok`, `differs`, or `left out` if no algorithm could answer in time."""
        if self.wrong:
            return "differs"
        return "ok" if self.answers else LEFT_OUT

    @property
    def got(self) -> Any:
        """Return the answer: a wrong one if there is one, None if there is none."""
        return next(iter((self.wrong or self.answers).values()), None)

    @property
    def contradictions(self) -> list[str]:
        """One line for each other answer, or published value, that differs from the first answer.
        """
        (first, got), *others = self.answers.items()
        if self.expected is not None:
            others.append((self.source or f"OEIS {self.sequence}", self.expected))
        return [f"{self.sequence}, n = {self.n}: {first} answers {got}, {name} says {value}"
                for name, value in others if value != got]

    @property
    def statement(self) -> str:
        """Return how the first answer was computed and checked.

        >>> Check("A000170", 8, 92, {"cross (cython)": 92}).statement
        'as published, computed by cross (cython), not checked by another search'
        """
        first, *others = self.answers
        checked = f"checked by {', '.join(others)}" if others else "not checked by another search"
        return (f"{'not published in our data' if self.expected is None else 'as published'}, "
                f"computed by {first}, {checked}")

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "sequence": self.sequence, "n": self.n, "expected": self.expected, "got": self.got,
            "status": self.status, "answered_by": list(self.answers),
            "left_out": {name: None if each == inf else each
                         for name, each in self.left_out.items()},
            "seconds": self.seconds, "wrong": self.wrong}


@dataclass(repr=False)
class Verification:
    """All checks of a run, by sequence and n."""

    checks: list[Check]
    interrupted: bool = False

    @property
    def ok(self) -> bool:
        """Return whether no value differs and at least one is confirmed.

        >>> verify(3, "A000170").ok, verify(3, "A000170", budget=1e-300).ok
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

        >>> verify(3, "A000170")
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


def verify(max_n: int = 10, sequences: str | Iterable[str] | None = None, budget: float = 60.0,
           algorithms: str | QueensAlgorithm | Iterable[str | QueensAlgorithm] | None = None,
           progress: Callable[[Check, str], None] | None = None) -> Verification:
    """Compute published values by every algorithm that can do so in time, and compare.

    First every value is computed by the algorithm that is predicted to be the
    fastest and by those that take a moment, then by all the others, the cheap answers
    first, each as long as its prediction fits into what is left of the budget. An
    interrupt ends the run; what has been checked by then is returned.

    Parameters
    ----------
    max_n
        the largest n.
    sequences
        OEIS numbers, or one. Default: all in `nqbench.problems.published`.
    budget
        seconds; what would take longer is skipped, and listed.
    algorithms
        algorithms of the queens, or one: names in the notation of `nqbench.problems.plugins`, or
        algorithms. Their builds are compared first. Default: all built-in ones of the problem of
        each sequence, whose builds are compared by their tests and by every study.
    progress
        a function that gets each check with the name of the solver that is asked.

    Returns
    -------
    Verification
        the checks; its `ok` is whether no value differs.

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed.
    BuildError, BuildsDifferError
        if a build of one of `algorithms` cannot be made, or differs from the others.

    Examples
    --------
    >>> verify(5, ["A319283"]).ok
    True
    """
    max_n = require_whole(max_n, "max_n")
    budget = require_seconds(budget)
    if isinstance(sequences, str):
        sequences = (sequences,)
    if isinstance(algorithms, str | Algorithm):
        algorithms = (algorithms,)
    chosen = None if algorithms is None else {
        found.name: found for each in algorithms for found in find_all(each)}
    checks = [Check(name, n, value) for name in (SEQUENCES if sequences is None else sequences)
              for n, value in published(name).up_to(max_n)]
    for algorithm in (chosen or {}).values():
        if algorithm.exhaustive:
            algorithm.compare_builds()
    solvers = {name: _solvers(PROBLEMS.find(name).catalogue if chosen is None or name != QUEENS
                              else chosen)
               for name in {published(check.sequence).problem for check in checks}}
    verification = Verification(checks)
    try:
        _Solving(solvers, budget, progress).answer(checks)
    except KeyboardInterrupt:
        verification.interrupted = True
    return verification


def _solvers(algorithms: Mapping[str, Any]) -> list[Solver]:
    """Return the solvers that find all solutions; of each algorithm, cython first."""
    return [Solver(algorithm, way) for algorithm in algorithms.values() if algorithm.exhaustive
            for way in reversed(list(algorithm.implementations))]


class _Solving:
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
                if place == 0 or check.n <= ALWAYS_N or self.predict(check, solver) <= QUICK:
                    self.ask(check, solver)
        for most in (0.01, 0.1, 1.0, 10.0, inf):  # seconds: the cheap answers first
            for check in by_size:
                for solver in self.able(check):
                    if self.predict(check, solver) <= most:
                        self.ask(check, solver)
        for check in by_size:
            check.answers = {solver.name: check.answers[solver.name]
                             for solver in self.able(check) if solver.name in check.answers}

    def able(self, check: Check) -> list[Solver]:
        """Return the solvers that can answer a check."""
        sequence = published(check.sequence)
        return [solver for solver in self.solvers[sequence.problem]
                if _can_answer(sequence, solver)
                and check.n <= (sequence.reach or solver.largest_n)
                and (check.sequence == TOTALS
                     or not solver.algorithm.only_counts(solver.implementation))]

    def predict(self, check: Check, solver: Solver) -> float:
        """Return the seconds that an answer will take; 0 if it is known."""
        measure = published(check.sequence).measure
        if (measure, solver.key, check.n) in self.measured:
            return 0.0
        if perf_counter() > self.end:
            return inf
        if check.n > ALWAYS_N and (measure, solver.key) not in self.forecast:
            for n in range(ALWAYS_N - 2, ALWAYS_N + 1):  # a sequence may begin with a large n
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
        if got != check.expected:
            check.wrong[name] = got

    def measure(self, measure: Measure, solver: Solver, n: int) -> Any:
        """Return the measurement; make it now if it was not made before."""
        key = (measure, solver.key, n)
        if key not in self.measured:
            start = perf_counter()
            self.measured[key] = measure(solver.algorithm, solver.implementation, n)
            self.forecast.add(key[:2], n, perf_counter() - start)
        return self.measured[key]


def find_contradictions(n: int, total: int) -> list[str]:
    """Return a line for each known property of Q(n) that a total contradicts."""
    return [f"{total:,} solutions are impossible: {known.name} says {known.expected:,}, not "
            f"{known.found:,}" for known in invariants(n, total) if not known.ok]


def compute_terms(name: str | Sequence, max_n: int,
                  approve: Callable[[float], object] = lambda seconds: None) -> Iterator[Check]:
    """Yield the terms of a sequence, or of that of an OEIS number, up to n = `max_n`.

    Every term is computed by the first solver that is able to, and checked by those that are
    predicted to take at most three times as long, or five seconds. `approve` gets the predicted
    seconds before the first term that takes long; it may raise an error.

    Raises
    ------
    TypeError, ValueError
        if there is no such sequence, or if no solver reaches `max_n`.

    Examples
    --------
    >>> [(term.n, term.got) for term in compute_terms("A000170", 4)]
    [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2)]
    """
    sequence = name if isinstance(name, Sequence) else published(name)
    max_n = require_whole(max_n, "max_n")
    sources = _sources(sequence)
    reach = max(largest for _, largest, _ in sources)
    if max_n > reach:
        raise InvalidValueError(f"{sequence.name} can be computed up to n = {reach}, not {max_n}")
    forecast, predicted = Forecast(), False
    first = sequence.first_n if sequence.begins is None else sequence.begins
    for n in range(first, max_n + 1):
        able = [source for source in sources if n <= source[1]]
        if not predicted and n >= first + MIN_TERMS:
            first_way = able[0].name
            here = ahead = forecast.predict(first_way, n)
            for m in range(n + 1, max_n + 1):
                if ahead > AGES:  # `max_n` may be a million
                    break
                ahead += forecast.predict(first_way, m)
            if here > SHORT_SECONDS or ahead > AGES:
                approve(ahead)
                predicted = True
        term = Check(sequence.name, n, sequence.get(n), source=sequence.source)
        for source, _, measure in able:
            allowed = max(CHECK_SECONDS, MAX_CHECK_FACTOR * term.seconds)
            if (term.answers and n >= first + MIN_TERMS and forecast.predict(source, n) > allowed):
                continue
            start = perf_counter()
            if (measured := measure(n)) is None:
                continue
            got = sequence.value(measured)
            seconds = perf_counter() - start
            forecast.add(source, n, max(seconds, MIN_SECONDS))
            term.seconds = term.seconds if term.answers else seconds
            term.answers[source] = got
        yield term


def _sources(sequence: Sequence) -> list[Way]:
    """Return the ways of the sequence, then those of SOLVERS that can answer."""
    catalogue: Any = PROBLEMS.find(sequence.problem).catalogue
    solvers = [Solver(catalogue[name], implementation) for name, implementation in SOLVERS
               if name in catalogue and implementation in catalogue[name].implementations]
    return [*sequence.ways(), *(
        Way(STANDING_IN[solver.implementation] if sequence.able is stands_in else solver.name,
            sequence.reach or solver.largest_n,
            partial(sequence.measure, solver.algorithm, solver.implementation))
        for solver in solvers if _can_answer(sequence, solver))]


def _can_answer(sequence: Sequence, solver: Solver) -> bool:
    return sequence.able(solver.algorithm) and (
        sequence.implementations is None or solver.implementation in sequence.implementations)
