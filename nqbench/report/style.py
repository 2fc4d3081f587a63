"""The look of all plots: each algorithm has a colour and a marker, and labels are at the lines.

The first colours are those of Okabe and Ito; the others are those of Paul Tol's muted scheme or
similar, chosen for every kind of colour vision. Markers and labels say the same without colour.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from io import StringIO
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Polygon
from matplotlib.style import context

from nqbench.engine.processor import ENGINES
from nqbench.problems.queens import NAMES
from nqbench.records.record import PLAIN_SEARCH
from nqbench.report.drawings import LINK, mark_entries, series, tell
from nqbench.util.files import naming
from nqbench.util.text import SUPERSCRIPTS

INTERVAL = "with its 95 % interval"  # beside every plot of times

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#1b1b1b", "#7f7f7f",
            "#e69f00", "#882255", "#117733", "#aa4499", "#332288", "#999933", "#cc3311",
            "#44aa99", "#b8860b", "#5c3317")
_MARKERS = "osD^v<>Ph*Xp8dH12"
# For external algorithms: no marker is one of the above. (sides, 1, degrees) is a star.
_FOREIGN = ("x", (4, 1, 0), "+", (5, 1, 36), (3, 1, 0), "3", (6, 1, 0), (3, 1, 180), "4",
            (4, 1, 45), (8, 1, 0))


def foreign(name: str) -> tuple[str, Any]:
    """Return colour and marker of an external name, always the same for one name.

    Two names have the same of both in one of 176 cases. No built-in algorithm has such a marker,
    and the search that others are compared with has another colour.

    >>> foreign("my_idea.py::lookahead") == foreign("my_idea.py::lookahead")
    True
    """
    number = int.from_bytes(sha256(name.encode("utf-8", "replace")).digest()[:8])
    colours = [colour for colour in _COLOURS if colour != _KNOWN[PLAIN_SEARCH][0]]
    return colours[number % len(colours)], _FOREIGN[number // len(colours) % len(_FOREIGN)]


# From the second round of colours on, each has another marker.
_KNOWN: dict[str, tuple[str, Any]] = dict(zip(NAMES, zip(
    cycle(_COLOURS), cycle(_MARKERS + _MARKERS[5:] + _MARKERS[:5]), strict=False), strict=False))
# These algorithms are often in one plot with those of the same colour.
_OWN_COLOUR = {"cross": "#ee3377", "arc_consistency": "#7b3fb5"}

Look = tuple[str, Any, str]  # colour, marker and dashes of a line
End = tuple[float, float, str, str]  # of a line: x, y, its label and its colour
LONGEST_NAME = 40  # characters of a name in a drawing
LEGIBLE = 4.5  # contrast of text with its ground: level AA of WCAG 2

# Our settings of matplotlib, instead of those of the user.
_looks = partial(context, Path(__file__).with_name("plots.mplstyle"), after_reset=True)


class Plot(Figure):
    """A figure that a notebook displays by itself."""

    def draw(self, renderer: Any) -> None:
        """Draw the figure; only lay it out if saving asks for a first draw for this purpose."""
        engine = self.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine) and self.canvas.is_saving():
            engine.execute(self)
        else:
            super().draw(renderer)

    def _repr_svg_(self) -> str:
        return to_svg(self)


@contextmanager
def figure(width: float, height: float, panels: int = 1, rows: int = 1, **kwargs: Any) -> Iterator[
        tuple[Figure, list[Axes]]]:
    """Make a figure (inches) of `rows` times `panels` axes, row by row, drawn without a display."""
    with _looks():
        made = Plot(figsize=(width, height), layout="constrained")
        yield made, list(made.subplots(rows, panels, squeeze=False, **kwargs).flat)


@contextmanager
def grid(panels: int, most: int, width: float, height: float, edge: tuple[float, float] = (0, 0),
         **kwargs: Any) -> Iterator[tuple[Figure, list[Axes]]]:
    """Make a figure of so many `panels`, at most `most` in a row; inches of a panel, and of the
    `edge` of the figure.
    """
    across = min(panels, most)
    down = -(-panels // across)
    with figure(width * across + edge[0], height * down + edge[1], across, down, **kwargs) as (
            made, drawn):
        for axes in drawn[panels:]:
            axes.remove()
        yield made, drawn[:panels]


# The omitted metadata has the time and the version of matplotlib.
_UNSAID = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None},
           "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}


def _draw(made: Figure, file: Any, kind: str) -> None:
    mark_entries(made)
    _simplify_logarithmic_axes(made)
    with _looks():
        made.savefig(file, format=kind, metadata=_UNSAID[kind])


class _Powers(ticker.LogFormatterSciNotation):
    """Write 10⁵ as plain text: a formula takes more time, and many times the bytes in SVG."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        formula = _FORMULA.fullmatch(text := super().__call__(x, pos))
        if not formula:
            return text
        return formula[1].replace(r"\times", "×") + formula[2].translate(SUPERSCRIPTS)


_FORMULA = re.compile(r"\$\\mathdefault\{(.*)\^\{(-?\d+)\}\}\$")


def _simplify_logarithmic_axes(made: Figure) -> None:
    """Remove the marks without labels from logarithmic axes, where they would be half of all marks.

    An axis with fewer than two powers of ten in sight is marked at 1, 2 and 5 times these, too.
    Powers are written without formulas if the axis has no formatter of its own.
    """
    for axes in made.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axis.get_scale() != "log":
                continue
            axis.set_minor_locator(ticker.NullLocator())
            low, high = sorted(axis.get_view_interval())
            if sum(low <= mark <= high for mark in axis.get_majorticklocs()) < 2:
                axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
            if type(axis.get_major_formatter()) is ticker.LogFormatterSciNotation:
                axis.set_major_formatter(_Powers(minor_thresholds=(10, 10)))


def to_svg(made: Figure) -> str:
    """Return a figure as SVG."""
    drawing = StringIO()
    _draw(made, drawing, "svg")
    return drawing.getvalue()


def save(made: Figure, stem: str, kinds: Sequence[str] = ("svg",)) -> None:
    """Write STEM.svg, STEM.png or STEM.pdf, by the `kinds`; the same figure gives the same bytes.

    The figure is laid out for the first of them, and keeps that layout: measuring all its texts
    takes as long as drawing it.
    """
    for kind in kinds:
        with naming(Path(f"{stem}.{kind}")):
            _draw(made, f"{stem}.{kind}", kind)
        with mpl.rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
            made.set_layout_engine()  # by these settings: none


def sizes(axes: Axes, values: Iterable[int]) -> None:
    """Put ticks on the x axis at every n that occurs, and nowhere else."""
    known = list(values)
    axes.set_xlabel("n")
    axes.set_xticks(range(min(known), max(known) + 1))


def set_scale(axes: Axes, which: Literal["x", "y"], scale: str) -> None:
    """Give an axis a scale, "log" or "linear"; on a linear axis numbers are written in full."""
    axes.set(**{f"{which}scale": scale})
    if scale == "linear":  # an exponent above the axis would overlap the title
        axis = axes.xaxis if which == "x" else axes.yaxis
        axis.set_major_formatter("{x:,.10g}")


def write_times(axis: Axis) -> None:
    """Write the seconds of an axis with units: 1 µs, 10 ms, 2 s."""
    axis.set_major_formatter(ticker.EngFormatter("s"))


def one_two_five(axes: Axes, which: Literal["x", "y"]) -> None:
    """Make an axis logarithmic, and mark it at 1, 2, 5, 10, 20, ..."""
    axes.set(**{f"{which}scale": "log"})
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(ticker.NullFormatter())


def plain(text: str) -> str:
    """Return an external name for a drawing, shortened and never parsed as a formula.

    >>> len(plain("x" * 1000)), len(plain("$x$"))
    (40, 5)
    """
    if len(text) > LONGEST_NAME:
        text = text[:LONGEST_NAME - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return text.replace("$", r"\$")


def solver(algorithm: str, implementation: str) -> str:
    """Return algorithm and implementation for a label; Python is not named.

    >>> solver("somers", "python"), solver("somers", "cython"), solver("my_idea", "numba")
    ('somers', 'somers (Cython)', 'my_idea (numba)')
    >>> solver("cross", "cython")
    'cross (engine)'
    """
    if implementation == "python":
        return plain(algorithm)
    shown = ("engine" if algorithm in ENGINES else "Cython") if implementation == "cython" else (
        plain(implementation))
    return f"{plain(algorithm)} ({shown})"


def short(members: list[str], most: int = 3) -> str:
    """Return names in one line for a drawing; if they are many or long, the first one and the
    number of the others.

    >>> short(["iterative", "recursive", "one_loop", "bitmask"])
    'iterative + 3 more'
    """
    text = ", ".join(map(plain, members))
    if len(members) == 1 or (len(members) <= most and len(text) <= LONGEST_NAME):
        return text
    return f"{plain(members[0])} + {len(members) - 1} more"


def look_of(algorithm: str, implementation: str = "python") -> Look:
    """Return the look of an algorithm in an implementation, which has its own dashes.

    >>> look_of("somers"), look_of("somers", "cython")[2], look_of("somers", "numba")[2]
    (('#cc3311', 'd', '-'), '--', '-.')
    """
    colour, marker = _KNOWN.get(algorithm) or foreign(algorithm)
    dashes = {"python": "-", "cython": "--"}.get(implementation, "-.")
    return _OWN_COLOUR.get(algorithm, colour), marker, dashes


def line(axes: Axes, names: Iterable[str], label: str, look: Look, rows: pd.DataFrame, x: str,
         y: str, band: float = 0.0, told: pd.DataFrame | None = None) -> End:
    """Draw a line through rows as a part of the series with these names, and below it the band from
    `low` to `high`, as opaque as `band`. Have the page show all columns of the rows, or those of
    `told`. Return the end of the line, for `label_lines`.
    """
    colour, marker, dash = look
    with series(axes, *names):
        if band:
            axes.fill_between(rows[x], rows["low"], rows["high"], color=colour, alpha=band,
                              linewidth=0)
        axes.plot(rows[x], rows[y].to_numpy(dtype=float), color=colour, linestyle=dash,
                  marker=marker, label=label)
    tell(axes, label, rows if told is None else told, rows[x], rows[y])
    return float(rows[x].iloc[-1]), float(rows[y].iloc[-1]), label, colour


def label_lines(axes: Axes, ends: list[End], room: float, edge: float | None = None) -> None:
    """Write each label (x, y, text, colour) to the right of all lines, without overlaps; the label
    of a line that ends far to the left is above its end.

    `room` is the part of the axes' width kept free for the labels, beyond the last point, or beyond
    the `edge`.
    """
    left, _ = axes.get_xlim()
    bottom, top = axes.get_ylim()
    edge = max(x for x, *_ in ends) if edge is None else edge
    for x, y, text, colour in ends:
        if x < edge - 5:
            axes.annotate(text, (x, y), xytext=(0, 6), textcoords="offset points",
                          color=ink(colour), ha="center", fontsize=8)
    ends = [end for end in ends if end[0] >= edge - 5]
    axes.set_xlim(left, left + (edge - left) / (1 - room))
    to_axes = axes.transData + axes.transAxes.inverted()
    placed = sorted((*to_axes.transform((x, y))[::-1].tolist(), text, colour)
                    for x, y, text, colour in ends)
    gap = 0.155 * _rows(axes) / axes.get_figure().get_size_inches()[1]  # type: ignore[union-attr]
    heights = spread([height for height, *_ in placed], gap)
    begin = 1 - room + 0.05
    for height, (end, across, text, colour) in zip(heights, placed, strict=True):
        axes.text(begin, height, text, color=ink(colour), va="center", fontsize=8,
                  transform=axes.transAxes)
        # The arrow of an annotation would be clipped as a curve, which takes long.
        axes.add_patch(Polygon(
            [(across, end), (begin - 0.005, height)], closed=False, fill=False,
            transform=axes.transAxes, label=LINK + text, color=colour, linewidth=0.5, alpha=0.6))
    axes.set_ylim(bottom, top)


def ink(colour: str) -> str:
    """Return the colour, darkened as much as text on white needs.

    >>> ink("#0072b2"), ink("#56b4e9")
    ('#0072b2', '#3c7da2')
    """
    red, green, blue = to_rgb(colour)
    while 1.05 / (_luminance(red, green, blue) + 0.05) < LEGIBLE:
        red, green, blue = 0.97 * red, 0.97 * green, 0.97 * blue
    return to_hex((red, green, blue))


def _luminance(*rgb: float) -> float:
    """Return the luminance of a colour in sRGB, as WCAG 2 defines it; 1 for white."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _rows(axes: Axes) -> int:
    """Return the number of rows of axes in its figure."""
    place = axes.get_subplotspec()
    return place.get_gridspec().nrows if place else 1


def spread(wanted: list[float], gap: float) -> list[float]:
    """Move rising heights in 0 .. 1 as little as possible to keep them `gap` apart.

    >>> spread([0.5, 0.5, 0.9], 0.1)
    [0.45, 0.55, 0.9]
    """
    from scipy.optimize import isotonic_regression  # takes half a second, and few plots need it

    steps, most = gap * np.arange(len(wanted)), max(0.0, 1.0 - gap * (len(wanted) - 1))
    apart = isotonic_regression(np.array(wanted) - steps).x
    return [round(float(height), 6) for height in apart.clip(0.0, most) + steps]
