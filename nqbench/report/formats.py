"""How frames and figures are written: for people, in Markdown, for LaTeX."""

import re
from html import escape
from typing import Any

import pandas as pd

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how one begins
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
CODE = re.compile("(`[^`]*`)")
EXACT = 1e12  # a larger number that is no whole one is an estimate
LONG_TEXT = 40  # characters; a column with longer ones has lines broken in LaTeX
LONG_TABLE = 40  # rows; a longer one goes over pages in LaTeX
# What pandas leaves as it is: text in the old fonts shows other signs for the first four, and
# the last two mean something at the start of a row.
TEX = str.maketrans({"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
                     "[": "{[}", "*": "{*}"})


def csv(table: pd.DataFrame) -> str:
    """The frame as CSV with a line feed after each row, numbers in full.

    A spreadsheet takes a text that begins with =, +, -, @, a tab or a carriage return for a
    formula. An apostrophe before it makes it text (OWASP, CSV injection); numbers stay.

    >>> print(csv(pd.DataFrame({"@who": ["=1+1", "-0.5", "me"], "off": [-0.5, 1.0, 2.0]})), end="")
    '@who,off
    '=1+1,-0.5
    -0.5,1.0
    me,2.0
    """
    safe = pd.DataFrame({number: column if pd.api.types.is_numeric_dtype(column) else
                         pd.Series(map(_no_formula, column), column.index, object)
                         for number, (_, column) in enumerate(table.items())})
    return str(safe.to_csv(index=False, header=list(map(_no_formula, table.columns)),
                           lineterminator="\n"))


def _no_formula(value: Any) -> Any:
    """A value that no spreadsheet takes for a formula."""
    if not isinstance(value, str) or not value.startswith(FORMULA):
        return value
    return value if _NUMBER.fullmatch(value) else f"'{value}"


def markdown(table: pd.DataFrame, marked: bool = False) -> str:
    """The frame as a Markdown table, with figures as people read them; what would be markup
    in its texts is shown as it stands, unless they are `marked` up on purpose; HTML is no
    markup in either, and needs no escape within `code`.

    >>> print(markdown(pd.DataFrame({"a": ["<b> & `x < 2`"]}), marked=True).splitlines()[2])
    | &lt;b&gt; &amp; `x < 2` |
    """
    special = re.compile(r"([|])" if marked else r"([|\\`*\[])")

    def text(value: Any) -> str:
        parts = CODE.split(figure(value)) if marked else [figure(value)]
        parts[::2] = [escape(part, quote=False) for part in parts[::2]]
        return special.sub(r"\\\1", "".join(parts))

    cells = table.map(text).rename(columns=text)
    return str(cells.to_markdown(index=False, disable_numparse=True)) + "\n"


def latex(table: pd.DataFrame) -> str:
    """The frame as a tabular for LaTeX with booktabs, a longtable if it is long, with figures as
    people read them.

    >>> print(latex(pd.DataFrame({"by_whom": ["R&D", "<50 %"], "nodes": [2057, 0.5]})))
    % \\usepackage{booktabs}
    \\begin{tabular}{lr}
    \\toprule
    by\\_whom & nodes \\\\
    \\midrule
    R\\&D & 2,057 \\\\
    \\textless{}50 \\% & 0.5 \\\\
    \\bottomrule
    \\end{tabular}
    <BLANKLINE>
    """
    cells = table.map(figure)
    texts = [name for name in cells if max(map(len, cells[name]), default=0) > LONG_TEXT]
    width = rf"p{{{0.9 / max(len(texts), 2):.2f}\linewidth}}"
    columns = [width if name in texts else
               "r" if pd.api.types.is_numeric_dtype(table[name]) else "l" for name in cells]
    long = len(cells) > LONG_TABLE
    styler = cells.style.hide(axis="index").format(_tex, escape="latex")
    styler = styler.format_index(_tex, axis=1, escape="latex")
    made = styler.to_latex(hrules=True, column_format="".join(columns),
                           environment="longtable" if long else None)
    return f"% \\usepackage{{booktabs{',longtable' if long else ''}}}\n{made}"


def _tex(text: object) -> str:
    """Text that pandas has escaped, with the rest escaped too."""
    return str(text).translate(TEX)


def figure(value: Any) -> str:
    """A number as people read it; anything else as text.

    >>> figure(46752), figure(0.00123456), figure("A000170"), figure(16.0), figure(1e21 / 3)
    ('46,752', '0.00123', 'A000170', '16', '3.3333e+20')
    """
    if value is None or value is pd.NA:
        return ""
    if isinstance(value, bool):
        return str(value or "")
    if isinstance(value, float):
        if value != value:
            return ""
        if abs(value) < 1000:
            return f"{value:,.3g}"
        return f"{value:,.0f}" if abs(value) < EXACT else f"{value:.5g}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def duration(seconds: float) -> str:
    """Seconds in the unit that reads best.

    >>> duration(3.47e-05), duration(0.312), duration(12.3)
    ('34.7 µs', '312 ms', '12.3 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def amount(value: Any, unit: str) -> str:
    """A value with its unit, as people read it.

    >>> amount(0.0123, "seconds"), amount(1310720, "bytes"), amount(7.5, "times the nodes")
    ('12.3 ms', '1.25 MiB', '7.5 times the nodes')
    """
    if value is None:
        return ""
    if unit == "seconds":
        return duration(value)
    if unit == "bytes":
        return f"{value / 2**20:.3g} MiB" if value >= 2**20 else f"{value / 2**10:.3g} KiB"
    return f"{figure(value)} {unit}"
