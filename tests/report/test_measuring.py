"""What is measured once has the size that matplotlib measures each time."""

from io import BytesIO, StringIO
from types import SimpleNamespace

import matplotlib as mpl
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from nqbench.report import measuring, style
from nqbench.report.measuring import Panel, Renderer
from nqbench.report.shrinking import shrink

TEXTS = ["n", "ÅÅÅ_jjj", "10⁵", "two\nlines", "$x^2$ and text", ""]
LINE = 10 / 72 / 4  # the height of a line of a title, as a part of that of the figure
FONTS = [{}, {"size": 17}, {"weight": "bold"}, {"style": "italic"}, {"family": "monospace"}]


def draw(title="solutions\nby n"):
    """Draw a figure with every kind of text."""
    with style.figure(6, 4, 2, 2) as (made, panels):
        for k, axes in enumerate(panels):
            axes.plot([1, 2, 3], [1, 10**k, 10**(2 * k)], marker="o", label=f"series {k}")
            axes.set_title(title)
            axes.annotate("a note", (2, 10**k), weight="bold")
        panels[0].legend()
        panels[1].set_xlabel("queens")
        panels[2].set_ylabel("nodes")
        made.supxlabel("all panels")
    return made


def boxes(made):
    return [axes.get_position().extents.tolist() for axes in made.axes]


@pytest.mark.parametrize("font", FONTS, ids=str)
@pytest.mark.parametrize("rotation", [0, 90, 33])
def test_a_text_takes_the_room_that_matplotlib_gives_it(font, rotation):
    figure = Figure(dpi=72)
    for content in TEXTS:
        text = Text(0, 0, content, rotation=rotation, fontproperties=FontProperties(**font))
        text.set_figure(figure)
        ours, theirs = (text.get_window_extent(renderer(100, 100, StringIO())).extents.tolist()
                        for renderer in (Renderer, RendererSVG))
        assert ours == pytest.approx(theirs, abs=1e-9)


def test_a_drawing_is_that_of_matplotlib():
    ours = style.to_svg(draw())
    FigureCanvasSVG(other := draw())
    theirs = style.to_svg(other)
    assert len(ours) < 0.9 * len(theirs)
    assert shrink(ours) == shrink(theirs)


def test_two_passes_measure_a_panel_once_and_place_it_as_matplotlib_does(monkeypatch):
    measured = []
    of_matplotlib = Axes.get_tightbbox
    monkeypatch.setattr(Axes, "get_tightbbox", lambda axes, *args, **kwargs: (
        measured.append(axes), of_matplotlib(axes, *args, **kwargs))[1])
    made = draw()
    style.to_svg(made)
    assert measured == made.axes
    other = draw()
    other.set_layout_engine("constrained")
    monkeypatch.setattr(Panel, "get_tightbbox", of_matplotlib)
    style.to_svg(other)
    assert boxes(made) == [pytest.approx(box, abs=0.01) for box in boxes(other)]


def test_a_figure_that_has_changed_is_measured_anew():
    made = draw(title="one line")
    style.to_svg(made)
    before = made.axes[0].get_position().y1
    for axes in made.axes:
        axes.set_title("five\nlines\nare\nabove\nit")
    style.to_svg(made)
    assert made.axes[0].get_position().y1 < before - 4 * LINE


def test_a_font_without_heights_is_measured_by_matplotlib(monkeypatch):
    monkeypatch.setattr(measuring, "get_font", lambda name: SimpleNamespace(
        get_sfnt_table=lambda table: None))
    assert measuring._heights.__wrapped__(FontProperties()) == (None, None, None)


def test_a_hidden_panel_takes_no_room_for_labels():
    made = draw()
    made.axes[0].set_visible(False)
    assert "series 0" not in style.to_svg(made)
    assert made.axes[0].reach is None


def test_a_group_is_written_if_it_has_a_name():
    made = draw()
    made.axes[0].lines[0].set_gid("first")
    svg = style.to_svg(made)
    assert '<g id="first">' in svg
    assert "<g id=" not in svg.replace('<g id="first">', "").replace('<g id="entry:', "").replace(
        '<g id="series:', "")


def test_a_figure_is_written_to_streams_of_either_kind_and_in_other_formats():
    with mpl.rc_context({"svg.hashsalt": "the same ids"}):
        draw().savefig(text := StringIO(), format="svg", metadata={"Date": None})
        draw().savefig(data := BytesIO(), format="svg", metadata={"Date": None})
    draw().savefig(png := BytesIO(), format="png")
    assert data.getvalue().decode() == text.getvalue()
    assert png.getvalue().startswith(b"\x89PNG")
