"""What the page needs of a plot beyond the drawing: the series that each part shows, the values of
its points, other drawings to choose from, and a small file.

The page highlights a series everywhere. The names of series are in the gids of matplotlib's
artists, which it writes as ids. `shrink` turns them into an attribute `data-series`, and
elements with `ENTRY` get the class `entry`. A name that begins with `OWN` belongs to this plot
only.

The values are titles of invisible circles over the points, in a group for each series. A plot hands
over the rows of a table that its points stand for (`tell`), and the page shows them in the words of
that table: names, values with their units, and intervals. Browsers show the titles themselves;
pointing.js shows them sooner, and by keyboard. No package does this: in matplotlib a gid or URL
belongs to a whole line, mplcursors needs an open window, and mpld3 draws the plot again with D3,
which the page would have to load.

matplotlib writes six decimals, an id for every group, and each style at every mark. `shrink` rounds
coordinates to `DECIMALS` of a point, and marks with the same style share it. This is our own code,
because the tools for it (scour, svgo) would be a further dependency, or need another language.
"""

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.container import Container
from matplotlib.figure import Figure
from matplotlib.text import Text

from nqbench.report.formats import show

PART, ENTRY = "series:", "entry:"  # a line, a band or a bar; its name beside it or in a legend
SEPARATOR = "|"
OWN = "."


def named(algorithm: str, implementation: str = "") -> str:
    """Return the name of an algorithm, or of one of its implementations, as a series; on the page
    an algorithm stands for all its implementations.

    >>> named("somers"), named("somers", "cython"), named("a|b")
    ('somers', 'somers/cython', 'a b')
    """
    return "/".join(filter(None, (algorithm, implementation))).replace(SEPARATOR, " ")


@contextmanager
def series(axes: Axes, *names: str) -> Iterator[None]:
    """Mark everything that is added to the axes in the body as parts of the series with these
    names.
    """
    before = set(axes.get_children())
    yield
    for artist in axes.get_children():
        if artist not in before:
            mark(artist, *names)


def mark(artist: Artist, *names: str) -> None:
    """Mark an artist as a part of the series with these names."""
    artist.set_gid(PART + SEPARATOR.join(names))


def own(label: str) -> str:
    """Return the name of a series of one plot only.

    >>> own("medians")
    '.medians'
    """
    return OWN + label.replace(SEPARATOR, " ")


def mark_entries(made: Figure) -> None:
    """Mark legends, and texts that repeat the label of a series, as the entries of that series.

    A part with a label but no name becomes a series of this plot only, named after its label.
    """
    everywhere = _labels(made.axes)
    for legend in made.legends:
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
            _mark_entry(everywhere, text, handle)
    for axes in made.axes:
        known = everywhere | _labels([axes])
        for text in axes.texts:
            if text.get_text() in known:
                _mark_entry(known, text)


def _labels(panels: Iterable[Axes]) -> dict[str, list[Artist]]:
    """Return the artists in some axes by their label."""
    found: dict[str, list[Artist]] = {}
    for axes in panels:
        drawn: list[Any] = [*axes.containers, *axes.lines, *axes.collections]
        for one in drawn:
            label = str(one.get_label())
            if not label.startswith("_"):
                found.setdefault(label, []).extend(
                    one.get_children() if isinstance(one, Container) else [one])
    return found


def _mark_entry(known: dict[str, list[Artist]], text: Text, *handles: Artist | None) -> None:
    """Mark a text, and what stands beside it, as the entry of the names that all parts of a series
    with its label have; mark these parts, if they have none.
    """
    label = text.get_text()
    parts = known.get(label, [])
    for part in parts:
        if not part.get_gid():
            mark(part, own(label))
    names = [str(part.get_gid()).removeprefix(PART).split(SEPARATOR)
             for part in parts] or [[own(label)]]
    shared = [one for one in names[0] if all(one in others for others in names)]
    for entry in filter(None, (text, *handles)):
        entry.set_gid(ENTRY + SEPARATOR.join(shared))


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
    [[((8.0, 0.0213), ['bitmask', 'n: 8', 'seconds: 21.3 ms (21.2 to 21.5)'])]]
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
        yield [f"{name}: {cell.text}" for (name, _), cell in zip(table.columns, row, strict=True)
               if cell.text]


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


DECIMALS = 2  # a hundredth of a point is invisible, even in a close-up
_PLACE = re.compile(r'(?<= d=")[^"]*|(?<= [xy]=")[^"]*')
_NUMBER = re.compile(r"-?\d+\.\d+")
_STYLE = re.compile(r' style="([^"]*)"')
_USES = re.compile(r"<g([^>]*)>((?:<use [^>]*/>)+)</g>")
_REFERENCE = re.compile(r'(?:href="|url\()#([^")]*)')
_OPACITY = re.compile(r'[";]opacity')  # the only property here that a group does not pass on


def shrink(svg: str) -> str:
    """Return an SVG file that matplotlib wrote, as a shorter one that looks the same.

    >>> shrink('<svg><g id="a">\\n <path d="M 1.004 2 \\nL 3 2 \\n"/></g></svg>')
    '<svg>\\n<g>\\n<path d="M1 2L3 2"/></g></svg>'
    """
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r">\s+<", "><", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = _PLACE.sub(lambda found: _round(found[0]), svg)
    svg = _STYLE.sub(lambda found: found[0].replace(": ", ":").replace("; ", ";"), svg)
    svg = re.sub("<g[^>]*/>", "", _USES.sub(_share_style, _rename(svg)))
    return re.sub(r">(?=<(?!/|tspan))", ">\n", svg)  # one line per element, for git and for editors


def _round(place: str) -> str:
    """Return a path or a coordinate with rounded numbers, without spaces around letters.

    >>> _round("M 0 0 L 5.251 -0.305 z")
    'M0 0L5.25 -0.3z'
    """
    place = _NUMBER.sub(lambda found: f"{round(float(found[0]), DECIMALS):.9g}", place)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", place).strip()


def _rename(svg: str) -> str:
    """Return a file with short ids, only for elements that something refers to; ids of series
    become attributes.
    """
    svg = svg.replace(f' id="{ENTRY}', f' class="entry" id="{PART}')
    svg = svg.replace(f' id="{PART}', ' data-series="')
    names = {name: f"m{number:x}" for number, name in enumerate(dict.fromkeys(
        _REFERENCE.findall(svg)))}
    svg = re.sub(r' id="([^"]*)"', lambda found: (
        f' id="{names[found[1]]}"' if found[1] in names else ""), svg)
    return _REFERENCE.sub(lambda found: found[0].replace(found[1], names[found[1]]), svg)


def _share_style(group: re.Match[str]) -> str:
    """Return a group of marks, with their style at the group if all have the same."""
    attributes, marks = group.groups()
    found = set(_STYLE.findall(marks))
    (style,) = found if len(found) == 1 else ("",)
    if (not style or "style=" in attributes or _OPACITY.search(f'"{style}')
            or marks.count(" style=") < marks.count("<use")):
        return group[0]
    return f'<g{attributes} style="{style}">{_STYLE.sub("", marks)}</g>'


MOST_SIZES = 5  # sizes offered for a plot; the page contains a drawing of each
MOST_BYTES = 1 << 26  # of the drawings of one plot


@dataclass(frozen=True)
class Choice:
    """A figure in several versions: the name of the choice, the function that draws each option by
    its text, and the text of the default option, which the page and the files show. All take the
    same arguments.

    >>> choice = by_size(lambda n, *width: print(n, *width), [8, 9], 9)
    >>> choice(3.5)
    9 3.5
    >>> choice.others["8"]()
    8
    """

    name: str
    options: Mapping[str, Callable[..., Figure]]
    default: str

    def __call__(self, *width: float) -> Figure:
        """Draw the figure as the files have it."""
        return self.options[self.default](*width)

    @property
    def others(self) -> dict[str, Callable[..., Figure]]:
        """The options except the default."""
        return {text: draw for text, draw in self.options.items() if text != self.default}


def by_size(draw: Callable[..., Figure], sizes: Iterable[int], shown: int) -> Choice:
    """Return a figure of one n with a choice of n: the n that is `shown` and the largest others,
    `MOST_SIZES` in all.

    >>> list(by_size(print, range(1, 12), 3).options)
    ['3', '8', '9', '10', '11']
    """
    largest = sorted({int(n) for n in sizes} - {shown})[1 - MOST_SIZES:]
    return Choice("n", {str(n): partial(draw, n) for n in sorted([*largest, shown])}, str(shown))


def pack(choice: Choice, drawings: Mapping[str, str]) -> str:
    """Return the drawings of the other options as compressed text for the page.

    They are in the order of the choice; the default has no drawing, because the page already shows
    it.
    """
    ways = {"name": choice.name, "options": [[text, drawings.get(text)] for text in choice.options]}
    return b64encode(zlib.compress(json.dumps(ways).encode(), 9)).decode()


def unpack(packed: str) -> str:
    """Return what `pack` packed, for a comparison; the text itself if it is not packed.

    >>> unpack(pack(by_size(print, [8, 9], 9), {"8": "<svg/>"}))
    '{"name": "n", "options": [["8", "<svg/>"], ["9", null]]}'
    >>> unpack("<svg/>")
    '<svg/>'
    """
    opened = zlib.decompressobj()
    try:
        text = opened.decompress(b64decode(packed, validate=True), MOST_BYTES).decode()
    except (ValueError, zlib.error):
        return packed
    return text if opened.eof and not opened.unused_data else packed
