"""The texts of a plot are inside it, and it is drawn once for each file."""

from itertools import product
from types import SimpleNamespace

import pytest
from kept import read
from matplotlib.axis import Axis
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from nqbench.report import builder, page, style


class Counting(Rectangle):
    """A patch that counts how often it is drawn."""

    drawn = 0

    def draw(self, renderer):
        self.drawn += 1
        super().draw(renderer)


def test_a_saved_figure_is_laid_out_and_drawn_once_a_file(tmp_path):
    with style.figure(4, 3) as (made, (axes,)):
        patch = axes.add_patch(Counting((0, 0), 1, 1))
        axes.set_ylabel("one\ntwo\nthree\nfour")
    before = axes.get_position().x0
    style.save(made, str(tmp_path / "plot"), ["svg", "png"])
    assert patch.drawn == 2
    assert axes.get_position().x0 > before


def test_a_pdf_is_a_drawing_with_its_fonts_and_no_date(tmp_path):
    def draw(stem):
        with style.figure(4, 3) as (made, (axes,)):
            axes.plot([1, 2], label="$x$")
            axes.set_ylabel("seconds")
        style.save(made, str(tmp_path / stem), ["pdf"])
        return (tmp_path / f"{stem}.pdf").read_bytes()

    pdf = draw("one")
    assert pdf.startswith(b"%PDF")
    assert b"/FontFile2" in pdf
    assert b"/Image" not in pdf.replace(b"/ImageB /ImageC /ImageI", b"")
    assert b"Date" not in pdf
    assert draw("two") == pdf


def test_a_report_has_png_and_pdf_plots_if_asked_and_else_the_same_files(tmp_path):
    def figure(width):
        with style.figure(width, 3) as (made, (axes,)):
            axes.plot([1, 2], label="x")
        return made

    made = SimpleNamespace(figures={"x": figure})
    drawn = builder.draw(made, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert builder.draw(made, tmp_path, ["png", "pdf"]) == drawn
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(after) - set(before) == {"x.png", "x.pdf"}
    assert after["x.png"].startswith(b"\x89PNG")
    assert {name: after[name] for name in before} == before


@pytest.mark.thorough
def test_the_page_links_the_png_and_pdf_files_only_if_they_are_there(records):
    made = read(records)
    undrawn = dict.fromkeys(made.figures, page.UNDRAWN)
    for kinds in (["svg"], ["svg", "png", "pdf"]):
        text = page.page(made, undrawn, kinds)
        for name in made.figures:
            for kind in ("svg", "png", "pdf"):
                assert (f'href="{name}.{kind}"' in text) == (kind in kinds)


@pytest.mark.thorough
def test_no_text_is_cut_off(records):
    for (name, draw), width in product(read(records).figures.items(),
                                       (style.WIDE, style.NARROW)):
        made = draw(width)
        with style._looks():
            style._write(made)
        made.draw_without_rendering()
        ticks = {label for axis in made.findobj(Axis) for tick in
                 [*axis.get_major_ticks(), *axis.get_minor_ticks()]
                 for label in (tick.label1, tick.label2)}  # some stand ready beyond the axis
        texts = [text for text in made.findobj(Text) if text not in ticks
                 and text.get_visible() and text.get_text()]
        assert len(made.findobj(Text)) > 5, name
        for text in texts:
            box = text.get_window_extent()
            assert min(box.x0, box.y0) > -1, (name, text)
            assert box.x1 < made.bbox.width + 1, (name, text)
            assert box.y1 < made.bbox.height + 1, (name, text)
