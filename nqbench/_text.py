"""Results as text, and as tables that notebooks show."""

from collections.abc import Iterable, Sequence
from typing import Any


def spaced(value: object) -> str:
    """Return a value as text: a list with spaces between, nothing for None.

    >>> spaced([1, 8, 42]), spaced(92), spaced(None)
    ('1 8 42', '92', '')
    """
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def printable(text: str) -> str:
    """Return text in one line; replace non-printable characters (controls, surrogates, marks
    that change the direction) with U+FFFD.

    >>> printable("one\\ntwo\\x1b[31m")
    'one two\ufffd[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def describe_error(error: BaseException) -> str:
    """Return the type of an error and the first line of its message.

    >>> describe_error(OSError("no route\\nat all"))
    'OSError: no route'
    """
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def unknown(what: str, value: str, allowed: Iterable[str]) -> str:
    """Return the message for a word that is not allowed: it suggests similar ones, or lists all.

    >>> unknown("preset", "swift", ["quick", "full"])
    "there is no preset 'swift'; there are quick, full"
    >>> unknown("preset", "quik", ["quick", "full"])
    "there is no preset 'quik'; did you mean quick?"
    """
    from difflib import get_close_matches

    known = list(allowed)
    near = get_close_matches(value, known, n=3, cutoff=0.5)
    advice = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    return f"there is no {what} {value!r}; {advice}"


HOUR = 3600.0
DAY = 24 * HOUR
YEAR = 365.25 * DAY
SPANS = (("years", YEAR), ("days", DAY), ("hours", HOUR), ("minutes", 60.0), ("s", 1.0),
         ("ms", 1e-3))
AGES = 1e9 * YEAR  # no figure says more than this


def span(seconds: float) -> str:
    """Return a time as text, in the unit that reads best.

    >>> span(0.0213), span(97.0), span(60), span(5e9), span(5e11), span(1e200)
    ('21.3 ms', '1.62 minutes', '1 minute', '158 years', '15,800 years', 'a billion years or more')
    """
    if seconds > AGES:
        return "a billion years or more"
    name, unit = next((entry for entry in SPANS if seconds >= entry[1]), SPANS[-1])
    figure = _three_digits(seconds / unit)
    return f"{figure} {name.removesuffix('s') if figure == '1' and unit > 1 else name}"


def volume(size: float) -> str:
    """Return a number of bytes as text, in the unit that reads best.

    >>> volume(1_500), volume(47_050_138_146), volume(1e200)
    ('1.5 kB', '47.1 GB', 'a million TB or more')
    """
    if size > 1e18:
        return "a million TB or more"
    for name, unit in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if size >= unit:
            return f"{_three_digits(size / unit)} {name}"
    return f"{_three_digits(size / 1e3)} kB"


def _three_digits(value: float) -> str:
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 1000 else f"{rounded:g}"


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]],
               numeric: Sequence[str] = ()) -> str:
    """Return a table in HTML, in the colours of the page that shows it.

    The first cell of a row is its head; columns named in `numeric` are aligned to the right.

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
