"""The plan of a study: what it measures, and how much.

A plan has experiments, and values of the fields that these read (`nqbench.study.fields`). A preset
is a plan of the package. Study files are plans in TOML:

    [study]
    name = "lookahead"
    algorithms = ["look_ahead.py", "bitmask", "somers@cython"]
    baseline = "bitmask"
    n = "6-12"
    samples = 10
    processes = 5
    metrics = ["seconds", "nodes", "dead_ends"]
    budget = "5 min"

The keys are the name of the study, its budget and experiments, and what these experiments declare
that they read (`nqbench.study.fields` has the usual ones). Any other key is an error. Only the
algorithms and n are needed. The path of an algorithm is relative to the folder of
the study file. The presets in the topics (`nqbench/topics/`) are study files, too; they name
`experiments` or `solvers` instead of algorithms.

    [programs.kluev]
    build = "g++ -O3 main.cpp -o queens"
    command = "./queens {threads} {n}"
    count = 'Result: (\\d+)'

A program is measured with the algorithms; its keys are the fields of
`nqbench.problems.plugins.programs.Program`.

    [grid]
    depth = [0, 1, 2, 4]
    order = ["rows", "fewest"]

Each algorithm that takes these parameters is measured with every combination of their values. The
others are measured once, and so is one that is named with values, as in `mine.py::mine:depth=8`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf, prod
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeVar

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems import Solver
from nqbench.problems.plugins.limits import Limits, memory_allowed
from nqbench.problems.plugins.notation import names_file
from nqbench.problems.plugins.programs import read_program
from nqbench.records.descriptions import presets
from nqbench.records.record import CUSTOM, SMALL
from nqbench.search.algorithm import Algorithm
from nqbench.search.metrics import Kind, Metric
from nqbench.study import fields
from nqbench.util.discovery import Members, read_topics
from nqbench.util.files import is_file, parse_toml, read_bounded
from nqbench.util.text import unknown

if TYPE_CHECKING:
    from nqbench.study.experiments import Experiment

Value = TypeVar("Value")

USUAL: tuple[str, ...] = ("points",)  # experiments
TINY = 0.001  # seconds of a sample for n <= SMALL
ALWAYS = ("seconds", "solutions")  # metrics
NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")  # of a study file
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

    def __getitem__(self, field: fields.Field[Value]) -> Value:
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
        return [solver.algorithm for solver in self[fields.ALGORITHMS]]

    @property
    def limits(self) -> Limits:
        """Return what each search may take beside its time."""
        memory, *others = (self[each] for each in fields.LIMITS)
        return Limits(memory or memory_allowed(), *others)

    def measures(self, metric: Metric) -> bool:
        """Return whether the experiment "points" measures a metric.

        >>> from nqbench.search.metrics import METRICS
        >>> few, usual = Plan("few").but(metrics=("nodes", "cpu_seconds")), Plan("usual")
        >>> [(few.measures(METRICS[name]), usual.measures(METRICS[name]))
        ...  for name in ("seconds", "nodes", "tests", "cpu_seconds")]
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
    >>> plan[fields.N], plan[fields.BUDGET], plan.experiments
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
        plan = plan.but(algorithms=vary(plan[fields.ALGORITHMS], grid, large))
    return check_plan(plan)


def choose(preset: str | Path | None, large: bool = False, **asked: object) -> Plan:
    """Return the plan of a study: a preset, by default `standard`, that of a file, which may have a
    `large` grid, or of what is `asked`: keys of a study file, None for those that are not.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is no such preset, or naming what is wrong and what is allowed.
    """
    given: dict[str, Any] = {key: value for key, value in asked.items() if value is not None}
    if str(preset).endswith(".toml"):
        plan = read_study(str(preset), large)
    elif "data" in given:
        return make_plan(experiments=["rates"], **given)
    elif {"algorithms", "n"} & given.keys() and preset is None:
        if "algorithms" in given and fields.are_for_instances(given["algorithms"]):
            given["experiments"] = "ladder"
        return make_plan(**given)
    else:
        plan = find_preset("standard" if preset is None else str(preset))
    plan = check_plan(plan.but(**parse(given, plan.experiments)))
    for experiment in plan.experiments:
        missing = find_experiment(experiment).missing(plan)
        if missing:
            raise InvalidValueError(f"the study {plan.name} needs {missing}")
    return plan


def parse(given: Mapping[str, Any], experiments: Sequence[str]) -> dict[str, Any]:
    """Return the values of what is given for fields that the experiments read, by name.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        naming the keys that none of them reads, a value that is not allowed, or experiments that
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
    if unread := [key for key in given if key not in read]:
        every = readable(experiment_names())
        unheard = next((key for key in unread if key not in every), None)
        raise InvalidValueError(unknown("key", unheard, every) if unheard is not None else (
            f"no experiment of this study reads {' or '.join(unread)}; " + "; ".join(
                f"{name} reads {', '.join(each.name for each in kind.reads)}"
                f"{' and ' * bool(kind.reads)}budget" for name, kind in kinds.items())))
    if fields.ALGORITHMS.name not in given:
        return {key: read[key].read(value) for key, value in given.items()}
    measured = [kind.problems for kind in kinds.values() if fields.ALGORITHMS in kind.reads]
    problem, *others = [name for name in measured[0]
                        if all(name in each for each in measured)] or [""]
    if not problem:
        raise InvalidValueError("algorithms are named for experiments of one problem: " + ", ".join(
            f"{name} is for {' or '.join(kind.problems)}" for name, kind in kinds.items()
            if fields.ALGORITHMS in kind.reads))
    if "instances" in others and fields.are_for_instances(given[fields.ALGORITHMS.name]):
        problem = "instances"
    return {key: fields.parse_algorithms(value, problem) if key == fields.ALGORITHMS.name else
            read[key].read(value) for key, value in given.items()}


def readable(experiments: Iterable[str]) -> dict[str, fields.Field[Any]]:
    """Return the fields that experiments read, and the budget, by name."""
    return {each.name: each for name in experiments
            for each in [fields.BUDGET, *find_experiment(name).reads]}


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
    solvers = plan[fields.ALGORITHMS]
    largest = max((solver.largest_n for solver in solvers), default=inf)
    if plan[fields.N] and plan[fields.N][-1] > largest:
        raise InvalidValueError(f"n must be at most {largest:,} for the algorithms of the study, "
                                f"not {plan[fields.N][-1]:,}")
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
    >>> solvers = fields.parse_algorithms("bitmask, restarts_luby", "instances")
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
    >>> find_preset("quick")[fields.N]
    (1, 2, 3, 4, 5, 6, 7, 8, 9)
    """
    return make_plan(name, **Members("preset", presets()).find(name))


def _find_files(folder: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a study file gives, with each path of an algorithm relative to a folder."""
    def find(name: object) -> object:
        return str(folder / name) if isinstance(name, str) and names_file(name) else name

    found = dict(given)
    if "algorithms" in given:
        found["algorithms"] = [find(each) for each in fields.split_algorithms(given["algorithms"])]
    if "baseline" in given:
        found["baseline"] = find(given["baseline"])
    if "data" in given:
        found["data"] = [str(folder / name) if is_file(str(folder / name)) else name
                         for name in fields.parse_names(given["data"], "data set")]
    return found


def to_table(plan: Plan) -> dict[str, Any]:
    """Return the study that a plan describes, as the keys of a study file.

    >>> to_table(make_plan("masks", algorithms="bitmask, somers@cython", n="4-5"))
    {'name': 'masks', 'algorithms': ['bitmask', 'somers@cython'], 'n': [4, 5]}
    """
    usual = {name: field.default for name, field in readable(plan.experiments).items()}
    table = {key: list(value) if isinstance(value, tuple) else value
             for key, value in {"experiments": plan.experiments, **plan.given}.items()
             if value != usual.get(key, USUAL)}
    if plan[fields.ALGORITHMS]:
        table["algorithms"] = _name(plan[fields.ALGORITHMS])
    return {"name": plan.name, **table}


def _name(solvers: Sequence[Solver]) -> list[str]:
    """Return the names of solvers; omit the implementation if all implementations are included."""
    found: list[str] = []
    for solver in solvers:
        algorithm = solver.algorithm
        ways = {each.implementation for each in solvers if each.algorithm is algorithm}
        found.append(algorithm.name if ways == set(algorithm.implementations) else
                     f"{algorithm.name}@{solver.implementation}")
    return list(dict.fromkeys(found))


def read_study(path: str | Path, large: bool = False) -> Plan:
    """Return the plan of a study file, which may have a `large` grid.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        naming the file, if it cannot be read or is no study file.
    """
    path = Path(path)
    try:
        text = read_bounded(path)
    except OSError as error:
        raise InvalidValueError(f"{path} cannot be read: {error.strerror}") from None
    try:
        table = parse_toml(text.decode())
    except ValueError as error:
        raise InvalidValueError(f"{path} is not a study file in TOML: {error}") from None
    study, programs = table.pop("study", None), table.pop("programs", {})
    grid = table.pop("grid", None)
    if not isinstance(study, dict) or not isinstance(programs, dict) or table:
        raise InvalidValueError(f"{path} must have one table, [study], a table for each program, "
                                "as in [programs.mine], and [grid] for parameters")
    name = study.pop("name", path.stem)
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in (*presets(), CUSTOM):
        raise InvalidValueError(f"{path}: name must have 1 to 40 letters, digits, _, - or ., and "
                                f"not be that of a preset, not {name!r}")
    try:
        made = {each: read_program(each, given, path.parent) for each, given in programs.items()}
        if made:
            named = fields.split_algorithms(study["algorithms"]) if "algorithms" in study else []
            study["algorithms"] = [*named, *(each for each in made if each not in named)]
        return make_plan(name, grid, large, **_find_files(path.parent, study))
    except (InvalidTypeError, InvalidValueError) as error:
        raise type(error)(f"{path}: {error}") from None
