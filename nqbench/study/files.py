"""Study files: what a study measures, in TOML.

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
that they read: fields of `nqbench.study.Preset` and their own. Any other key is an error. Only the
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
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import product
from math import inf, prod
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems import Solver, SolverKey
from nqbench.problems.plugins.notation import names_file, resolve, resolve_all
from nqbench.problems.plugins.programs import read_program
from nqbench.records.record import CUSTOM
from nqbench.search.algorithm import Algorithm
from nqbench.study.fields import (
    Field,
    Parser,
    parse_names,
    parse_seconds,
    parse_sizes,
    require_one,
    require_share,
)
from nqbench.study.presets import (
    EXPERIMENTS,
    KINDS,
    LIMITS,
    PRESETS,
    Preset,
    check_others,
    declared,
    find_solvers,
    make_known,
    problem_of,
    require_metrics,
    require_read,
)
from nqbench.util.arguments import require_whole
from nqbench.util.files import is_file, parse_toml, read_bounded
from nqbench.util.text import unknown

DEFAULTS: Mapping[str, Any] = {"budget": 60.0, "experiments": ("points",)}
NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")
EITHER = (("n", "first_n"), ("n", "max_n"), ("algorithms", "solvers"))  # keys for the same
COMMA = re.compile(r",(?!\w+=)")  # between two algorithms, not between two parameters of one
MOST_CELLS = 1000  # of a grid, unless a larger one is wanted


def make_preset(grid: Any = None, large: bool = False, **chosen: Any) -> Preset:
    """Return the preset of a study of some algorithms and some n, with the fields of `Preset`; an
    algorithm that takes the parameters of a `grid` is measured with all combinations of their
    values, which may be more than 1,000 if it is `large`.

    By default it takes five samples in each process, for a minute at most.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        naming the field, and what is allowed.

    Examples
    --------
    >>> preset = make_preset(algorithms=["bitmask", "somers@cython"], n="6-8", budget="1 min")
    >>> preset.sizes, preset.budget, preset.experiments
    ((6, 7, 8), 60.0, ('points',))
    >>> make_preset(algorithm=["bitmask"], n=8)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no key 'algorithm'; did you mean algorithms?
    """
    for key in chosen:
        if key not in (keys := parsers()):
            raise InvalidValueError(unknown("key", key, keys))
    for key, other in EITHER:
        if {key, other} <= chosen.keys():
            raise InvalidValueError(f"{other} is not supported with {key}")
    kinds = {"algorithms", "experiments", "solvers"} & chosen.keys()
    if not kinds:
        raise InvalidValueError("a study needs algorithms; add -a ALGORITHM")
    fields = parse_fields(chosen)
    for name in fields.get("experiments", DEFAULTS["experiments"]):
        reads = EXPERIMENTS.find(name).reads
        if "n" in reads and not {"n", "max_n"} & chosen.keys():
            raise InvalidValueError("a study needs n; add -n, as in -n 6-10")
        for each in reads:
            if isinstance(each, Field) and each.needed and each.name not in chosen:
                raise InvalidValueError(f"the experiment {name} needs {each.name}: {each.meaning}")
    if grid is not None:
        fields["algorithms"] = vary(fields.get("algorithms", ()), grid, large)
    return check_preset(Preset(**{**DEFAULTS, **fields}))


def vary(solvers: Sequence[Any], grid: Any, large: bool = False) -> tuple[Solver, ...]:
    """Return solvers, in place of each that takes parameters of the grid its variants.

    Raises
    ------
    InvalidValueError
        if one does not take all of them, naming the nearest, if none takes any, if the grid has
        another form, or if it has more than 1,000 cells and is not wanted as `large`.

    Examples
    --------
    >>> solvers = [SolverKey(name, "python").find() for name in ("bitmask", "width_limited")]
    >>> [str(solver) for solver in vary(solvers, {"width": [2, 3]})]
    ['bitmask (python)', 'width_limited:2 (python)', 'width_limited (python)']
    """
    if not isinstance(grid, dict) or not all(isinstance(v, list) and v for v in grid.values()):
        raise InvalidValueError("[grid] must have a list of values for each parameter, as in "
                                f"depth = [0, 1, 2], not {grid!r:.80}")
    if (many := prod(map(len, grid.values()))) > MOST_CELLS and not large:
        raise InvalidValueError(f"the grid has {many:,} cells, more than {MOST_CELLS:,}; measure "
                                "them all the same with --yes")
    free = [each for each in solvers if isinstance(each, Solver)
            and each.algorithm.defaults and not each.algorithm.given]
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


def parse_fields(given: Mapping[str, Any],
                 experiments: Sequence[str] = DEFAULTS["experiments"]) -> dict[str, Any]:
    """Return the fields of `Preset` from the values that a file or a caller gives; raise what
    `make_preset` raises. By default, the algorithms are those of the experiments.
    """
    if "experiments" in given:
        experiments = KEYS["experiments"](given["experiments"], "experiments")
    require_read(given, experiments)
    keys = parsers()
    if (problem := problem_of(experiments)) != "queens":
        keys["algorithms"] = lambda value, _: parse_searches(value, problem)
    return {key: keys[key](value, key) for key, value in given.items()}


def parsers() -> dict[str, Parser]:
    """Return how each key is read: of a value, and of the key for messages."""
    return KEYS | {name: field.parse for name, field in declared().items()}


def check_preset(preset: Preset) -> Preset:
    """Return the preset if experiments declare its other fields, one of its algorithms accepts
    every n, and its baseline is one of its algorithms.

    Raises
    ------
    InvalidValueError
        if it is not.
    """
    check_others(preset.others)
    largest = max((solver.largest_n for solver in preset.chosen), default=inf)
    if preset.chosen and preset.sizes[-1] > largest:
        raise InvalidValueError(f"n must be at most {largest:,} for the algorithms of the study, "
                                f"not {preset.sizes[-1]:,}")
    names = {solver.algorithm.name for solver in preset.chosen}
    name, _, implementation = preset.baseline.partition("@")
    if not preset.baseline or any(
            solver.algorithm.name == name and implementation in ("", solver.implementation)
            for solver in preset.chosen):
        return preset
    raise InvalidValueError(f"baseline must be one of the algorithms of the study, "
                            f"{', '.join(sorted(names)) or 'but it names none'}, not "
                            f"{preset.baseline!r}")


def parse_algorithms(value: object) -> tuple[Solver, ...]:
    """Return the solvers of algorithms or their names, each solver once.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is none, if one cannot be found, or if a study cannot measure it.

    Examples
    --------
    >>> [str(solver) for solver in parse_algorithms("somers@cython, recursive, somers")]
    ['somers (cython)', 'recursive (python)', 'somers (python)']
    """
    found = [solver for each in _list_algorithms(value) for solver in find_solvers(each)]
    kept: dict[SolverKey, Solver] = {}
    for solver in found:
        other = kept.setdefault(solver.key, solver)
        _require_same(other.algorithm, solver.algorithm)
    return tuple(kept.values())


def _list_algorithms(value: object) -> list[Any]:
    """Return the algorithms of a list, or those in a text in which commas separate them."""
    given: Any = COMMA.split(value) if isinstance(value, str) else (
        value if isinstance(value, list | tuple) else [value])
    if not given:
        raise InvalidValueError("algorithms must be a list of at least one algorithm, not "
                                f"{value!r}")
    return [each.strip() if isinstance(each, str) else each for each in given]


def _require_same(one: Algorithm[Any, Any], other: Algorithm[Any, Any]) -> None:
    """Reject two algorithms with the same name."""
    if one is not other and one != other:
        raise InvalidValueError(f"two algorithms have the name {one.name!r}; give one of them "
                                "another name")


def parse_searches(value: object, problem: str = "instances") -> tuple[str, ...]:
    """Return the names of algorithms of a problem, with the implementation if one is chosen, each
    once.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is none, or if one cannot be found.

    Examples
    --------
    >>> parse_searches(["bitmask", "restarts_luby:7"]), parse_searches("fast@cython", "sudoku")
    (('bitmask', 'restarts_luby:7'), ('fast@cython',))
    """
    kept: dict[str, Algorithm[Any, Any]] = {}
    for each in _list_algorithms(value):
        for found, way in resolve_all(each, problem):
            make_known(found)
            name = f"{found.name}@{way}" if way else found.name
            _require_same(kept.setdefault(name, found), found)
    return tuple(kept)


def parse_baseline(value: object) -> str:
    """Return the name of an algorithm, with its implementation if one is chosen.

    >>> parse_baseline("somers@cython"), parse_baseline("somers")
    ('somers@cython', 'somers')
    """
    algorithm, implementation = resolve(value)
    return algorithm.name if implementation is None else f"{algorithm.name}@{implementation}"


def _find_files(folder: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a study file gives, with each path of an algorithm relative to a folder."""
    def find(name: object) -> object:
        return str(folder / name) if isinstance(name, str) and names_file(name) else name

    found = dict(given)
    if "algorithms" in given:
        found["algorithms"] = [find(each) for each in _list_algorithms(given["algorithms"])]
    if "baseline" in given:
        found["baseline"] = find(given["baseline"])
    if "data" in given:
        found["data"] = [str(folder / name) if is_file(str(folder / name)) else name
                         for name in parse_names(given["data"], "data set")]
    return found


def to_table(name: str, preset: Preset) -> dict[str, Any]:
    """Return the study that a preset describes, as the keys of a study file.

    >>> to_table("masks", make_preset(algorithms="bitmask, somers@cython", n="4-5"))
    {'name': 'masks', 'budget': 60.0, 'algorithms': ['bitmask', 'somers@cython'], 'n': [4, 5]}
    """
    usual = {field.name: field.default for field in fields(Preset)} | {
        name: field.default for name, field in declared().items()} | {
        "experiments": DEFAULTS["experiments"]}
    table = {key: list(value) if isinstance(value, tuple) else value
             for key, value in {**vars(preset), **preset.others}.items()
             if key != "others" and value != usual[key]}
    if preset.chosen:
        table["algorithms"] = _name(preset.chosen)
    return {"name": name, **table}


def _name(solvers: Sequence[Solver]) -> list[str]:
    """Return the names of solvers; omit the implementation if all implementations are included."""
    found: list[str] = []
    for solver in solvers:
        algorithm = solver.algorithm
        ways = {each.implementation for each in solvers if each.algorithm is algorithm}
        found.append(algorithm.name if ways == set(algorithm.implementations) else
                     f"{algorithm.name}@{solver.implementation}")
    return list(dict.fromkeys(found))


def read_study(path: str | Path, large: bool = False) -> tuple[str, Preset]:
    """Return the name and the preset of a study file, which may have a `large` grid.

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
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in (*PRESETS, CUSTOM):
        raise InvalidValueError(f"{path}: name must have 1 to 40 letters, digits, _, - or ., and "
                                f"not be that of a preset, not {name!r}")
    try:
        made = {each: read_program(each, given, path.parent) for each, given in programs.items()}
        if made:
            named = _list_algorithms(study["algorithms"]) if "algorithms" in study else []
            study["algorithms"] = [*named, *(each for each in made if each not in named)]
        return name, make_preset(grid, large, **_find_files(path.parent, study))
    except (InvalidTypeError, InvalidValueError) as error:
        raise type(error)(f"{path}: {error}") from None


KEYS: dict[str, Parser] = {  # of all presets; experiments declare others
    "algorithms": lambda value, _: parse_algorithms(value),
    "baseline": lambda value, _: parse_baseline(value),
    "n": parse_sizes,
    "metrics": lambda value, _: require_metrics(parse_names(value, "metric")),
    "experiments": lambda value, _: tuple(
        require_one(name, "experiment", EXPERIMENTS)
        for name in parse_names(value, "experiment")),
    "solvers": lambda value, _: require_one(value, "kind of solvers", KINDS),
    **dict.fromkeys(("budget", "shortest", "time_limit"), parse_seconds),
    **dict.fromkeys(LIMITS, require_whole),
    **dict.fromkeys(("samples", "processes", "first_n", "max_n"), partial(require_whole, least=1)),
    **dict.fromkeys(("share", "patience"), require_share)}
