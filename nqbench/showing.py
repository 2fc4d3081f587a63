"""Results as text, and as tables that notebooks show."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def spaced(value: object) -> str:
    """A value as text: a list with spaces between, nothing for None.

    >>> spaced([1, 8, 42]), spaced(92), spaced(None)
    ('1 8 42', '92', '')
    """
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def printable(text: str) -> str:
    """Text in one line, with no character that does anything but show itself: those of other
    kinds (controls, halves of surrogates, marks that turn the direction) become U+FFFD.

    >>> printable("one\\ntwo\\x1b[31m")
    'one two\ufffd[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def said(error: BaseException) -> str:
    """What an error is, and the first line of what it says.

    >>> said(OSError("no route\\nat all"))
    'OSError: no route'
    """
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]],
               numeric: Sequence[str] = ()) -> str:
    """A table in HTML, in the colours of the page that shows it; the first cell of a row is its
    head, columns named in `numeric` are set to the right.

    >>> html_table("Counters", ["name", "value"], [("nodes", 9)], ["value"]).count("<th ")
    3
    """
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
