"""Define what a study measures: its presets and their solvers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from typing import TYPE_CHECKING, Any

from nqbench import engine
from nqbench.errors import InvalidValueError
from nqbench.problems import Solver
from nqbench.problems.plugins import is_outside, register, registered, resolve_all
from nqbench.problems.plugins.limits import Limits, memory_allowed
from nqbench.problems.queens import Tree, catalogue
from nqbench.records.descriptions import presets
from nqbench.records.record import PLAIN, SMALL
from nqbench.search.algorithm import Algorithm
from nqbench.search.metrics import METRICS, Kind, Metric
from nqbench.study.fields import YEAR, Field, Value, require_within
from nqbench.study.samples import SHORTEST
from nqbench.util.arguments import require_text
from nqbench.util.discovery import Gathered
from nqbench.util.text import unknown

if TYPE_CHECKING:
    from nqbench.study.experiments import Experiment

TINY = 0.001  # seconds of a sample for n <= SMALL
PATIENCE = 0.15  # of the budget, for samples that are taken again because the machine was disturbed
UNCOMPILED = "the compiled cores, which are not here: there was no C compiler"
KINDS = ("algorithms", "pruning", "symmetry", "engine")  # of solvers
ALWAYS = ("seconds", "solutions")  # metrics
SAMPLES = 5  # in each process
PROCESSES = 5  # from two samples of five, chance alone makes disjoint ranges in 0.8 % of all cases
SIZES = ("n", "first_n", "max_n")  # keys that experiments declare in their `reads`
LIMITS = ("memory_limit", "process_limit", "file_limit", "cores")
MOST: Mapping[str, float] = {  # of the fields that all presets have, from an option or a file
    **dict.fromkeys(("budget", "shortest", "time_limit"), YEAR),
    **dict.fromkeys(LIMITS, 10**15),
    **dict.fromkeys(("share", "patience"), 1),
    **dict.fromkeys(SIZES, 1000),
    "processes": 1000,  # each takes half a second to start
    "samples": 100_000}
EXPERIMENTS: "Gathered[type[Experiment]]" = Gathered(
    "experiment", "measurement*.py", "EXPERIMENTS")


def declared() -> dict[str, Field[Any]]:
    """Return the fields that experiments alone declare, by name.

    >>> declared()["probes"].default
    0
    """
    return {each.name: each for experiment in EXPERIMENTS.values()
            for each in experiment.reads if isinstance(each, Field)}


def require_read(keys: Iterable[str], experiments: Sequence[str]) -> None:
    """Reject a key that no experiment of a study reads, and experiments that measure algorithms of
    different problems, if the study has algorithms.

    Raises
    ------
    InvalidValueError
        naming the key, and what the experiments read.

    Examples
    --------
    >>> require_read(["budget", "n", "probes"], ["estimates"])
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: no experiment of this study reads n; estimates reads probes \
and budget
    """
    read = {name: EXPERIMENTS.find(name).names_read() for name in experiments}
    for key in keys:
        if key not in ("budget", "experiments", *chain(*read.values())):
            raise InvalidValueError(f"no experiment of this study reads {key}; " + "; ".join(
                f"{name} reads {', '.join((*own, ''))[:-2]}{' and ' * bool(own)}budget"
                for name, own in read.items()))
    if "algorithms" in keys and len(problems := _problems(experiments)) > 1:
        raise InvalidValueError(f"the experiments {', '.join(experiments)} measure algorithms of "
                                f"{' and '.join(sorted(problems))}; name those of one problem")


def check_others(others: Mapping[str, Any]) -> None:
    """Reject fields that no experiment declares, and numbers above their limits.

    Raises
    ------
    InvalidValueError
        naming the field, and what is allowed.
    """
    known = declared() if others else {}
    for name, value in others.items():
        if name not in known:
            raise InvalidValueError(unknown("key", name, [*Preset.__dataclass_fields__, *known]))
        if (most := known[name].most) is not None:
            require_within(name, value, most)


def problem_of(experiments: Sequence[str]) -> str:
    """Return the problem whose algorithms some experiments measure: queens, or what all are on.

    >>> problem_of(["transitions"]), problem_of(["rates"]), problem_of(["rates", "points"])
    ('instances', 'sudoku', 'queens')
    """
    problems = _problems(experiments)
    return problems.pop() if len(problems) == 1 else "queens"


def _problems(experiments: Iterable[str]) -> set[str]:
    found = map(EXPERIMENTS.find, experiments)
    return {each.problem for each in found if "algorithms" in each.reads}


@dataclass(frozen=True, init=False)
class Preset:
    """What a study measures, and how much.

    Attributes
    ----------
    budget
        seconds for all, though n <= SMALL is always measured.
    first_n, max_n
        the smallest and the largest n measured.
    n
        every n measured, in rising order; if it is empty, those from `first_n` to `max_n`.
    samples
        rounds of a point in each process.
    share
        the part of the budget that all rounds of one point may take.
    experiments
        names of experiments of the topics, in the order in which each process runs them.
    solvers
        which solvers the experiment "points" measures, see the function `solvers`.
    algorithms
        what it measures instead: solvers, or algorithms or their names as in
        `nqbench.problems.plugins`; if its experiments are on instances of queens or on Sudoku,
        names of algorithms of these.
    baseline
        name of the algorithm that the others are compared with, as NAME or NAME@IMPLEMENTATION.
    processes
        how many processes take samples, one after the other.
    shortest
        seconds of a sample at least.
    patience
        the part of the budget for repeating samples because the machine was disturbed.
    time_limit
        seconds after which each search is stopped, if its budget does not do that before; 0 for
        none.
    memory_limit, process_limit, file_limit, cores
        those of `nqbench.problems.plugins.limits.Limits`; without a memory_limit, half of the
        machine's.
    others
        the fields that its experiments declare, by name: `preset[FIELD]` is the value of one. They
        can be given by their names, too, like the fields above.
    metrics
        names of the metrics that the experiment "points" measures. Seconds and solutions are always
        measured: the budget needs the seconds, and the check of all totals needs the solutions. By
        default, all counters are measured, too.

    Raises
    ------
    InvalidValueError
        naming a field that there is not, or a number that is negative or above its limit.

    Examples
    --------
    >>> Preset(budget=1, n=(8,), processes=10**6)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: processes must be at most 1,000, not 1000000
    >>> Preset(budget=1, probes=100).others
    {'probes': 100}
    """

    budget: float
    max_n: int = 0
    samples: int = SAMPLES
    share: float = 1.0
    first_n: int = 1
    experiments: tuple[str, ...] = ("points", "checks", "rates", "estimates")
    solvers: str = "algorithms"
    processes: int = PROCESSES
    shortest: float = SHORTEST
    patience: float = PATIENCE
    metrics: tuple[str, ...] = ()
    algorithms: tuple[Any, ...] = ()
    baseline: str = ""
    n: tuple[int, ...] = ()
    time_limit: float = 0.0
    memory_limit: int = 0
    process_limit: int = Limits.processes
    file_limit: int = Limits.file_size
    cores: int = Limits.cores
    others: Mapping[str, Any] = field(default_factory=dict)

    def __init__(self, budget: float, others: Mapping[str, Any] | None = None,
                 **given: Any) -> None:
        usual = {each.name: each.default for each in fields(self)}
        own = {name: value for name, value in given.items() if name not in usual}
        check_others(own)
        shared = {name: given.get(name, value) for name, value in usual.items()}
        vars(self).update(shared, budget=budget, others={**(others or {}), **own})
        for name, most in MOST.items():
            require_within(name, getattr(self, name), most)

    def __getitem__(self, field: Field[Value]) -> Value:
        """Return the value of a field that experiments declare."""
        value: Value = self.others.get(field.name, field.default)
        return value

    def measures(self, metric: Metric) -> bool:
        """Return whether the experiment "points" measures a metric.

        >>> from nqbench.search.metrics import METRICS
        >>> few, usual = Preset(budget=1, metrics=("nodes", "cycles")), Preset(budget=1)
        >>> [(few.measures(METRICS[name]), usual.measures(METRICS[name]))
        ...  for name in ("seconds", "nodes", "tests", "cycles")]
        [(True, True), (True, True), (False, True), (True, False)]
        """
        if metric.name in ALWAYS or metric.name in self.metrics:
            return True
        return not self.metrics and metric.kind == Kind.COUNTER

    @property
    def searches(self) -> tuple[str, ...]:
        """Return its `algorithms`, if they are those of instances, or of Sudoku: their names."""
        return self.algorithms if problem_of(self.experiments) != "queens" else ()

    @property
    def chosen(self) -> list[Solver]:
        """Return the solvers of its `algorithms`, if they are those of queens."""
        return [] if self.searches else [
            solver for each in self.algorithms
            for solver in ([each] if isinstance(each, Solver) else find_solvers(each))]

    @property
    def named(self) -> list[Algorithm[Any, Any]]:
        """Return its `algorithms` themselves, of whatever problem."""
        problem = problem_of(self.experiments)
        return [*(resolve_all(name, problem)[0][0] for name in self.searches),
                *(solver.algorithm for solver in self.chosen)]

    @property
    def sizes(self) -> Sequence[int]:
        """Return every n that is measured."""
        return self.n or range(self.first_n, self.max_n + 1)

    @property
    def limits(self) -> Limits:
        """Return what each search may take beside its time."""
        return Limits(self.memory_limit or memory_allowed(), self.process_limit, self.file_limit,
                      self.cores)

    @property
    def alone(self) -> bool:
        """Return whether one experiment has the whole budget."""
        return len(self.experiments) == 1

    def rounds(self, n: int) -> int:
        """Return how many rounds each process takes at n."""
        return 1 if n <= SMALL else self.samples

    def sample_seconds(self, n: int) -> float:
        """Return how long a sample of n lasts at least."""
        return min(TINY, self.shortest) if n <= SMALL else self.shortest


def _make(given: Mapping[str, Any]) -> Preset:
    """Return a preset of the package; its other fields are checked when a study begins, as this
    must not import the topics.
    """
    own = {each.name for each in fields(Preset)}
    made: dict[bool, dict[str, Any]] = {True: {}, False: {}}
    for key, value in given.items():
        made[key in own][key] = tuple(value) if isinstance(value, list) else value
    return Preset(**made[True], others=made[False])


PRESETS = {name: _make(fields) for name, fields in presets().items()}


def require_metrics(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of metrics that a study can measure of a search, each once.

    Raises
    ------
    InvalidValueError
        if there is none, or if one is not the name of such a metric.

    Examples
    --------
    >>> require_metrics(["nodes", "seconds", "nodes"])
    ('nodes', 'seconds')
    >>> require_metrics(["nods"])
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no metric 'nods'; did you mean nodes or seconds?
    """
    known = [metric.name for metric in METRICS.values() if metric.kind != Kind.OTHER]
    for name in names:
        if require_text(name, "metric") not in known:
            raise InvalidValueError(unknown("metric", name, known) if name not in METRICS else
                                    f"{name!r} is not a metric of a search; see `nqbench list "
                                    "--metrics`")
    if not names:
        raise InvalidValueError("metrics must be the name of at least one")
    return tuple(dict.fromkeys(names))


def solvers(n: int, preset: Preset) -> list[Solver]:
    """Return the solvers that a preset measures at n: those of its `algorithms`, or else a kind.

    "algorithms" are all algorithms that find all solutions; "pruning" are those of them that
    prune, "symmetry" those that use some symmetry and the plain search; "engine" are the kernels
    of both engines and Somers' program.
    """
    if preset.algorithms:
        return [solver for solver in preset.chosen if n <= solver.largest_n]
    if preset.solvers == "engine":
        able, threads = engine.kernels(), {1, engine.cores()}
        return [Solver(catalogue()["somers"], "cython")] + [
            Solver(catalogue()[name], "cython", kernel, jobs) for name in engine.engines()
            for kernel in able for jobs in sorted(threads) if jobs == 1 or kernel == able[0]]
    chosen = [algorithm for algorithm in catalogue().values() if algorithm.exhaustive and {
        "algorithms": True, "pruning": algorithm.tree != Tree.NONE,
        "symmetry": algorithm.name == PLAIN or algorithm.uses_symmetry,
    }[preset.solvers]]
    return [Solver(algorithm, name) for algorithm in chosen
            for name, implementation in algorithm.implementations.items()
            if n <= implementation.largest_n]


def find_solvers(notation: object) -> list[Solver]:
    """Return the solvers that a notation of `nqbench.problems.plugins` names: every implementation
    of each algorithm, or only the one after an @.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is none, or if a study cannot measure it.

    Examples
    --------
    >>> [str(solver) for solver in find_solvers("somers@python")]
    ['somers (python)']
    >>> find_solvers("explicit")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: a study measures algorithms that find all solutions; ...
    """
    found = []
    for algorithm, implementation in resolve_all(notation):
        make_known(algorithm)
        if not algorithm.exhaustive:
            raise InvalidValueError("a study measures algorithms that find all solutions; "
                                    f"{algorithm.name} finds {algorithm.finds}")
        found += [Solver(algorithm, way) for way in algorithm.implementations
                  if implementation in (None, way)]
    return found


def make_known(algorithm: Algorithm[Any, Any]) -> None:
    """Register an external algorithm under its name, so that other processes find it."""
    name = algorithm.name
    if is_outside(algorithm) and name.isidentifier() and registered().get(name) != algorithm:
        register(algorithm)


def is_compiled() -> bool:
    """Return whether the engine and Somers' program are compiled."""
    return engine.available() and "cython" in catalogue()["somers"].implementations
