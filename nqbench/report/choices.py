"""Figures that the page shows in several ways: for another n, or on another scale."""

import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

MOST = 5  # sizes offered for a plot: each is drawn, and kept in the page


@dataclass(frozen=True)
class Choice:
    """A figure in several ways: what a reader chooses, by each text the function that draws it, and
    the text of the one that the page and the files show by themselves.

    >>> choice = by_scale(lambda scale: print(scale))
    >>> choice()
    log
    >>> choice.others["linear"]()
    linear
    """

    name: str
    options: Mapping[str, Callable[[], Figure]]
    default: str

    def __call__(self) -> Figure:
        """Draw the figure as the files have it."""
        return self.options[self.default]()

    @property
    def others(self) -> dict[str, Callable[[], Figure]]:
        """What else can be chosen."""
        return {text: draw for text, draw in self.options.items() if text != self.default}


def by_scale(draw: Callable[[str], Figure]) -> Choice:
    """Return a figure as a choice of its scale, which `draw` takes: "log" or "linear"."""
    return Choice("Scale", {"logarithmic": partial(draw, "log"), "linear": partial(draw, "linear")},
                  "logarithmic")


def by_size(draw: Callable[[int], Figure], sizes: Iterable[int], shown: int) -> Choice:
    """Return a figure of one n as a choice of it: of that which is `shown`, and of the largest
    others, `MOST` in all.

    >>> list(by_size(print, range(1, 12), 3).options)
    ['3', '8', '9', '10', '11']
    """
    largest = sorted({int(n) for n in sizes} - {shown})[1 - MOST:]
    return Choice("n", {str(n): partial(draw, n) for n in sorted([*largest, shown])}, str(shown))


def pack(choice: Choice, drawings: Mapping[str, str]) -> str:
    """Return the drawings of what else can be chosen as text for the page, compressed.

    In the order of the choice; the default has no drawing, as the page shows it already.
    """
    ways = {"name": choice.name, "options": [[text, drawings.get(text)] for text in choice.options]}
    return b64encode(zlib.compress(json.dumps(ways).encode(), 9)).decode()
