"""The values that a plot shows on pointing: titles of invisible circles over its points, in a group
for each series.

A plot hands over the rows of a table that its points stand for (`tell`), and the page shows them in
the words of that table: names, values with their units, and intervals. Browsers show the titles
themselves; pointing.js shows them sooner, and by keyboard.

This is our own code, because no package does it: in matplotlib a gid or URL belongs to a whole
line, mplcursors needs an open window, and mpld3 draws the plot again with D3, which the page would
have to load.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nqbench.report.cells import show

RADIUS = 5  # radius of a circle, in points

# The points of a series: their places in data coordinates, and their texts by line.
Points = list[tuple[tuple[float, float], list[str]]]


def tell(axes: Axes, label: str | Sequence[str], rows: pd.DataFrame, x: Any, y: Any,
         units: Mapping[str, str] | None = None) -> None:
    """Have the page show each row at its point, as the page shows it in a table.

    Parameters
    ----------
    axes
        the axes that the points are drawn in.
    label
        the name of the series, or a name for each point.
    rows
        a row for each point, with the columns of the table that the point has its values from.
    x, y
        the places of the points in data coordinates: numbers, or the name of a column.
    units
        those of columns that have none in `cells.UNITS`.

    Examples
    --------
    >>> rows = pd.DataFrame({"n": [8], "seconds": [0.0213], "low": [0.0212], "high": [0.0215]})
    >>> axes = Figure().subplots()
    >>> tell(axes, "bitmask", rows, "n", "seconds")
    >>> told(axes)
    [[((8.0, 0.0213), ['bitmask', 'n: 8', 'seconds: 21.3 ms ± 0.2', \
'95 % interval: 21.2 ms to 21.5 ms'])]]
    """
    places = [rows[at] if isinstance(at, str) else at for at in (x, y)]
    labels = [label] * len(rows) if isinstance(label, str) else label
    vars(axes).setdefault("told", []).append((labels, rows, places, units))


def told(axes: Axes) -> list[Points]:
    """Return the points of each series that was told, without those that have no place."""
    found = []
    for labels, rows, places, units in vars(axes).get("told", ()):
        texts = [[label.replace(r"\$", "$"), *lines]  # as `style.plain` escapes it
                 for label, lines in zip(labels, _lines(rows, units), strict=True)]
        at = np.array([list(one) for one in places], dtype=float).T.tolist()
        found.append([((x, y), text) for (x, y), text in zip(at, texts, strict=True)
                      if np.isfinite([x, y]).all()])
    return found


def _lines(rows: pd.DataFrame, units: Mapping[str, str] | None) -> Iterator[list[str]]:
    """Yield the values of each row, in lines: what a table has below its columns."""
    table = show(rows, units)
    for _, row in table.rows:
        yield [line for (column, _), cell in zip(table.columns, row, strict=True) if cell.text
               for line in (f"{column}: {cell.text}", cell.interval) if line]


def add_points(svg: str, made: Figure) -> str:
    """Return the SVG that was just saved of `made` with the points that lie inside its axes."""
    scale = 72 / made.dpi
    height = made.get_figheight() * 72
    panels = {axes: found for axes in made.axes if any(found := told(axes))}
    groups = []
    for axes, found in panels.items():
        title = axes.get_title(loc="left").replace("\n", " ") if len(panels) > 1 else ""
        to_axes = axes.transData + axes.transAxes.inverted()
        for points in found:
            circles = []
            for place, (label, *lines) in points:
                if not all(-0.01 < at < 1.01 for at in to_axes.transform(place)):
                    continue
                x, y = axes.transData.transform(place) * scale
                text = "\n".join([label, *([title] if title not in ("", label) else []), *lines])
                circles.append(f'<circle cx="{x:.1f}" cy="{height - y:.1f}" r="{RADIUS}">'
                               f"<title>{escape(text)}</title></circle>")
            if circles:
                groups.append(f"<g>{''.join(circles)}</g>\n")
    body, end, _ = svg.rpartition("</svg>")
    return (f'{body}<g class="points" fill="none" pointer-events="all">\n{"".join(groups)}</g>\n'
            f"{end}\n")
