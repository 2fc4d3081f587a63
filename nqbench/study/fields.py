"""The fields of a preset: how they are read from a study file, and their limits."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_seconds, require_text
from nqbench.util.text import DAY, unknown

Value = TypeVar("Value")
Parser = Callable[[Any, str], Any]  # of what a study file gives, and of the name for messages
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}
BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h)")
SIZES = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?")
MOST_SIZES = 1000
MOST_NUMBERS = 1000  # in a list
YEAR = 366 * DAY  # the limit of seconds


@dataclass(frozen=True)
class Field(Generic[Value]):
    """A field of a preset that only some experiments read; they declare it in their `reads`.

    Attributes
    ----------
    name
        the key in study files; `preset[FIELD]` is its value.
    meaning
        what it is, in words.
    default
        its value in a preset that does not have it.
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
    >>> probes.parse(1, probes.name)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: probes must be 2 or more, not 1
    """

    name: str
    meaning: str
    default: Value
    parse: Callable[[Any, str], Value]
    most: float | None = None
    of_budget: bool = False
    needed: bool = False


def require_within(name: str, value: float | Sequence[float], most: float) -> None:
    """Reject the value of a field, or one of its values, that is negative or above its limit.

    Raises
    ------
    InvalidValueError
        naming it, and what is allowed.
    """
    numbers = value if isinstance(value, Sequence) else (value,)
    _require_few(name, numbers)
    for number in numbers:
        if not 0 <= number <= most:
            allowed = f"at most {int(most):,}" if number > 0 else "0 or more"
            raise InvalidValueError(f"{name} must be {allowed}, not {number}")


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
