"""Numbers and tables for people: as CSV and Markdown, and on the page with their units and
intervals.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd

from nqbench.records.descriptions import presets
from nqbench.util.text import (
    format_bytes,
    format_float,
    format_justified,
    format_quotient,
    format_range,
    format_seconds,
)

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how one begins
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
CODE = re.compile("(`[^`]*`)")
EXACT = 1e12  # a larger number that is no whole one is an estimate
NUMBERS = ("None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
           "Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen",
           "Eighteen", "Nineteen", "Twenty")  # as they begin a sentence


def to_csv(table: pd.DataFrame) -> str:
    """Return the frame as CSV with a line feed after each row, numbers in full, lists as JSON.

    A spreadsheet takes a text that begins with =, +, -, @, a tab or a carriage return for a
    formula. An apostrophe before it makes it text (OWASP, CSV injection); numbers stay.

    >>> table = pd.DataFrame({"@who": ["=1+1", "-0.5", "me"], "off": [-0.5, 1.0, 2.0]})
    >>> print(to_csv(table), end="")
    '@who,off
    '=1+1,-0.5
    -0.5,1.0
    me,2.0
    """
    safe = pd.DataFrame({number: column if pd.api.types.is_numeric_dtype(column) else
                         pd.Series(map(_to_cell, column), column.index, object)
                         for number, (_, column) in enumerate(table.items())})
    return str(safe.to_csv(index=False, header=list(map(_to_cell, table.columns)),
                           lineterminator="\n"))


def _to_cell(value: Any) -> Any:
    """Return a value for a cell, a list as JSON; no spreadsheet takes it for a formula."""
    if isinstance(value, list | dict):
        return json.dumps(value)
    if not isinstance(value, str) or not value.startswith(FORMULA):
        return value
    return value if _NUMBER.fullmatch(value) else f"'{value}"


def to_markdown(table: pd.DataFrame, marked: bool = False) -> str:
    """Return the frame as a Markdown table, with numbers as people read them.

    Markup in its texts is escaped, unless they are `marked` up on purpose. HTML is escaped in
    both, except within `code`, where it has no meaning.

    >>> print(to_markdown(pd.DataFrame({"a": ["<b> & `x < 2`"]}), marked=True).splitlines()[2])
    | &lt;b&gt; &amp; `x < 2` |
    """
    special = re.compile(r"([|])" if marked else r"([|\\`*\[])")

    def text(value: Any) -> str:
        if isinstance(value, int | float):
            return format_number(value)
        parts = CODE.split(format_number(value)) if marked else [format_number(value)]
        parts[::2] = [escape(part, quote=False) for part in parts[::2]]
        return special.sub(r"\\\1", "".join(parts))

    def quotient(value: Any) -> str:
        return format_quotient(value) if isinstance(value, float) and value < 1000 else text(value)

    cells = table.map(text)
    for name in {*QUOTIENTS} & {*table}:
        cells[name] = table[name].map(quotient)
    cells = cells.rename(columns=text)
    rows = [[*cells], *cells.to_numpy().tolist()]
    widths = [max(len(name) + 2, *map(len, column), 0) for name, *column in zip(*rows, strict=True)]
    lines = [f"| {' | '.join(map(str.ljust, row, widths))} |\n" for row in rows]
    lines.insert(1, "|".join(["", *(f":{'-' * (width + 1)}" for width in widths), "\n"]))
    return "".join(lines)


def format_number(value: Any) -> str:
    """Return a number as text for people; anything else as text.

    >>> [format_number(value) for value in (46752, 0.00123456, "A000170", 999.7, 1e21 / 3)]
    ['46,752', '0.00123', 'A000170', '1,000', '3.3333e+20']
    """
    if value is None or value is pd.NA:
        return ""
    if isinstance(value, bool):
        return str(value or "")
    if isinstance(value, float):
        if value != value:
            return ""
        if abs(value) < 999.5:
            return f"{value:,.3g}"
        return f"{value:,.0f}" if abs(value) < EXACT else f"{value:.5g}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def format_first(number: int) -> str:
    """Return a number as it begins a sentence: in words up to twenty.

    >>> format_first(6), format_first(31)
    ('Six', '31')
    """
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def format_rate(rate: float, low: float, high: float) -> str:
    """Return a rate in full, with the digits that its interval justifies.

    >>> format_rate(1234567.0, 1.22e6, 1.24e6), format_rate(61234.0, 6e4, 6.2e4)
    ('1,230,000', '61,000')
    """
    text = format_justified(rate, low, high)
    digits, power, _ = text.replace(".", "").partition(" \N{MULTIPLICATION SIGN} ")
    return f"{float(f'{rate:.{len(digits) - 1}e}'):,.0f}" if power else text


def format_command(context: Mapping[str, Any]) -> str:
    """Return the command that made a run, from the context of the run; empty if its plan is that of
    a study file or of options, which the context does not have.

    >>> format_command({"preset": "quick", "budget": 60.0}), format_command({"preset": "mine"})
    ('nqbench study --preset quick --budget 60', '')
    >>> format_command({"budget": 2.5}), format_command({})
    ('nqbench study --budget 2.5', 'nqbench study')
    """
    preset, budget = context.get("preset"), context.get("budget")
    metrics = ",".join(context.get("metrics") or ())
    return "" if preset and preset not in presets() else (
        f"nqbench study{f' --preset {preset}' if preset else ''}"
            f"{f' --budget {budget:g}' if budget else ''}"
            f"{f' --metrics {metrics}' if metrics else ''}")


SECONDS, TIMES, BYTES = "seconds", "×", "bytes"
COUNTS = "counts"  # of which the number is a quotient
QUOTIENTS = ("nodes", "tests", "fewer_nodes")  # columns that may be quotients of counts
LONGER = "longer"  # times as long; below 1, the cell says how many times as fast
FASTER = " as fast"
UNITS = {"seconds": SECONDS, "core_seconds": SECONDS, "slowest_seconds": SECONDS,
         "times": TIMES, "ratio": TIMES, "time": TIMES, "geometric mean": TIMES, "saved": TIMES,
         "growth": TIMES, "cross_over_join": TIMES, "somers_over_join": TIMES,
         "fewer_nodes": COUNTS, "checkpoint": BYTES}  # by the name of a column, without its n
MILLION = 1e6
BOUNDS = ["at_most", "error"]  # columns between a number and its interval
CLASSES = {"ok": "ok", "differs": "bad"}  # of cells with these texts
RANGE = re.compile(r"[\d.,]+ (?:to|\([\d.,]+ to) [\d.,]+\)?$")  # is not broken into two lines


@dataclass(frozen=True)
class Cell:
    """A cell: its text, the number that it is sorted by if the text is rounded, and its class."""

    text: str
    value: float | None = None
    kind: str = ""


@dataclass(frozen=True)
class Table:
    """A table: the columns, each with whether it has numbers, and the rows, each with whether it
    is marked as bad.
    """

    columns: list[tuple[str, bool]]
    rows: list[tuple[bool, list[Cell]]]


def show(table: pd.DataFrame, units: Mapping[str, str] | None = None) -> Table:
    """Return a table as the page shows it, without columns for the ends of an interval. `units`
    adds to `UNITS`.

    >>> found = pd.DataFrame({"n": [8], "seconds": [1.481e-5], "low": [1.47e-5], "high": [1.5e-5]})
    >>> table = show(found)
    >>> [name for name, _ in table.columns], [cell.text for cell in table.rows[0][1]]
    (['n', 'seconds'], ['8', '14.8 µs (14.7 to 15.0)'])
    """
    known = UNITS | dict(units or {})
    ends = find_intervals([str(name) for name in table.columns])
    hidden = {end for pair in ends.values() for end in pair}
    names = [str(name) for name in table.columns if name not in hidden]
    rows = [(row.get("status") == "differs", [
        _cell(row[name], name, known.get(name.partition(", n = ")[0], ""),
              [row[end] for end in ends.get(name, ())]) for name in names])
            for row in table.to_dict("records")]
    cells = zip(*(row for _, row in rows), strict=True) if rows else [()] * len(names)
    return Table([(name.replace("_", " "), any(cell.kind == "number" for cell in column))
                  for name, column in zip(names, cells, strict=True)], rows)


def find_intervals(names: list[str]) -> dict[str, tuple[str, str]]:
    """Return by column the columns with the ends of its interval.

    >>> find_intervals(["n", "ratio", "at_most", "low", "high", "kappa", "kappa_low", "kappa_high"])
    {'ratio': ('low', 'high'), 'kappa': ('kappa_low', 'kappa_high')}
    """
    found = {}
    for place, name in enumerate(names):
        high = f"{name.removesuffix('low')}high"
        if place and name.endswith("low") and high in names:
            before = name.removesuffix("low").rstrip("_, ")
            owner = before or next(one for one in names[place - 1::-1] if one not in BOUNDS)
            if owner in names:
                found[owner] = (name, high)
    return found


def format_value(value: Any, unit: str = "", ends: tuple[float, float] | None = None) -> str:
    """Return a value as the page shows it, with the ends of its interval, if it has one: a number
    that is not whole with three digits.

    >>> format_value(1141190303), format_value(1141190303.5), format_value(69.0), format_value("N")
    ('1,141,190,303', '1.14 × 10⁹', '69', 'N')
    >>> format_value(0.0037, "seconds"), format_value(32.41, "×"), format_value(None)
    ('3.7 ms', '32.4×', '')
    >>> format_value(0.0042, "longer"), format_value(3430000.0, "×")
    ('238× as fast', '3.43 million×')
    """
    if not isinstance(value, float) or value != value:
        return format_bytes(value) if unit == BYTES and isinstance(value, int) else (
            format_number(value))
    if unit == LONGER and 0 < value < 1:
        return format_value(1 / value, TIMES, ends and (1 / ends[1], 1 / ends[0])) + FASTER
    unit = TIMES if unit == LONGER else unit
    if ends:
        return format_range(value, *ends, unit)
    if unit == SECONDS:
        return format_seconds(value)
    if unit == COUNTS:
        return format_quotient(value)
    if unit == TIMES and value >= MILLION:
        return f"{format_float(value / MILLION)} million{unit}"
    whole = value.is_integer() and abs(value) < EXACT and not unit
    return (f"{value:,.0f}" if whole else format_float(value)) + unit


def _cell(value: Any, name: str, unit: str, ends: list[Any]) -> Cell:
    """Return a cell of a column of that name and unit, with the ends of its interval, if any."""
    if isinstance(value, str) or pd.isna(value):
        kind = "range" if isinstance(value, str) and RANGE.match(value) else CLASSES.get(
            value, "warning" if name == "warning" else "")
        return Cell(format_value(value, unit), kind=kind)
    if isinstance(value, bool):
        return Cell(format_value(value))
    if not isinstance(value, float):
        return Cell(format_value(value, unit), value if unit else None, kind="number")
    known = (float(ends[0]), float(ends[1])) if ends and pd.notna(ends).all() else None
    return Cell(format_value(value, unit, known), value, "number")
