"""The plan of a study: what it measures, and how much.

A plan has experiments, and values of the fields that these read (`nqbench.study.fields`). A preset
is a plan of the package.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf, prod
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeVar

from nqbench.errors import InvalidValueError
from nqbench.problems import Solver
from nqbench.problems.plugins.limits import Limits, memory_allowed
from nqbench.records.descriptions import presets
from nqbench.records.record import CUSTOM, SMALL
from nqbench.search.algorithm import Algorithm
from nqbench.search.metrics import Kind, Metric
from nqbench.study import fields
from nqbench.study.fields import ALGORITHMS, BUDGET, Field, N, parse_algorithms
from nqbench.util.discovery import Members, read_topics
from nqbench.util.text import unknown

if TYPE_CHECKING:
    from nqbench.study.experiments import Experiment

Value = TypeVar("Value")

USUAL: tuple[str, ...] = ("points",)  # experiments
TINY = 0.001  # seconds of a sample for n <= SMALL
ALWAYS = ("seconds", "solutions")  # metrics
MOST_CELLS = 1000  # of a grid, unless a larger one is wanted


@dataclass(frozen=True)
class Plan:
    """What a study measures, and how much; see `make_plan`.

    Attributes
    ----------
    name
        that of the preset, or of the study file.
    experiments
        names of experiments of the topics, in the order in which a study runs them.
    given
        the values of fields by their names; the others have their defaults.

    Examples
    --------
    >>> plan = Plan("mine").but(samples=2)
    >>> plan[fields.SAMPLES], plan[fields.PROCESSES]
    (2, 5)
    """

    name: str
    experiments: tuple[str, ...] = USUAL
    given: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, field: Field[Value]) -> Value:
        """Return the value of a field."""
        value: Value = self.given.get(field.name, field.default)
        return value

    def but(self, **given: Any) -> "Plan":
        """Return the plan with other values of some fields; algorithms replace a kind of them."""
        kept = {name: value for name, value in self.given.items()
                if name != "solvers" or "algorithms" not in given}
        return replace(self, given={**kept, **given})

    @property
    def algorithms(self) -> list[Algorithm[Any, Any]]:
        """Return the algorithms that it names."""
        return [solver.algorithm for solver in self[ALGORITHMS]]

    @property
    def limits(self) -> Limits:
        """Return what each search may take beside its time."""
        memory, *others = (self[each] for each in fields.LIMITS)
        return Limits(memory or memory_allowed(), *others)

    def measures(self, metric: Metric) -> bool:
        """Return whether the experiment "points" measures a metric.

        >>> from nqbench.search.metrics import METRICS
        >>> few, usual = Plan("few").but(metrics=("nodes", "cycles")), Plan("usual")
        >>> [(few.measures(METRICS[name]), usual.measures(METRICS[name]))
        ...  for name in ("seconds", "nodes", "tests", "cycles")]
        [(True, True), (True, True), (False, True), (True, False)]
        """
        chosen = self[fields.CHOSEN]
        return metric.name in (*ALWAYS, *chosen) or (not chosen and metric.kind == Kind.COUNTER)

    def rounds(self, n: int) -> int:
        """Return how many rounds each process takes at n."""
        return 1 if n <= SMALL else self[fields.SAMPLES]

    def sample_seconds(self, n: int) -> float:
        """Return how long a sample of n lasts at least."""
        return min(TINY, self[fields.SHORTEST]) if n <= SMALL else self[fields.SHORTEST]


def make_plan(name: str = CUSTOM, grid: Any = None, large: bool = False, /, **given: Any) -> Plan:
    """Return the plan of a study of some algorithms and some n, or of experiments, from the keys of
    a study file; an algorithm that takes the parameters of a `grid` is measured with all
    combinations of their values, which may be more than 1,000 if it is `large`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        naming the key, and what is allowed.

    Examples
    --------
    >>> plan = make_plan(algorithms=["bitmask", "somers@cython"], n="6-8", budget="1 min")
    >>> plan[N], plan[BUDGET], plan.experiments
    ((6, 7, 8), 60.0, ('points',))
    >>> make_plan(algorithm=["bitmask"], n=8)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no key 'algorithm'; did you mean algorithms?
    """
    kinds = {"algorithms", "experiments", "solvers"} & given.keys()
    experiments = USUAL
    if "experiments" in given:
        experiments = fields.parse_names(given.pop("experiments"), "experiment")
    plan = Plan(name, experiments, parse(given, experiments))
    if not kinds:
        raise InvalidValueError("a study needs algorithms; add -a ALGORITHM")
    if {"algorithms", "solvers"} <= kinds:
        raise InvalidValueError("solvers is not supported with algorithms")
    for each in experiments:
        for needed in find_experiment(each).reads:
            if needed.needed and needed.name not in given:
                raise InvalidValueError(f"the experiment {each} needs {needed.name}: "
                                        f"{needed.meaning}")
    if grid is not None:
        plan = plan.but(algorithms=vary(plan[ALGORITHMS], grid, large))
    return check_plan(plan)


def parse(given: Mapping[str, Any], experiments: Sequence[str]) -> dict[str, Any]:
    """Return the values of what is given for fields that the experiments read, by name.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        naming a key that none of them reads, a value that is not allowed, or experiments that
        measure algorithms of different problems, if there are algorithms.

    Examples
    --------
    >>> parse({"n": 8}, ["estimates"])
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: no experiment of this study reads n; estimates reads probes \
and budget
    """
    kinds, read = {name: find_experiment(name) for name in experiments}, readable(experiments)
    key = next((key for key in given if key not in read), None)
    if key is not None:
        every = readable(experiment_names())
        raise InvalidValueError(unknown("key", key, every) if key not in every else (
            f"no experiment of this study reads {key}; " + "; ".join(
                f"{name} reads {', '.join(each.name for each in kind.reads)}"
                f"{' and ' * bool(kind.reads)}budget" for name, kind in kinds.items())))
    problems = sorted({kind.problem for kind in kinds.values() if ALGORITHMS in kind.reads})
    if "algorithms" in given and len(problems) > 1:
        raise InvalidValueError(f"the experiments {', '.join(experiments)} measure algorithms of "
                                f"{' and '.join(problems)}; name those of one problem")
    return {key: parse_algorithms(value, *problems) if key == ALGORITHMS.name else
            read[key].read(value) for key, value in given.items()}


def readable(experiments: Iterable[str]) -> dict[str, Field[Any]]:
    """Return the fields that experiments read, and the budget, by name."""
    return {each.name: each for name in experiments
            for each in [BUDGET, *find_experiment(name).reads]}


def experiment_names() -> dict[str, str]:
    """Return where the topics say that each experiment is.

    >>> experiment_names()["rates"]
    'nqbench.topics.sudoku.measurement:Rates'
    """
    return {name: f"{topic}.{place}" for topic, told in read_topics().items()
            for name, place in told.get("experiments", {}).items()}


def find_experiment(name: str) -> "type[Experiment]":
    """Return an experiment by its name.

    Raises
    ------
    InvalidValueError
        if there is none, naming the nearest.
    """
    found: type[Experiment] = resolve_name(Members("experiment", experiment_names()).find(name))
    return found


def check_plan(plan: Plan) -> Plan:
    """Return the plan if one of its algorithms accepts every n, and its baseline is one of its
    algorithms.

    Raises
    ------
    InvalidValueError
        if it is not.
    """
    solvers = plan[ALGORITHMS]
    largest = max((solver.largest_n for solver in solvers), default=inf)
    if plan[N] and plan[N][-1] > largest:
        raise InvalidValueError(f"n must be at most {largest:,} for the algorithms of the study, "
                                f"not {plan[N][-1]:,}")
    name, _, implementation = plan[fields.BASELINE].partition("@")
    if name and not any(solver.algorithm.name == name
                        and implementation in ("", solver.implementation) for solver in solvers):
        names = sorted({solver.algorithm.name for solver in solvers})
        raise InvalidValueError(f"baseline must be one of the algorithms of the study, "
                                f"{', '.join(names) or 'but it names none'}, not "
                                f"{plan[fields.BASELINE]!r}")
    return plan


def vary(solvers: Sequence[Solver], grid: Any, large: bool = False) -> tuple[Solver, ...]:
    """Return solvers, in place of each that takes parameters of the grid its variants.

    Raises
    ------
    InvalidValueError
        if one does not take all of them, naming the nearest, if none takes any, if the grid has
        another form, or if it has more than 1,000 cells and is not wanted as `large`.

    Examples
    --------
    >>> solvers = parse_algorithms("bitmask, restarts_luby", "instances")
    >>> [solver.algorithm.name for solver in vary(solvers, {"seed": [0, 7]})]
    ['bitmask', 'restarts_luby', 'restarts_luby:7']
    """
    if not isinstance(grid, dict) or not all(isinstance(v, list) and v for v in grid.values()):
        raise InvalidValueError("[grid] must have a list of values for each parameter, as in "
                                f"depth = [0, 1, 2], not {grid!r:.80}")
    if (many := prod(map(len, grid.values()))) > MOST_CELLS and not large:
        raise InvalidValueError(f"the grid has {many:,} cells, more than {MOST_CELLS:,}; measure "
                                "them all the same with --yes")
    free = [each for each in solvers if each.algorithm.defaults and not each.algorithm.given]
    varied = [each for each in free if each.algorithm.defaults.keys() & grid] or free
    if not varied:
        raise InvalidValueError(f"no algorithm of the study takes {', '.join(grid)} of its [grid]")
    cells = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    found = {}
    for each in solvers:
        for algorithm in map(each.algorithm.vary, cells if each in varied else ({},)):
            if each.implementation in algorithm.implementations:
                solver = replace(each, algorithm=algorithm)
                found[solver.key] = solver
    return tuple(found.values())


def find_preset(name: str) -> Plan:
    """Return a plan of the package.

    Raises
    ------
    InvalidValueError
        if there is none of this name; the message has the nearest names.

    Examples
    --------
    >>> find_preset("quick")[N]
    (1, 2, 3, 4, 5, 6, 7, 8, 9)
    """
    return make_plan(name, **Members("preset", presets()).find(name))
