"""The values that a plot shows on pointing: titles of invisible circles over its points, in a group
for each series.

They are taken from the figure as it was last drawn, so that the values match the plot: lines that
have a label or markers, bars at their ends, and the cells of a mesh. Browsers show the titles
themselves; pointing.js shows them sooner, and by keyboard.

This is our own code, because no package does it: in matplotlib a gid or URL belongs to a whole
line, mplcursors needs an open window, and mpld3 draws the plot again with D3, which the page would
have to load.
"""

import math
from collections.abc import Callable, Iterator
from html import escape
from itertools import compress
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import QuadMesh
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter

RADIUS = 5  # radius of a circle, in points
UNNAMED = "_"  # the beginning of matplotlib's own labels

# A series: its label, and rows of x, y and any further value to show.
Series = tuple[str, list[tuple[float, ...]]]


def add_points(svg: str, made: Figure, write: Callable[[float], str]) -> str:
    """Return the SVG that was just saved of `made` with its points; `write` formats a number."""
    scale = 72 / made.dpi
    height = made.get_figheight() * 72
    found = {axes: series for axes in made.axes if (series := list(_series(axes)))}
    groups = []
    for axes, drawn in found.items():
        panel = _Panel(axes, write, len(found) > 1)
        for label, rows in drawn:
            places = axes.transData.transform([row[:2] for row in rows]) * scale
            circles = [f'<circle cx="{x:.1f}" cy="{height - y:.1f}" r="{RADIUS}">'
                       f"<title>{escape(panel.describe(label, row))}</title></circle>"
                       for row, (x, y) in zip(rows, places.tolist(), strict=True)]
            groups.append(f"<g>{''.join(circles)}</g>\n")
    body, end, _ = svg.rpartition("</svg>")
    return (f'{body}<g class="points" fill="none" pointer-events="all">\n{"".join(groups)}</g>\n'
            f"{end}\n")


def _series(axes: Axes) -> Iterator[Series]:
    """Yield the series drawn in the axes, without points that lie outside or have no value."""
    to_axes = axes.transData + axes.transAxes.inverted()
    for label, rows in _drawn(axes):
        known = [row for row in rows if all(map(math.isfinite, row))]
        places = to_axes.transform(np.reshape([row[:2] for row in known], (-1, 2)))
        shown: Any = ((places > -0.01) & (places < 1.01)).all(axis=1)
        inside = list(compress(known, shown))
        if inside:
            yield label, inside


def _drawn(axes: Axes) -> Iterator[Series]:
    labels: dict[Any, str] = {}
    for container in axes.containers:
        if isinstance(container, ErrorbarContainer):
            labels[container.lines[0]] = str(container.get_label())
        if isinstance(container, BarContainer):
            yield str(container.get_label()), [_end(bar, container) for bar in container.patches]
    for line in axes.lines:
        label = labels.get(line, str(line.get_label()))
        named = not label.startswith(UNNAMED) or line.get_marker() not in (None, "None", "")
        if named and line.get_transform() == axes.transData:
            points: Any = line.get_xydata()
            yield label, [(float(x), float(y)) for x, y in points]
    for mesh in axes.collections:
        if isinstance(mesh, QuadMesh):
            corners: Any = mesh.get_coordinates()
            values: Any = mesh.get_array()
            middles = (corners[:-1, :-1] + corners[1:, 1:]) / 2
            for places, row in zip(middles, np.ma.filled(values, np.nan), strict=True):
                yield UNNAMED, [(*map(float, place), float(value))
                                for place, value in zip(places, row, strict=True)]


def _end(bar: Any, container: BarContainer) -> tuple[float, float]:
    """Return the place of a bar's value."""
    (x, y), width, height = bar.get_xy(), bar.get_width(), bar.get_height()
    if container.orientation == "vertical":
        return float(x + width / 2), float(y + height)
    return float(x + width), float(y + height / 2)


class _Panel:
    """The texts of the points of one panel."""

    def __init__(self, axes: Axes, write: Callable[[float], str], has_neighbours: bool) -> None:
        self.write = write
        self.title = axes.get_title(loc="left").replace("\n", " ")
        self.axes = [(axis, _about(axes, which)) for which, axis in (
            ("x", axes.xaxis), ("y", axes.yaxis))]
        self.has_neighbours = has_neighbours

    def describe(self, label: str, row: tuple[float, ...]) -> str:
        """Return the text of a point, in lines: its name; the panel's title, if there are several;
        its values.
        """
        names = [] if label.startswith(UNNAMED) else [label]
        values, titled = [], self.has_neighbours and bool(self.title)
        for (axis, about), value in zip(self.axes, row, strict=False):
            text, named = _text(axis, value, self.write)
            if about or not named:
                values.append(f"{about or self.title}: {text}")
                titled = titled and bool(about)
            else:
                names.append(text)
        values += [f"{self.title}: {self.write(value)}" for value in row[2:]]
        return "\n".join([", ".join(names), *([self.title] if titled else []), *values])


def _text(axis: Axis, value: float, write: Callable[[float], str]) -> tuple[str, bool]:
    """Return a value as text of the axis, and whether it is a name: if every tick was set, bars and
    marks are beside the tick that they belong to.
    """
    if not isinstance(axis.get_major_locator(), FixedLocator):
        return _close(axis, value, write), False
    place = min(map(float, axis.get_majorticklocs()), key=lambda tick: abs(tick - value))
    formatter = axis.get_major_formatter()
    if isinstance(formatter, FuncFormatter):
        return formatter(place), True
    return write(place), False


def _close(axis: Axis, value: float, write: Callable[[float], str]) -> str:
    """Return a value with enough digits to distinguish it from others in a close-up."""
    text = write(value)
    low, high = sorted(axis.get_view_interval())
    step = (high - low) / 100
    if axis.get_scale() != "linear" or abs(float(text.replace(",", "")) - value) < step:
        return text
    return f"{value:,.{max(0, math.ceil(-math.log10(step)))}f}"


def _about(axes: Axes, which: str) -> str:
    """Return the name of an axis: its own label, that of an axis it is shared with, or that of the
    whole figure.
    """
    made: Any = axes.get_figure()
    shared = {"x": axes.get_shared_x_axes, "y": axes.get_shared_y_axes}[which]()
    called = [getattr(one, f"get_{which}label")() for one in [axes, *shared.get_siblings(axes)]]
    named = filter(None, [*called, getattr(made, f"get_sup{which}label")()])
    return next(named, "").partition("\n")[0]  # the lines below it explain the drawing
