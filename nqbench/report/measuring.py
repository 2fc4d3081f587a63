"""Measure each text and each panel once: measuring takes a large part of the time of drawing.

By itself, matplotlib forgets the size of a text with each figure, reads the height of a font again
for each text, and measures all panels twice for a layout.
"""

from codecs import getwriter
from functools import lru_cache
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.cbook import file_requires_unicode, open_file_cm
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Bbox

Heights = tuple[float | None, float | None, float | None]
POINTS = 72  # points in an inch
_measure = lru_cache(maxsize=1 << 12)(text_to_path.get_text_width_height_descent)


class Canvas(FigureCanvasSVG):
    """A canvas that is saved as SVG with sizes of texts that all figures share."""

    def print_svg(self, filename: Any, *, metadata: Any = None, **kwargs: Any) -> None:
        """Write the figure to a file or stream as SVG."""
        with open_file_cm(filename, "w", encoding="utf-8") as stream:
            file = stream if file_requires_unicode(stream) else getwriter("utf-8")(stream)
            self.figure.dpi = POINTS
            width, height = POINTS * self.figure.get_size_inches()
            renderer = Renderer(width, height, file, metadata=metadata)
            self.figure.draw(renderer)
            renderer.finalize()


class Renderer(RendererSVG):
    """matplotlib's renderer, which measures a text once and writes only groups that have a gid."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._written: list[bool] = []  # whether each open group is

    def get_text_width_height_descent(self, s: str, prop: FontProperties,
                                      ismath: Any) -> tuple[float, float, float]:
        """Return width, height and descent of a text in points."""
        return _measure(s, prop.copy(), ismath)

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Begin a group, if it has a gid."""
        self._written.append(bool(gid))
        if gid:
            super().open_group(s, gid)

    def close_group(self, s: str) -> None:
        """End a group."""
        if self._written.pop():
            super().close_group(s)

    if (3, 11) <= mpl.__version_info__ < (3, 12):  # the versions that ask for it
        def _get_font_height_metrics(self, prop: FontProperties) -> Heights:
            return _heights(prop.copy())


@lru_cache(maxsize=1 << 8)
def _heights(prop: FontProperties) -> Heights:
    """Return ascent, descent and line gap of a font in points, None if its table lacks them."""
    font = get_font(findfont(prop))
    table = font.get_sfnt_table("OS/2")
    if table is None:
        return None, None, None
    scale = prop.get_size_in_points() / font.units_per_EM
    return (scale * table["sTypoAscender"], -scale * table["sTypoDescender"],
            scale * table["sTypoLineGap"])


class Layout(ConstrainedLayoutEngine):
    """matplotlib's constrained layout of panels, each measured once."""

    def execute(self, fig: Figure) -> None:
        """Lay out a figure."""
        for panel in fig.axes:
            if isinstance(panel, Panel):
                panel.reach = None
        super().execute(fig)


class Panel(Axes):
    """Axes that remember how far their labels reach for the second pass of a layout.

    reach: the distances in pixels from left, bottom, right and top of the axes; None if they are
    to be measured.
    """

    reach: Any = None

    def get_tightbbox(self, renderer: Any = None, *, for_layout_only: bool = False,
                      **kwargs: Any) -> Any:
        """Return the box around the axes and all their labels."""
        if not for_layout_only or self.reach is None:
            box = super().get_tightbbox(renderer, for_layout_only=for_layout_only, **kwargs)
            if not for_layout_only or box is None:
                return box
            self.reach = np.subtract(box.extents, self.bbox.extents)
        return Bbox.from_extents(self.bbox.extents + self.reach)
