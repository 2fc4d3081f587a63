"""Study files: what a study measures, in TOML.

    [study]
    name = "masks"
    algorithms = ["bitmask", "bitmask_even_mirror", "somers@cython"]
    n = "6-12"
    samples = 10
    processes = 5
    metrics = ["seconds", "nodes", "dead_ends"]
    budget = "5 min"

The keys are fields of `nqbench.study.Preset`, and the name of the study. Only the algorithms and n
are needed.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from nqbench._arguments import require_seconds, require_text, require_whole
from nqbench._text import unknown
from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.study.presets import PRESETS, Preset, find_solvers, require_metrics

UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}
BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h)")
SIZES = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?")
MOST_SIZES = 1000
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


def parse_budget(value: object) -> float:
    """Return the seconds of a budget.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        if it is no time above 0.

    Examples
    --------
    >>> parse_budget("5 min"), parse_budget(90), parse_budget("1.5h")
    (300.0, 90.0, 5400.0)
    >>> parse_budget("5 weeks")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: budget must be a time as in 90, "30 s", "5 min" or "2 h", ...
    """
    if not isinstance(value, str):
        return require_seconds(value)
    matched = BUDGET.fullmatch(value.strip())
    if not matched:
        raise InvalidValueError('budget must be a time as in 90, "30 s", "5 min" or "2 h", not '
                                f"{value!r}")
    return require_seconds(float(matched[1]) * UNITS[matched[2]])


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
    for key in ("algorithms", "n"):
        if key not in chosen:
            raise InvalidValueError(f"a study needs {key}")
    return Preset(**{**DEFAULTS, **parse_fields(chosen)})


def parse_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of `Preset` from what a file or a caller gives for them; raise what
    `make_preset` raises.
    """
    return {key: KEYS[key](value) for key, value in given.items()}


def _parse_algorithms(value: object) -> tuple[str, ...]:
    names = parse_names(value, "algorithm")
    for name in names:
        find_solvers(name)
    return names


def read_study(path: str | Path) -> tuple[str, Preset]:
    """Return the name and the preset of a study file.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        naming the file, if it cannot be read or is no study file.
    """
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InvalidValueError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidValueError(f"{path} is not a study file in TOML: {error}") from None
    study = table.pop("study", None)
    if not isinstance(study, dict) or table:
        raise InvalidValueError(f"{path} must have one table, [study]")
    name = study.pop("name", path.stem)
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in (*PRESETS, CUSTOM):
        raise InvalidValueError(f"{path}: name must have 1 to 40 letters, digits, _, - or ., and "
                                f"not be that of a preset, not {name!r}")
    try:
        return name, make_preset(**study)
    except (InvalidTypeError, InvalidValueError) as error:
        raise type(error)(f"{path}: {error}") from None


CUSTOM = "custom"  # the name of a study that is described by options
DEFAULTS: Mapping[str, Any] = {"budget": 60.0, "samples": 5, "experiments": ("points",)}
KEYS: Mapping[str, Callable[[object], Any]] = {
    "algorithms": _parse_algorithms, "n": parse_sizes, "budget": parse_budget,
    "samples": partial(require_whole, name="samples", least=1),
    "processes": partial(require_whole, name="processes", least=1),
    "metrics": lambda value: require_metrics(parse_names(value, "metric"))}
