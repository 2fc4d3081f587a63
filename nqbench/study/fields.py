"""The fields of a plan: how they are read from a study file, their defaults, and their limits.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from nqbench.errors import InvalidValueError
from nqbench.problems import Solver, SolverKey
from nqbench.problems.plugins import is_outside, register, registered, resolve, resolve_all
from nqbench.problems.plugins.limits import Limits
from nqbench.search.metrics import METRICS, Kind
from nqbench.util import clocks
from nqbench.util.arguments import N_DIGITS, require_seconds, require_text, require_whole
from nqbench.util.text import DAY, unknown

Value = TypeVar("Value", covariant=True)
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}
TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h)", re.ASCII)
SIZES = re.compile(rf"(\d{{1,{N_DIGITS}}})(?:-(\d{{1,{N_DIGITS}}}))?", re.ASCII)
COMMA = re.compile(r",(?!\w+=)")  # between two algorithms, not between two parameters of one
MOST_SIZES = 1000
MOST_NUMBERS = 1000  # in a list
YEAR = 366 * DAY  # the limit of seconds


@dataclass(frozen=True)
class Field(Generic[Value]):
    """A field of a plan. The experiments that read it declare it in their `reads`.

    Attributes
    ----------
    name
        the key in study files; `plan[FIELD]` is its value.
    meaning
        what it is, in words.
    default
        its value in a plan that does not have it.
    parse
        makes the value of what a study file gives, and of the name for messages.
    most
        the limit of the number, or of each in a list; none if it is no number.
    of_budget
        whether it is a part of the budget, in seconds, and changes with it.
    needed
        whether a study file must give it: by default there is nothing to measure.

    Examples
    --------
    >>> from functools import partial
    >>> from nqbench.util.arguments import require_whole
    >>> probes = Field("probes", "random probes", 0, partial(require_whole, least=2), 10**6)
    >>> probes.read(10**7)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: probes must be at most 1,000,000, not 10000000
    """

    name: str
    meaning: str
    default: Value
    parse: Callable[[Any, str], Value]
    most: float | None = None
    of_budget: bool = False
    needed: bool = False

    def read(self, given: object) -> Value:
        """Return the value of what a study file, an option or a caller gives.

        Raises
        ------
        InvalidValueError, InvalidTypeError
            naming the field, and what is allowed.
        """
        value = self.parse(given, self.name)
        if self.most is not None:
            numbers: Any = value if isinstance(value, tuple) else (value,)
            _require_few(self.name, numbers)
            for number in numbers:
                if not 0 <= number <= self.most:
                    allowed = f"at most {int(self.most):,}" if number > 0 else "0 or more"
                    raise InvalidValueError(f"{self.name} must be {allowed}, not {number}")
        return value


def _require_few(name: str, numbers: Sequence[object]) -> None:
    if len(numbers) > MOST_NUMBERS:
        raise InvalidValueError(f"{name} must be at most {MOST_NUMBERS:,} numbers, not "
                                f"{len(numbers):,}")


def parse_sizes(value: object, name: str = "n") -> tuple[int, ...]:
    """Return every n that a text, a number or a list of numbers names, in rising order.

    Raises
    ------
    InvalidValueError
        if it names none.

    Examples
    --------
    >>> parse_sizes("6-8,10"), parse_sizes([8, 6]), parse_sizes(9)
    ((6, 7, 8, 10), (6, 8), (9,))
    >>> parse_sizes("8-6")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: n must be numbers of queens, as in 8, 6-12 or 6,8,10, not ...
    """
    found: set[int] = set()
    parts: Sequence[object] = (value.split(",") if isinstance(value, str) else
                               value if isinstance(value, list | tuple) else [value])
    _require_few(name, parts)
    for part in parts:
        matched = SIZES.fullmatch(str(part).strip()) if not isinstance(part, bool) else None
        first, last = (int(matched[1]), int(matched[2] or matched[1])) if matched else (1, 0)
        if not first <= last < first + MOST_SIZES:
            raise InvalidValueError(f"{name} must be numbers of queens, as in 8, 6-12 or 6,8,10, "
                                    f"not {value!r}")
        found |= set(range(first, last + 1))
    if not found:
        raise InvalidValueError(f"{name} must be at least one number of queens, not {value!r}")
    return tuple(sorted(found))


def parse_seconds(value: object, name: str = "budget") -> float:
    """Return the seconds of a time.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if it is no time above 0.

    Examples
    --------
    >>> parse_seconds("5 min"), parse_seconds(90), parse_seconds("1.5h")
    (300.0, 90.0, 5400.0)
    >>> parse_seconds("5 weeks")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: budget must be a time as in 90, "30 s", "5 min" or "2 h", ...
    """
    if not isinstance(value, str):
        return require_seconds(value, name)
    matched = TIME.fullmatch(value.strip())
    if not matched:
        raise InvalidValueError(f'{name} must be a time as in 90, "30 s", "5 min" or "2 h", not '
                                f"{value!r}")
    return require_seconds(float(matched[1]) * UNITS[matched[2]], name)


def require_share(value: object, name: str) -> float:
    """Return `value` if it is a number above 0 and at most 1.

    Raises
    ------
    InvalidValueError
        if it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise InvalidValueError(f"{name} must be a number above 0 and at most 1, not {value!r}")
    return float(value)


def require_flag(value: object, name: str) -> bool:
    """Return `value` if it is true or false.

    Raises
    ------
    InvalidValueError
        if it is not.
    """
    if not isinstance(value, bool):
        raise InvalidValueError(f"{name} must be true or false, not {value!r}")
    return value


def require_one(value: object, name: str, allowed: Collection[str]) -> str:
    """Return `value` if it is one of the names that are allowed.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if it is not.
    """
    if require_text(value, name) not in allowed:
        raise InvalidValueError(unknown(name, str(value), allowed))
    return str(value)


def parse_names(value: object, what: str) -> tuple[str, ...]:
    """Return the names of a list, or of a text in which commas separate them.

    >>> parse_names("seconds, nodes", "metric"), parse_names(["nodes"], "metric")
    (('seconds', 'nodes'), ('nodes',))
    """
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not parts:
        raise InvalidValueError(f"{what}s must be a list of at least one {what}, not {value!r}")
    return tuple(dict.fromkeys(require_text(part, what).strip() for part in parts))


def parse_algorithms(value: object, problem: str = "queens") -> tuple[Solver, ...]:
    """Return the solvers of algorithms of a problem or of their notations, each solver once: every
    implementation of an algorithm, or only the one after an @.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is none, if one cannot be found, or if it does not find all solutions of the
        queens.

    Examples
    --------
    >>> [str(solver) for solver in parse_algorithms("somers@cython, recursive, somers")]
    ['somers (cython)', 'recursive (python)', 'somers (python)']
    >>> [solver.algorithm.name for solver in parse_algorithms("restarts_luby:7", "instances")]
    ['restarts_luby:7']
    >>> parse_algorithms("explicit")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: a study measures algorithms that find all solutions; ...
    """
    kept: dict[SolverKey, Solver] = {}
    for each in split_algorithms(value):
        for algorithm, chosen in resolve_all(each, problem):
            name = algorithm.name
            if (is_outside(algorithm) and name.isidentifier()
                    and registered().get(name) != algorithm):
                register(algorithm)  # so that other processes find it
            if problem == "queens" and not algorithm.exhaustive:
                raise InvalidValueError("a study measures algorithms that find all solutions; "
                                        f"{name} finds {algorithm.finds}")
            for way in [chosen] if chosen else algorithm.implementations:
                solver = Solver(algorithm, way)
                other = kept.setdefault(solver.key, solver).algorithm
                if other is not algorithm and other != algorithm:
                    raise InvalidValueError(f"two algorithms have the name {name!r}; give one of "
                                            "them another name")
    return tuple(kept.values())


def split_algorithms(value: object) -> list[Any]:
    """Return the algorithms of a list, or those in a text in which commas separate them."""
    given: Any = COMMA.split(value) if isinstance(value, str) else (
        value if isinstance(value, list | tuple) else [value])
    if not given:
        raise InvalidValueError("algorithms must be a list of at least one algorithm, not "
                                f"{value!r}")
    return [each.strip() if isinstance(each, str) else each for each in given]


def are_for_instances(value: object) -> bool:
    """Return whether one of these algorithms is for instances alone.

    >>> are_for_instances("bitmask"), are_for_instances(["bitmask", "backjumping"])
    (False, True)
    """
    return any({found.problem for found, _ in resolve_all(each, None)} == {"instances"}
               for each in split_algorithms(value))


def parse_baseline(value: object) -> str:
    """Return the name of an algorithm, with its implementation if one is chosen.

    >>> parse_baseline("somers@cython"), parse_baseline("somers")
    ('somers@cython', 'somers')
    """
    algorithm, implementation = resolve(value)
    return algorithm.name if implementation is None else f"{algorithm.name}@{implementation}"


def parse_metrics(value: object) -> tuple[str, ...]:
    """Return the names of metrics that a study can measure of a search, each once.

    Raises
    ------
    InvalidValueError
        if there is none, or if one is not the name of such a metric.

    Examples
    --------
    >>> parse_metrics("nodes, seconds, nodes")
    ('nodes', 'seconds')
    >>> parse_metrics(["nods"])
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no metric 'nods'; did you mean nodes or seconds?
    """
    names = parse_names(value, "metric")
    known = [metric.name for metric in METRICS.values() if metric.kind != Kind.OTHER]
    for name in names:
        if name not in known:
            raise InvalidValueError(unknown("metric", name, known) if name not in METRICS else
                                    f"{name!r} is not a metric of a search; see `nqbench list "
                                    "--metrics`")
    return names


AT_LEAST_ONE = partial(require_whole, least=1)
BUDGET = Field("budget", "seconds for all, though n <= 4 is always measured", 60.0, parse_seconds,
               YEAR)
N: Field[tuple[int, ...]] = Field("n", "numbers of queens, as in -n 6-10", (), parse_sizes, 1000,
                                  needed=True)
ALGORITHMS: Field[tuple[Solver, ...]] = Field(
    "algorithms", "solvers of the problem of the experiments", (),
    lambda value, _: parse_algorithms(value))
BASELINE = Field("baseline", "the algorithm that the others are compared with, NAME or "
                 "NAME@IMPLEMENTATION", "", lambda value, _: parse_baseline(value))
CHOSEN: Field[tuple[str, ...]] = Field(
    "metrics", "what is measured beside seconds and solutions, which the budget and the check of "
    "all totals need; by default all counters", (), lambda value, _: parse_metrics(value))
SAMPLES = Field("samples", "rounds of a point in each process", 5, AT_LEAST_ONE, 100_000)
# From two samples of five, chance alone makes disjoint ranges in 0.8 % of all cases. A process
# takes half a second to start.
PROCESSES = Field("processes", "how many take samples, one after the other", 5, AT_LEAST_ONE, 1000)
SHARE = Field("share", "the part of the budget that all rounds of one point may take", 1.0,
              require_share, 1)
SHORTEST = Field("shortest", "seconds of a sample at least", clocks.SHORTEST, parse_seconds, YEAR)
PATIENCE = Field("patience", "the part of the budget for repeating samples because the machine was "
                 "disturbed", 0.15, require_share, 1)
TIME_LIMIT = Field("time_limit", "seconds after which each search is stopped, if its budget does "
                   "not do that before; 0 for none", 0.0, parse_seconds, YEAR)
MEMORY_LIMIT = Field("memory_limit", "bytes of each process; half of the machine's by default", 0,
                     require_whole, 10**15)
PROCESS_LIMIT = Field("process_limit", "processes of a search", Limits.processes, require_whole,
                      10**15)
FILE_LIMIT = Field("file_limit", "bytes of a file", Limits.file_size, require_whole, 10**15)
CORES = Field("cores", "cores of a search; 0 for all", Limits.cores, require_whole, 10**15)
LIMITS = MEMORY_LIMIT, PROCESS_LIMIT, FILE_LIMIT, CORES
NODES = Field("nodes", "the nodes allowed for each; by default, what the experiment says", 0,
              AT_LEAST_ONE, 10**12)
