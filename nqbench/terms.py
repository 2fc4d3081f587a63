"""The terms of a sequence, each computed by a search of nqbench and checked by others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any

from nqbench._arguments import require_whole
from nqbench._text import AGES
from nqbench.engine.dividing import LARGEST_LEVELS
from nqbench.engine.processor import available
from nqbench.errors import InvalidValueError
from nqbench.forecast import Forecast
from nqbench.problems import PROBLEMS
from nqbench.reference.sequences import Sequence, published, stands_in
from nqbench.solver import Solver

# The solvers: the first one that is able to compute a term computes it, the others check it.
SOLVERS = (("cross", "cython"), ("join", "cython"), ("bitmask", "cython"), ("somers", "cython"),
           ("cross", "python"), ("bitmask", "python"), ("iterative", "python"))
STANDING_IN = {"cython": "the compiled search", "python": "the search in Python"}
MIN_SECONDS = 0.01  # seconds of a measurement; shorter ones say nothing about growth
SHORT_SECONDS = 1.0  # a longer term is predicted before it is computed; a check may take as long
MAX_CHECK_FACTOR = 3  # a check may take this many times as long as the first source
MIN_TERMS = 3  # terms that all sources compute, before any prediction


@dataclass
class Term:
    """A term of a sequence, and how it was computed and checked.

    Attributes
    ----------
    sequence, n, value
        the term; the value is a number, or a list for a row of a triangle.
    computed_by
        the name of the source that computed it.
    answers
        the answers of the other sources, by name.
    published
        the published value, None if none is in our data.
    seconds
        the seconds that computing it took.
    """

    sequence: str
    n: int
    value: Any
    computed_by: str
    published: Any = None
    answers: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def contradictions(self) -> list[str]:
        """One line for each source that contradicts the term."""
        others = dict(self.answers) | (
            {} if self.published is None else {f"OEIS {self.sequence}": self.published})
        return [f"{self.sequence}, n = {self.n}: {self.computed_by} answers {self.value}, {name} "
                f"says {value}" for name, value in others.items() if value != self.value]

    @property
    def statement(self) -> str:
        """Return how the term was computed and checked.

        >>> Term("A000170", 8, 92, "cross (cython)", 92).statement
        'as published, computed by cross (cython), not checked by another search'
        """
        return ("not published in our data" if self.published is None else "as published") + (
            f", computed by {self.computed_by}, ") + (
            f"checked by {', '.join(self.answers)}" if self.answers else
            "not checked by another search")


def compute_terms(name: str, max_n: int, approve: Callable[[float], object] = lambda seconds: None
                  ) -> Iterator[Term]:
    """Yield the terms of a sequence up to n = `max_n`.

    Every term is computed by the first solver that is able to, and checked by those that are
    predicted to take at most three times as long, or a second. `approve` gets the predicted seconds
    before the first term that takes long; it may raise an error.

    Raises
    ------
    TypeError, ValueError
        if there is no such sequence, or if no solver reaches `max_n`.

    Examples
    --------
    >>> [(term.n, term.value) for term in compute_terms("A000170", 4)]
    [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2)]
    """
    sequence, max_n = published(name), require_whole(max_n, "max_n")
    sources = _sources(sequence)
    reach = max(source.reach for source in sources)
    if max_n > reach:
        raise InvalidValueError(f"{name} can be computed up to n = {reach}, not {max_n}")
    forecast, predicted = Forecast(), False
    terms: list[Term] = []
    first = sequence.first_n if sequence.begins is None else sequence.begins
    for n in range(first, max_n + 1):
        able = [source for source in sources if n <= source.reach]
        if not predicted and n >= first + MIN_TERMS:
            largest = max(terms, key=lambda term: sequence.cost(term.n) or 0)
            here = ahead = _predict(sequence, largest, n) or forecast.predict(able[0].name, n)
            for m in range(n + 1, max_n + 1):
                if ahead > AGES:  # `max_n` may be a million
                    break
                ahead += _predict(sequence, largest, m) or forecast.predict(able[0].name, m)
            if here > SHORT_SECONDS or ahead > AGES:
                approve(ahead)
                predicted = True
        terms.append(_compute(sequence, n, able, forecast, n < first + MIN_TERMS))
        yield terms[-1]


@dataclass(frozen=True)
class _Source:
    """A source of terms: its name, its largest n, and its function."""

    name: str
    reach: float
    measure: Callable[[int], Any]


def _sources(sequence: Sequence) -> list[_Source]:
    """Return the engines of the sequence, then those of SOLVERS that can answer."""
    catalogue: Any = PROBLEMS.find(sequence.problem).catalogue
    solvers = [Solver(catalogue[name], implementation, problem=sequence.problem)
               for name, implementation in SOLVERS
               if name in catalogue and implementation in catalogue[name].implementations
               and sequence.able(catalogue[name])]
    return [_Source(name, LARGEST_LEVELS, measure) for name, measure in sequence.engines.items()
            if available()] + [
        _Source(_name(sequence, solver), sequence.reach or solver.largest_n,
                partial(sequence.measure, solver.algorithm, solver.implementation))
        for solver in solvers]


def _compute(sequence: Sequence, n: int, able: list[_Source], forecast: Forecast,
             check_all: bool) -> Term:
    """Return a term: computed by the first source, checked by all others or by those that are fast
    enough.
    """
    term = Term(sequence.name, n, None, able[0].name, sequence.get(n))
    for place, source in enumerate(able):
        allowed = max(SHORT_SECONDS, MAX_CHECK_FACTOR * term.seconds)
        if place and not check_all and forecast.predict(source.name, n) > allowed:
            continue
        start = perf_counter()
        value = sequence.value(source.measure(n))
        seconds = perf_counter() - start
        forecast.add(source.name, n, max(seconds, MIN_SECONDS))
        if place:
            term.answers[source.name] = value
        else:
            term.value, term.seconds = value, seconds
    return term


def _predict(sequence: Sequence, known: Term, n: int) -> float | None:
    """Return the seconds that a term will take by its cost, None if this is not known."""
    cost, before = sequence.cost(n), sequence.cost(known.n)
    return known.seconds * cost / before if cost and before else None


def _name(sequence: Sequence, solver: Solver) -> str:
    """Return the name of the source that computed a term, in words."""
    return STANDING_IN[solver.implementation] if sequence.able is stands_in else solver.name
