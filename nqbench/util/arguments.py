"""Check arguments: return a value of the right type and size, or raise an error that names it."""

from math import inf
from numbers import Real
from operator import index

from nqbench.errors import InvalidTypeError, InvalidValueError

N_DIGITS = 18  # of the largest number in a text; no board has as many rows
MOST_BITS = 256  # of a whole number; products and quotients of a few fit into a float


def require_whole(value: object, name: str = "n", least: int = 0) -> int:
    """Return `value` as an int >= `least`.

    Integers of other libraries (anything with ``__index__``) are accepted; bools,
    floats and text are not.

    Raises
    ------
    TypeError
        if the value is not an integer.
    ValueError
        if it is negative, less than `least`, or has more than 256 bits.

    Examples
    --------
    >>> require_whole(8)
    8
    >>> require_whole(0, "jobs", least=1)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: jobs must be 1 or more, not 0
    >>> require_whole(8.0)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidTypeError: n must be a whole number, 0 or more, not 8.0
    >>> require_whole(-1)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: n must be a whole number, 0 or more, not -1
    """
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is not None and number.bit_length() > MOST_BITS:  # Python refuses to print it
        raise InvalidValueError(
            f"{name} is far too large: a number of {number.bit_length():,} bits")
    message = f"{name} must be a whole number, {least} or more, not {value!r}"
    if number is None or isinstance(value, bool):
        raise InvalidTypeError(message)
    if number < 0:
        raise InvalidValueError(message)
    if number < least:
        raise InvalidValueError(f"{name} must be {least} or more, not {number}")
    return number


def require_text(value: object, name: str) -> str:
    """Return `value` if it is a string.

    Raises
    ------
    TypeError
        if it is not.

    Examples
    --------
    >>> require_text(8, "algorithm")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidTypeError: algorithm must be a string, not a value of type int
    """
    if not isinstance(value, str):
        raise InvalidTypeError(
            f"{name} must be a string, not a value of type {type(value).__name__}")
    return value


def require_seconds(value: object, name: str = "budget") -> float:
    """Return `value` as a time above 0.

    Raises
    ------
    TypeError, ValueError
        if it is not; the message names the value and what is allowed.

    Examples
    --------
    >>> require_seconds(2)
    2.0
    >>> require_seconds(-1)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: budget must be a number of seconds above 0, not -1
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InvalidTypeError(f"{name} must be a number of seconds above 0, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise InvalidValueError(f"{name} is far too large for a number of seconds") from None
    message = f"{name} must be a number of seconds above 0, not {value!r}"
    if not 0 < number < inf:
        raise InvalidValueError(message)
    return number
