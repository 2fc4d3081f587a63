"""Results as text, and as tables that notebooks show."""

from collections.abc import Iterable, Mapping, Sequence
from math import floor, inf, isfinite, log10
from typing import Any


def spaced(value: object) -> str:
    """Return a value as text: a list with spaces between, nothing for None.

    >>> spaced([1, 8, 42]), spaced(92), spaced(None)
    ('1 8 42', '92', '')
    """
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def format_count(value: list[int] | float | None) -> str:
    """Return a counter as text.

    >>> format_count([1, 8, 42]), format_count(2057), format_count(None)
    ('1 8 42', '2,057', 'not counted')
    """
    return "not counted" if value is None else (
        spaced(value) if isinstance(value, list) else f"{value:,}")


def both_ends(text: str, each: int, between: str = " ... ") -> str:
    """Return a text, or so many characters at each end of one with more than both.

    >>> both_ends("backtracking", 6), both_ends("backtracking", 4)
    ('backtracking', 'back ... king')
    """
    return text if len(text) <= 2 * each else f"{text[:each]}{between}{text[-each:]}"


def printable(text: str) -> str:
    """Return text in one line; replace non-printable characters (controls, surrogates, marks
    that change the direction) with U+FFFD.

    >>> printable("one\\ntwo\\x1b[31m")
    'one two\ufffd[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def some(texts: Sequence[str], most: int, between: str = ", ", last: str = " ") -> str:
    """Return the first texts in one line, and how many more there are.

    >>> some(["a", "b"], 2), some(["a", "b", "c"], 2), some(["a", "b"], 1, "; ", "; ")
    ('a, b', 'a, b and 1 more', 'a; and 1 more')
    """
    more = f"{last}and {len(texts) - most} more" if len(texts) > most else ""
    return between.join(texts[:most]) + more


def plural(number: int, one: str, many: str = "") -> str:
    """Return the singular for one, and the plural for any other number; by default the plural adds
    an s.

    >>> plural(1, "core"), plural(2, "core"), plural(0, "process", "processes")
    ('core', 'cores', 'processes')
    """
    return one if number == 1 else many or f"{one}s"


MANY = 20  # words in a message


def unknown(what: str, value: str, allowed: Iterable[str], see: str = "") -> str:
    """Return the message for a word that is not allowed: it suggests similar ones, or lists all; if
    there are too many for a message, it says what to `see`.

    >>> unknown("preset", "swift", ["quick", "full"])
    "there is no preset 'swift'; there are quick, full"
    >>> unknown("preset", "quik", ["quick", "full"])
    "there is no preset 'quik'; did you mean quick?"
    """
    from difflib import get_close_matches

    known = list(allowed)
    near = get_close_matches(value, known, n=3, cutoff=0.5) or [
        each for each in known if each.lower() == value.lower()]
    advice = (f"did you mean {' or '.join(near)}?" if near else
              see if see and len(known) > MANY else f"there are {', '.join(known)}")
    return f"there is no {what} {value!r}; {advice}"


HOUR = 3600.0
DAY = 24 * HOUR
YEAR = 365.25 * DAY
AGES = 1e9 * YEAR  # more years are not written exactly
TIME_UNITS = {"year": YEAR, "day": DAY, "hour": HOUR, "minute": 60.0,
              "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
BYTE_UNITS = {"TB": 1e12, "GB": 1e9, "MB": 1e6, "kB": 1e3}
LARGE = 1e6  # an inexact number from here on is written as a power of 10
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_seconds(seconds: float) -> str:
    """Return a time in the most readable unit.

    >>> format_seconds(3.47e-05), format_seconds(0.0213), format_seconds(60), format_seconds(97.0)
    ('34.7 µs', '21.3 ms', '1 minute', '1.62 minutes')
    >>> format_seconds(0.9996)
    '1 s'
    >>> format_seconds(0), format_seconds(5e9), format_seconds(5e11), format_seconds(1e200)
    ('0 s', '158 years', '15,800 years', 'a billion years or more')
    """
    if seconds > AGES:
        return "a billion years or more"
    name, unit = _find_unit(TIME_UNITS, float(f"{seconds:.3g}"), "s")
    return _with_unit(_three_digits(seconds / unit), name)


def _find_unit(units: Mapping[str, float], value: float, usual: str) -> tuple[str, float]:
    """Return the most readable unit of a value, in the singular, and its size."""
    name = next((name for name, size in units.items() if value >= size), usual)
    return name, units[name]


def _with_unit(number: str, name: str) -> str:
    return f"{number} {name}{'s' * (TIME_UNITS[name] > 1 and number != '1')}"


def format_bytes(size: float) -> str:
    """Return a number of bytes in the most readable unit.

    >>> format_bytes(1_500), format_bytes(47_050_138_146), format_bytes(1e200)
    ('1.5 kB', '47.1 GB', 'a million TB or more')
    """
    if size > 1e18:
        return "a million TB or more"
    name, unit = _find_unit(BYTE_UNITS, size, "kB")
    return f"{_three_digits(size / unit)} {name}"


def format_float(value: float) -> str:
    """Return an inexact number with three digits, and a large or small one as a power of 10.

    >>> format_float(1141190303.5), format_float(46752.25), format_float(0.0213), format_float(0.0)
    ('1.14 × 10⁹', '46,800', '0.0213', '0')
    >>> format_float(1.48e-05), format_float(-2e300)
    ('1.48 × 10⁻⁵', '-2 × 10³⁰⁰')
    """
    if value == 0 or 1e-3 <= abs(value) < LARGE:
        return _three_digits(value)
    if not isfinite(value):
        return f"{value:g}"
    digits, power = f"{value:.2e}".split("e")
    return f"{float(digits):g} × {_power(int(power))}"


def format_quotient(value: float) -> str:
    """Return a quotient with three digits, or as many as tell it from 1.

    >>> [format_quotient(value) for value in (1.0, 4737 / 4720, 0.99996, 46752.25)]
    ['1', '1.004', '0.99996', '46,800']
    """
    texts = (format_float(value), *(f"{value:.{digits}g}" for digits in range(4, 18)))
    return next((text for text in texts if text != "1"), "1")


def format_justified(value: float, low: float, high: float) -> str:
    """Return a number with the digits that its interval justifies.

    >>> format_justified(32.41, 31.8, 33.7), format_justified(763551.2, 761000, 764100)
    ('32', '764,000')
    >>> format_justified(181403238.4, 180112614.9, 182025679.3), format_justified(2, 2 - 1e-12, 2)
    ('1.81 × 10⁸', '2')
    """
    known = _known_to(value, low, high)
    if not known:
        return format_float(value)
    power = _power_of_ten(value)
    number = _justify(value / 10.0 ** power, known / 10.0 ** power)
    return f"{number} × {_power(power)}" if power else number


def format_range(value: float, low: float, high: float, unit: str = "") -> str:
    """Return a number with its interval, all with the digits that the farther end justifies. A time
    in "seconds" gets the most readable unit, and a ratio the unit "×". If the interval has no
    bounds, return the number alone.

    >>> format_range(1.481e-05, 1.466e-05, 1.499e-05, "seconds")
    '14.8 µs (14.7 to 15.0)'
    >>> format_range(32.41, 31.8, 33.7, "×"), format_range(4.31e9, 4.26e9, 4.35e9)
    ('32× (32 to 34)', '4.31 (4.26 to 4.35) × 10⁹')
    >>> format_range(97.0, 96.9, 97.3, "seconds"), format_range(1.0, 1.0, 1.0, "×")
    ('1.617 minutes (1.615 to 1.622)', '1×')
    """
    known = _known_to(value, low, high)
    if not known:
        return format_seconds(value) if unit == "seconds" else f"{format_float(value)}{unit}"
    power = 0 if unit == "seconds" else _power_of_ten(value)
    name, size = _find_unit(TIME_UNITS, value, "s") if unit == "seconds" else (unit, 10.0 ** power)
    number, first, last = (_justify(each / size, known / size) for each in (value, low, high))
    ends = f"({first} to {last})"
    if power:
        return f"{number} {ends} × {_power(power)}{unit}"
    return f"{_with_unit(number, name) if unit == 'seconds' else number + unit} {ends}"


def _known_to(value: float, low: float, high: float) -> float:
    """Return how far the farther end of an interval is; 0 if it has no bounds, or if the value is
    exact but for the last digits of a float.
    """
    known = max(value - low, high - value)
    return known if 1e-9 * abs(value) < known < inf else 0.0


def _justify(value: float, error: float) -> str:
    """Return a number with the decimal places of the first digit of its error; one that would be 0
    keeps one digit.
    """
    places = -floor(log10(error))
    rounded = round(value, places)
    return (f"{rounded:,.{max(places, 0)}f}" if rounded or not value
            else format_float(float(f"{value:.0e}")))


def _power_of_ten(value: float) -> int:
    return floor(log10(value)) if value >= LARGE else 0


def _power(exponent: int) -> str:
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def _three_digits(value: float) -> str:
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 1000 else f"{rounded:g}"


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]],
               numeric: Sequence[str] = ()) -> str:
    """Return a table in HTML, which takes its colours from the page.

    The first cell of a row is its header; the columns named in `numeric` are aligned to the right.

    >>> html_table("Counters", ["name", "value"], [("nodes", 9)], ["value"]).count("<th ")
    3
    """
    from html import escape

    def cell(tag: str, column: str, value: object) -> str:
        side = "right" if column in numeric else "left"
        return f'<{tag} style="text-align: {side}">{escape(spaced(value))}</{tag.split()[0]}>'

    head = "".join(cell('th scope="col"', column, column) for column in columns)
    body = "".join("<tr>" + "".join(
        cell("td" if place else 'th scope="row"', column, value)
        for place, (column, value) in enumerate(zip(columns, row, strict=True))) + "</tr>\n"
        for row in rows)
    return (f'<table>\n<caption style="text-align: left">{escape(caption)}</caption>\n'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>")
