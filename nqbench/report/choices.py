"""Figures that the page shows in several ways: for another n, or on another scale."""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

MOST = 5  # sizes offered for a plot; the page contains a drawing of each
MOST_BYTES = 1 << 26  # of the drawings of one plot


@dataclass(frozen=True)
class Choice:
    """A figure in several versions: the name of the choice, the function that draws each option by
    its text, and the text of the default option, which the page and the files show.

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
        """The options except the default."""
        return {text: draw for text, draw in self.options.items() if text != self.default}


def by_scale(draw: Callable[[str], Figure]) -> Choice:
    """Return a figure with a choice of its scale, the argument of `draw`: "log" or "linear"."""
    return Choice("Scale", {"logarithmic": partial(draw, "log"), "linear": partial(draw, "linear")},
                  "logarithmic")


def by_size(draw: Callable[[int], Figure], sizes: Iterable[int], shown: int) -> Choice:
    """Return a figure of one n with a choice of n: the n that is `shown` and the largest others,
    `MOST` in all.

    >>> list(by_size(print, range(1, 12), 3).options)
    ['3', '8', '9', '10', '11']
    """
    largest = sorted({int(n) for n in sizes} - {shown})[1 - MOST:]
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

    >>> unpack(pack(by_scale(print), {"linear": "<svg/>"}))
    '{"name": "Scale", "options": [["logarithmic", null], ["linear", "<svg/>"]]}'
    >>> unpack("<svg/>")
    '<svg/>'
    """
    opened = zlib.decompressobj()
    try:
        text = opened.decompress(b64decode(packed, validate=True), MOST_BYTES).decode()
    except (ValueError, zlib.error):
        return packed
    return text if opened.eof and not opened.unused_data else packed
