"""The series that the parts of a plot show, so that the page can highlight a series everywhere.

The names are in the gids of matplotlib's artists, which it writes as ids. `shrinking.shrink` turns
them into an attribute `data-series`, and elements with `ENTRY` get the class `entry`. A name that
begins with `OWN` belongs to this plot only.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.container import Container
from matplotlib.figure import Figure

PART, ENTRY = "series:", "entry:"  # a line, a band or a bar; its name beside it or in a legend
LINK = "_to "  # the label of what leads to a text begins so; _ keeps it out of legends
SEPARATOR = "|"
OWN = "."


def name(algorithm: str, implementation: str = "") -> str:
    """Return the name of an algorithm, or of one of its implementations, as a series; on the page
    an algorithm stands for all its implementations.

    >>> name("somers"), name("somers", "cython")
    ('somers', 'somers/cython')
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


def name_ticks(axes: Axes, names: Iterable[str]) -> None:
    """Mark the labels of the y axis, each as the entry of a series."""
    for label, own in zip(axes.get_yticklabels(), names, strict=True):
        label.set_gid(ENTRY + own)


def mark_entries(made: Figure) -> None:
    """Mark legends, and texts that repeat the label of a series, as the entries of that series.

    A part with a label but no name becomes a series of this plot only, named after its label.
    """
    everywhere = _labels(made.axes)
    for axes in made.axes:
        known = everywhere | _labels([axes])
        legend = axes.get_legend()
        for handle, text in zip(legend.legend_handles, legend.get_texts(),
                                strict=True) if legend else ():
            names = _names(known, text.get_text())
            text.set_gid(ENTRY + names)
            if handle:
                handle.set_gid(ENTRY + names)
        for text in axes.texts:
            if text.get_text() in known:
                names = _names(known, text.get_text())
                text.set_gid(ENTRY + names)
                for link in axes.patches:
                    if link.get_label() == LINK + text.get_text():
                        mark(link, names)


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


def _names(known: dict[str, list[Artist]], label: str) -> str:
    """Return the names that all parts of a series with a label have; mark its parts, if they have
    none.
    """
    own = OWN + label.replace(SEPARATOR, " ")
    parts = known.get(label, [])
    for part in parts:
        if not part.get_gid():
            mark(part, own)
    names = [str(part.get_gid()).removeprefix(PART).split(SEPARATOR) for part in parts] or [[own]]
    return SEPARATOR.join(one for one in names[0] if all(one in others for others in names))
