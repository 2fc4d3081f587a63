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

The keys are the name of the study and fields of `nqbench.study.Preset`; only the algorithms and n
are needed. The path of an algorithm is relative to the folder of the study file. The presets in
the topics (`nqbench/topics/`) are study files, too; they name `experiments` or `solvers` instead of
algorithms.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems.instances.families import FAMILIES
from nqbench.problems.plugins.notation import find_all, names_file, resolve
from nqbench.problems.solver import Solver, SolverKey
from nqbench.records.record import CUSTOM
from nqbench.search.algorithm import Algorithm
from nqbench.study.experiments import EXPERIMENTS
from nqbench.study.presets import (
    KINDS,
    ON_INSTANCES,
    PRESETS,
    Preset,
    find_solvers,
    make_known,
    require_metrics,
)
from nqbench.util.arguments import require_seconds, require_text, require_whole
from nqbench.util.files import parse_toml, read_bounded
from nqbench.util.text import unknown

UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}
BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h)")
SIZES = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?")
MOST_SIZES = 1000
DEFAULTS: Mapping[str, Any] = {"budget": 60.0, "samples": 5, "experiments": ("points",)}
NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")


def parse_sizes(value: object) -> tuple[int, ...]:
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
    for part in (value.split(",") if isinstance(value, str) else
                 value if isinstance(value, list | tuple) else [value]):
        matched = SIZES.fullmatch(str(part).strip()) if not isinstance(part, bool) else None
        first, last = (int(matched[1]), int(matched[2] or matched[1])) if matched else (1, 0)
        if not first <= last < first + MOST_SIZES:
            raise InvalidValueError("n must be numbers of queens, as in 8, 6-12 or 6,8,10, not "
                                    f"{value!r}")
        found |= set(range(first, last + 1))
    if not found:
        raise InvalidValueError(f"n must be at least one number of queens, not {value!r}")
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
    matched = BUDGET.fullmatch(value.strip())
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


def make_preset(**chosen: Any) -> Preset:
    """Return the preset of a study of some algorithms and some n, with the fields of `Preset`.

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
        if key not in KEYS:
            raise InvalidValueError(unknown("key", key, KEYS))
    kinds = {"algorithms", "experiments", "solvers"} & chosen.keys()
    if not kinds:
        raise InvalidValueError("a study needs algorithms; add -a ALGORITHM")
    if kinds != {"experiments"} and not {"n", "max_n"} & chosen.keys():
        raise InvalidValueError("a study needs n; add -n, as in -n 6-10")
    return check_preset(Preset(**{**DEFAULTS, **parse_fields(chosen)}))


def parse_fields(given: Mapping[str, Any],
                 experiments: Sequence[str] = DEFAULTS["experiments"]) -> dict[str, Any]:
    """Return the fields of `Preset` from the values that a file or a caller gives; raise what
    `make_preset` raises. By default, the algorithms are those of the experiments.
    """
    if "experiments" in given:
        experiments = KEYS["experiments"](given["experiments"])
    keys = {**KEYS, "algorithms": parse_searches} if ON_INSTANCES.issuperset(experiments) else KEYS
    return {key: keys[key](value) for key, value in given.items()}


def check_preset(preset: Preset) -> Preset:
    """Return the preset if one of its algorithms accepts every n, and its baseline is one of its
    algorithms.

    Raises
    ------
    InvalidValueError
        if it is not.
    """
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
    given: Any = value.split(",") if isinstance(value, str) else (
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


def parse_searches(value: object) -> tuple[str, ...]:
    """Return the names of algorithms of instances of queens, each once.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if there is none, or if one cannot be found.

    Examples
    --------
    >>> parse_searches(["bitmask", "restarts_luby:7"])
    ('bitmask', 'restarts_luby:7')
    """
    kept: dict[str, Algorithm[Any, Any]] = {}
    for each in _list_algorithms(value):
        for found in find_all(each, "instances"):
            make_known(found)
            _require_same(kept.setdefault(found.name, found), found)
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
    if isinstance(named := given.get("algorithms"), list | str):
        found["algorithms"] = [
            find(each.strip() if isinstance(each, str) else each)
            for each in (named.split(",") if isinstance(named, str) else named)]
    if "baseline" in given:
        found["baseline"] = find(given["baseline"])
    return found


def to_table(name: str, preset: Preset) -> dict[str, Any]:
    """Return the study that a preset describes, as the keys of a study file.

    >>> to_table("masks", make_preset(algorithms="bitmask, somers@cython", n="4-5"))
    {'name': 'masks', 'budget': 60.0, 'samples': 5, 'algorithms': ['bitmask', 'somers@cython'], \
'n': [4, 5]}
    """
    usual = {field.name: field.default for field in fields(Preset)} | {
        "experiments": DEFAULTS["experiments"]}
    table = {key: list(value) if isinstance(value, tuple) else value
             for key, value in vars(preset).items() if value != usual[key]}
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


def read_study(path: str | Path) -> tuple[str, Preset]:
    """Return the name and the preset of a study file.

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
    study = table.pop("study", None)
    if not isinstance(study, dict) or table:
        raise InvalidValueError(f"{path} must have one table, [study]")
    name = study.pop("name", path.stem)
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in (*PRESETS, CUSTOM):
        raise InvalidValueError(f"{path}: name must have 1 to 40 letters, digits, _, - or ., and "
                                f"not be that of a preset, not {name!r}")
    try:
        return name, make_preset(**_find_files(path.parent, study))
    except (InvalidTypeError, InvalidValueError) as error:
        raise type(error)(f"{path}: {error}") from None


KEYS: Mapping[str, Callable[[Any], Any]] = {
    "algorithms": parse_algorithms, "baseline": parse_baseline, "n": parse_sizes,
    "metrics": lambda value: require_metrics(parse_names(value, "metric")),
    "experiments": lambda value: tuple(
        require_one(name, "experiment", EXPERIMENTS)
        for name in parse_names(value, "experiment")),
    "solvers": partial(require_one, name="kind of solvers", allowed=KINDS),
    **{name: partial(parse_seconds, name=name)
       for name in ("budget", "checks", "puzzles", "shortest")},
    **{name: partial(require_whole, name=name, least=1)
       for name in ("samples", "processes", "check_n", "first_n", "max_n", "instances", "nodes",
                    "seeds")},
    "probes": partial(require_whole, name="probes", least=2),
    "family": partial(require_one, name="family", allowed=FAMILIES),
    "amounts": lambda value: tuple(require_whole(each, "amounts") for each in (
        value if isinstance(value, list | tuple) else [value])),
    **{name: partial(require_share, name=name) for name in ("share", "patience")}}
