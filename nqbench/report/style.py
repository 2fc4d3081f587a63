"""The look of all plots: each algorithm has a colour and a marker, and labels are at the lines.

Each plot is drawn for a desk and for a phone, by one function with a width. Markers and labels say
the same as colours.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from io import StringIO
from itertools import cycle
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.style import context

from nqbench.engine.processor import ENGINES
from nqbench.problems.queens import NAMES
from nqbench.records.record import PLAIN_SEARCH
from nqbench.report.drawings import ENTRY, mark_entries, named, own, series, tell
from nqbench.util.files import naming
from nqbench.util.text import format_seconds

INTERVAL = "with its 95 % interval"  # beside each plot of times that have one

# Of Okabe and Ito, in the order of all plots: the search in question is blue, what it loses orange,
# a solution or a gain green, a contradiction vermilion. What all are compared with is grey.
BLUE, ORANGE, GREEN, RED, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9"
COLOURS = (BLUE, ORANGE, GREEN, RED, "#cc79a7", SKY, "#1b1b1b")
GREY = "#7f7f7f"
_MARKERS = "osD^v<>Ph*Xp8dH12"
# For external algorithms: no marker is one of the above. (sides, 1, degrees) is a star.
_FOREIGN = ("x", (4, 1, 0), "+", (5, 1, 36), (3, 1, 0), "3", (6, 1, 0), (3, 1, 180), "4",
            (4, 1, 45), (8, 1, 0))


def foreign(name: str) -> tuple[str, Any]:
    """Return colour and marker of an external name, always the same for one name.

    Two names have the same of both in one of 77 cases. No built-in algorithm has such a marker.

    >>> foreign("my_idea.py::lookahead") == foreign("my_idea.py::lookahead")
    True
    """
    number = int.from_bytes(sha256(name.encode("utf-8", "replace")).digest()[:8])
    return COLOURS[number % len(COLOURS)], _FOREIGN[number // len(COLOURS) % len(_FOREIGN)]


_KNOWN: dict[str, tuple[str, Any]] = dict(zip(
    NAMES, zip(cycle(COLOURS), cycle(_MARKERS), strict=False), strict=False))
# Orange, blue and green are never side by side by chance where these three are compared.
_OWN_COLOUR = {PLAIN_SEARCH: GREY, "cross": BLUE, "join": GREEN, "somers": ORANGE}

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


WIDE, NARROW = 7.3, 3.54  # inches of a drawing for a desk and for a phone: 700 and 340 pixels
BESIDE = 4.0  # from this width on, panels are beside each other


@contextmanager
def figure(width: float, height: float, panels: int = 1, across: int = 2,
           **kwargs: Any) -> Iterator[tuple[Figure, list[Axes]]]:
    """Make a figure (inches) of so many panels, each of this height, drawn without a display: at
    most `across` beside each other, on a phone one.
    """
    columns = min(panels, across) if width >= BESIDE else 1
    rows = -(-panels // columns)
    with _looks():
        made = Plot(figsize=(width, height * rows), layout="constrained")
        drawn = list(made.subplots(rows, columns, squeeze=False, **kwargs).flat)
        for axes in drawn[panels:]:
            axes.remove()
        yield made, drawn[:panels]


def is_narrow(axes: Axes) -> bool:
    """Return whether axes are in a drawing for a phone."""
    return bool(axes.get_figure(root=True).get_figwidth() < BESIDE)  # type: ignore[union-attr]


# The omitted metadata has the time and the version of matplotlib.
_UNSAID = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None},
           "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}


def _draw(made: Figure, file: Any, kind: str) -> None:
    """Draw a figure to a file. It is laid out for the first one, and keeps that layout: measuring
    all its texts takes as long as drawing it.
    """
    mark_entries(made)
    with _looks():
        _write(made)
        made.savefig(file, format=kind, metadata=_UNSAID[kind])
    with mpl.rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
        made.set_layout_engine()  # by these settings: none


def decimal(value: float, place: float = 0.0) -> str:
    """Return a number beside an axis.

    >>> [decimal(value) for value in (0.1, 1000, 10000, 2.5e6, 1e12)]
    ['0.1', '1,000', '10 k', '2.5 M', '1 T']
    """
    power = min(4, int(math.log10(max(1.0, abs(value)) * 1.001) // 3)) if abs(value) > 9999 else 0
    return f"{value / 1000**power:,.6g}{' ' * bool(power)}{' kMGT'[power].strip()}"


MOST_TICKS = 5  # on a phone
LETTERS = 9  # of an inch of a title


def _write(made: Figure) -> None:
    """Break titles into lines, write numbers without powers, and remove the marks without labels
    from logarithmic axes, where they would be half of all marks. One with fewer than two powers of
    ten in sight is marked at 1, 2 and 5 times these, too, and one that ends below twice its start
    like one that is not logarithmic. Formatters and places that an axis has of its own stay.
    """
    for axes in made.axes:
        place: Any = axes.get_subplotspec()
        room = LETTERS * made.get_figwidth() / place.get_gridspec().ncols
        axes.set_title("\n".join(fill(line, int(room))
                                 for line in axes.get_title("left").split("\n")))
        for axis in (axes.xaxis, axes.yaxis):
            most = MOST_TICKS if is_narrow(axes) or axis is axes.yaxis else 2 * MOST_TICKS
            if axis.get_scale() == "log":
                axis.set_minor_locator(ticker.NullLocator())
                low, high = sorted(axis.get_view_interval())
                few = math.floor(math.log10(high)) - math.ceil(math.log10(low)) < 1
                subs = (1, 2, 5) if high < 20 * low or most > MOST_TICKS else (1, 3)
                axis.set_major_locator(ticker.LogLocator(
                    subs=subs if few else (1,), numticks=most + 1))
            if (high < 2 * low if axis.get_scale() == "log" else
                    type(axis.get_major_locator()) is ticker.AutoLocator):
                axis.set_major_locator(ticker.MaxNLocator(most - 1, steps=[1, 2, 5, 10]))
            if type(axis.get_major_formatter()) in (
                    ticker.ScalarFormatter, ticker.LogFormatterSciNotation):
                axis.set_major_formatter(decimal)


def to_svg(made: Figure) -> str:
    """Return a figure as SVG."""
    drawing = StringIO()
    _draw(made, drawing, "svg")
    return drawing.getvalue()


def save(made: Figure, stem: str, kinds: Sequence[str] = ("svg",)) -> None:
    """Write STEM.svg, STEM.png or STEM.pdf, by the `kinds`; the same figure gives the same bytes.
    """
    for kind in kinds:
        with naming(Path(f"{stem}.{kind}")):
            _draw(made, f"{stem}.{kind}", kind)


def sizes(axes: Axes, values: Iterable[int]) -> None:
    """Put ticks on the x axis at each n that occurs, or at every second, third, ... of many, and
    end it there.
    """
    known = list(values)
    least, most = int(min(known)), int(max(known))
    step = -(-(most - least + 1) // (MOST_TICKS if is_narrow(axes) else 4 * MOST_TICKS))
    axes.set_xlabel("n")
    axes.set_xticks(range(least + (most - least) % step, most + 1, step))


def write_times(axis: Axis) -> None:
    """Write the seconds of an axis with units: 1 µs, 10 ms, 2 s."""
    axis.set_major_formatter(ticker.EngFormatter("s", usetex=False))


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
    >>> solver("cross", "cython"), solver("clingo", "")
    ('cross (engine)', 'clingo')
    """
    if implementation in ("python", ""):
        return plain(algorithm)
    shown = ("engine" if algorithm in ENGINES else "Cython") if implementation == "cython" else (
        plain(implementation))
    return f"{plain(algorithm)} ({shown})"


def solvers(rows: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Return the label of the solver of each row, and its name as a series."""
    found = list(zip(rows["algorithm"], rows["implementation"], strict=True))
    return [solver(*each) for each in found], [named(*each) for each in found]


def short(members: list[str]) -> str:
    """Return names in one line for a drawing; if they are many or long, the first one and the
    number of the others.

    >>> short(["iterative", "recursive", "one_loop", "bitmask"])
    'iterative + 3 more'
    """
    text = ", ".join(map(plain, members))
    if len(members) == 1 or (len(members) == 2 and len(text) <= LONGEST_NAME):
        return text
    return f"{plain(members[0])} + {len(members) - 1} more"


def look_of(algorithm: str, implementation: str = "python") -> Look:
    """Return the look of an algorithm in an implementation, which has its own dashes.

    >>> look_of("somers"), look_of("somers", "cython")[2], look_of("somers", "numba")[2]
    (('#e69f00', 'd', '-'), '--', '-.')
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


def label_lines(axes: Axes, ends: list[End]) -> None:
    """Write each label (x, y, text, colour) beside the end of its line, without overlaps; on a
    phone below the plot, from the highest end to the lowest. The limits of the axes must be final.
    """
    axes.autoscale_view()
    to_axes = axes.transData + axes.transAxes.inverted()
    placed = sorted((*to_axes.transform((x, y))[::-1].tolist(), text, colour)
                    for x, y, text, colour in ends)
    if is_narrow(axes):
        lines = {str(line.get_label()): line for line in axes.lines}
        _write_below(axes, {text: lines[text] for *_, text, _ in reversed(placed) if text})
        return
    place: Any = axes.get_subplotspec()
    height = axes.get_figure().get_figheight() / place.get_gridspec().nrows  # type: ignore[union-attr]
    heights = spread([height for height, *_ in placed], LABEL / (height - AROUND))
    for high, (_, across, text, colour) in zip(heights, placed, strict=True):
        axes.annotate(text, (across, high), (6, 0), xycoords="axes fraction",
                      textcoords="offset points", color=ink(colour), va="center",
                      annotation_clip=False)


MOST_BESIDE = 13  # characters of names in two columns on a phone
LABEL, AROUND = 0.18, 0.65  # inches of a label, and of the title and the axis of a panel


def height_of(rows: int, width: float) -> float:
    """Return the inches of a panel of so many rows of dots: on a phone a name is above its dots."""
    return 0.8 + rows * (0.19 if width >= BESIDE else 0.43)


@contextmanager
def rows_of_dots(width: float, *labels: Sequence[str], names: Sequence[str] = (),
                 more: int = 0) -> Iterator[tuple[Figure, list[Axes]]]:
    """Make a figure like `figure`, its panels below each other, with a row for each label; name the
    rows when their dots are drawn. `more` rows are room for a legend.
    """
    heights = [height_of(len(own) + more, width) for own in labels]
    with figure(width, sum(heights) / len(labels), len(labels), 1, height_ratios=heights,
                sharex=True) as (made, panels):
        yield made, panels
        for axes, own in zip(panels, labels, strict=True):
            name_rows(axes, own, names)


def ranking(rows: pd.DataFrame, value: str, labels: Sequence[str], texts: Sequence[str], title: str,
            width: float) -> Figure:
    """Draw a value of each solver with its interval, and a text beside it, on a logarithmic axis:
    in the `colour` of its row, or else in grey if all are compared with it.
    """
    _, names = solvers(rows)
    colours = list(rows["colour"] if "colour" in rows else rows["algorithm"].map(
        lambda name: GREY if name == PLAIN_SEARCH else BLUE))
    with rows_of_dots(width, labels, names=names) as (made, (axes,)):
        dots(axes, rows, value, labels, colours, names, texts=texts,
             told=rows[["n", value, "low", "high"]])
        axes.set(xscale="log", title=title + f", {INTERVAL}" * bool(rows["low"].notna().any()))
    return made


def ranking_of_times(found: pd.DataFrame, n: int, width: float) -> Figure:
    """Draw such a ranking by the seconds for all solutions of n queens."""
    rows = found[(found["n"] == n) & found["seconds"].notna()].sort_values("seconds", kind="stable")
    made = ranking(rows, "seconds", solvers(rows)[0], list(map(format_seconds, rows["seconds"])),
                   f"Time for all solutions of {n} queens", width)
    write_times(made.axes[0].xaxis)
    return made


def dots(axes: Axes, rows: pd.DataFrame, value: str, labels: Sequence[str],
         colours: str | Sequence[str], names: Sequence[str] = (), marker: str = "o", kind: str = "",
         hollow: Sequence[bool] = (), texts: Sequence[str] = (),
         told: pd.DataFrame | None = None, units: Mapping[str, str] | None = None) -> None:
    """Draw a dot for each row, from the top down, as parts of the series with these names.

    A dot has the interval from `low` to `high`, if the rows have it, and a text beside it, if there
    are `texts`. `kind` is in the legend. The page shows the columns of `told`. No value is no dot.
    """
    middle = math.sqrt(math.prod(axes.get_xlim() if axes.get_xscale() == "log" else (
        rows[value].min(), rows[value].max())))
    for place, row in enumerate(rows.to_dict("records")):
        if pd.isna(row[value]):
            continue
        colour = colours if isinstance(colours, str) else colours[place]
        with series(axes, *[own(kind)] * bool(kind), names[place] if names else own(labels[place])):
            if "low" in row:
                axes.plot([row["low"], row["high"]], [place] * 2, color=colour, linewidth=3,
                          alpha=0.35, solid_capstyle="butt")
            axes.plot(row[value], place, marker, color=colour, markersize=5,
                      markerfacecolor="white" if hollow and hollow[place] else colour)
        if texts and texts[place]:
            left = row[value] > middle
            at = row.get("low" if left else "high")
            axes.annotate(texts[place], (row[value] if pd.isna(at) else at, place),
                          (-7 if left else 7, 0), textcoords="offset points", va="center",
                          ha="right" if left else "left", annotation_clip=False)
    if kind:
        axes.plot([], [], marker, color=colours, markersize=5, label=kind)
    tell(axes, [f"{kind}, {label}" if kind else label for label in labels],
         rows if told is None else told, rows[value].astype(float), range(len(rows)), units)


def legend(axes: Axes) -> None:
    """Write the legend of some axes below the figure."""
    handles, labels = axes.get_legend_handles_labels()
    _write_below(axes, dict(zip(labels, handles, strict=True)))


def _write_below(axes: Axes, names: Mapping[str, Any]) -> None:
    """Write names beside their marks below the figure, which becomes as much higher."""
    columns = 1 if is_narrow(axes) and max(map(len, names)) > MOST_BESIDE else 2
    made: Any = axes.get_figure()
    made.set_figheight(made.get_figheight() + LABEL * -(-len(names) // columns))
    made.legend(names.values(), names.keys(), loc="outside lower left", frameon=False,
                ncols=columns)


def ratios(axes: Axes, worse: str, better: str) -> None:
    """Make an axis of ratios: logarithmic, a line at 1, and what both sides of it mean."""
    axes.set_xscale("log")
    axes.axvline(1, color="#1b1b1b", linewidth=1)
    axes.set_xlabel(f"\N{LEFTWARDS ARROW} {worse} | {better} \N{RIGHTWARDS ARROW}")


def name_rows(axes: Axes, labels: Sequence[str], names: Sequence[str] = ()) -> None:
    """Write the names of rows of dots, each the entry of a series, at their left, on a phone above
    them.
    """
    names = names or list(map(own, labels))
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    if not is_narrow(axes):
        for tick, name in zip(axes.get_yticklabels(), names, strict=True):
            tick.set_gid(ENTRY + name)
        return
    axes.set_ylim(len(labels) - 0.7, -0.9)
    axes.tick_params("y", labelleft=False)
    for place, (label, name) in enumerate(zip(labels, names, strict=True)):
        axes.annotate(label, (0, place), (2, 8), xycoords=("axes fraction", "data"),
                      textcoords="offset points").set_gid(ENTRY + name)


def ink(colour: str) -> str:
    """Return the colour, darkened as much as text on the paper of the page needs.

    >>> ink("#0072b2"), ink("#56b4e9")
    ('#0072b2', '#3a799d')
    """
    red, green, blue = to_rgb(colour)
    while 1.032 / (_luminance(red, green, blue) + 0.05) < LEGIBLE:
        red, green, blue = 0.97 * red, 0.97 * green, 0.97 * blue
    return to_hex((red, green, blue))


def on_dark(colour: str) -> str:
    """Return the colour as a dark page has it: as light as text needs; a grey is turned round.

    >>> on_dark("#0072b2"), on_dark("#e3e3e3")
    ('#2b8abf', '#303030')
    """
    red, green, blue = to_rgb(colour)
    if red == green == blue:
        return to_hex((0.92 - 0.82 * red,) * 3)
    while (_luminance(red, green, blue) + 0.05) / 0.058 < LEGIBLE:
        red, green, blue = 1 - 0.97 * (1 - red), 1 - 0.97 * (1 - green), 1 - 0.97 * (1 - blue)
    return to_hex((red, green, blue))


def _luminance(*rgb: float) -> float:
    """Return the luminance of a colour in sRGB, as WCAG 2 defines it; 1 for white."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def spread(wanted: list[float], gap: float) -> list[float]:
    """Move rising heights in 0 .. 1 as little as possible to keep them `gap` apart.

    >>> spread([0.5, 0.5, 0.9], 0.1)
    [0.45, 0.55, 0.9]
    """
    from scipy.optimize import isotonic_regression  # takes half a second, and few plots need it

    steps, most = gap * np.arange(len(wanted)), max(0.0, 1.0 - gap * (len(wanted) - 1))
    apart = isotonic_regression(np.array(wanted) - steps).x
    return [round(float(height), 6) for height in apart.clip(0.0, most) + steps]
