"""Every name has a look: that of a built-in algorithm never changes, and others depend on the name.
"""

import re
from itertools import combinations

import matplotlib as mpl
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from nqbench.problems.queens import NAMES
from nqbench.report import page, style
from nqbench.topics.searches.section import nodes, time

FOREIGN = [f"idea_{i}.py::search" for i in range(40)]


def test_no_foreign_name_looks_like_a_built_in_one_nor_often_like_another():
    own = {style.look_of(name)[1] for name in NAMES}
    assert not own & {style.look_of(name)[1] for name in FOREIGN}
    assert len({style.look_of(name)[:2] for name in FOREIGN}) > 30


def test_every_name_keeps_the_look_that_it_had():
    known = {"iterative": ("#0072b2", "o"), "bitmask": ("#7f7f7f", "p"),
             "somers": ("#e69f00", "d"), "cross": ("#0072b2", "X"),
             "my_idea.py::lookahead": ("#cc79a7", (8, 1, 0))}
    assert {name: style.look_of(name)[:2] for name in known} == known


def test_a_foreign_algorithm_has_a_line():
    counters = pd.DataFrame([
        {"algorithm": name, "n": n, "nodes": n**k}
        for k, name in ((3, "queens_first"), (4, "my_idea.py::x")) for n in range(4, 9)])
    (axes,) = nodes(counters).axes
    line = next(line for line in axes.lines if line.get_label() == "my_idea.py::x")
    assert line.get_color() == style.look_of("my_idea.py::x")[0]


def test_a_dot_has_its_name_its_time_and_grey_is_what_all_are_compared_with():
    found = pd.DataFrame([
        {"algorithm": name, "implementation": way, "n": 8, "seconds": seconds, "low": seconds,
         "high": seconds} for name, way, seconds in (
            ("bitmask", "python", 2.0), ("my_idea", "numba", 0.5), ("my_idea", "$c$", 4e-3))])
    for width in (style.WIDE, style.NARROW):
        (axes,) = time(found, 8, width).axes
        texts = {text.get_text() for text in axes.texts}
        if width == style.WIDE:
            texts |= {text.get_text() for text in axes.get_yticklabels()}
        assert texts >= {r"my_idea (\$c\$)", "my_idea (numba)", "bitmask", "4 ms", "500 ms", "2 s"}
        colours = [line.get_color() for line in axes.lines if line.get_marker() == "o"]
        assert colours == [style.BLUE, style.BLUE, style.GREY]


@pytest.mark.parametrize(("low", "high", "texts"), [
    (3, 20_000, "10 100 1,000 10 k"), (2, 30, "2 5 10 20"), (0.98, 1.17, "1 1.1"),
    (0.01, 5, "0.01 0.1 1"), (1e-7, 3, "1 µs 100 µs 10 ms 1 s" if mpl.__version_info__ >= (3, 11)
                    else "100 ns 10 µs 1 ms 100 ms")])
def test_ticks_are_decimal(low, high, texts):
    with style.figure(style.NARROW, 3) as (made, (axes,)):
        axes.plot([low, high], [1, 2])
        axes.set(xscale="log", xlim=(low, high))
        if "µs" in texts:
            style.write_times(axes.xaxis)
    svg = style.to_svg(made)
    assert all(f">{text}<" in svg for text in re.split(r" (?=\d)", texts))
    assert "10⁻" not in svg


def test_the_page_names_an_implementation_from_outside():
    template = page._environment().from_string(
        '{% from "macros.html" import solver with context %}{{ solver(row) }}')
    shown = {way: template.render(row={"algorithm": "bitmask", "implementation": way})
             for way in ("python", "cython", "<numba>")}
    assert shown == {
        "python": "<code>bitmask</code>", "cython": "<code>bitmask</code> in Cython",
        "<numba>": "<code>bitmask</code> (&lt;numba&gt;)"}


def test_names_of_lines_are_beside_their_ends_or_below_the_plot_of_a_phone():
    ends = [(2.0, 1.0 + k / 100, f"line {k}", "#000000") for k in range(4)]
    for width, beside in ((style.WIDE, True), (style.NARROW, False)):
        with style.figure(width, 3) as (made, (axes,)):
            for x, y, text, _ in ends:
                axes.plot([1, x], [1, y], label=text)
            style.label_lines(axes, ends)
        made.draw_without_rendering()
        assert [text.get_text() for text in axes.texts] == [text for *_, text, _ in ends] * beside
        boxes = [text.get_window_extent() for text in (
            axes.texts if beside else made.legends[0].get_texts())]
        assert len(boxes) == 4
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
        assert all(box.x0 >= 0 and box.x1 <= made.bbox.width for box in boxes)


@pytest.mark.parametrize("colour", ["#0072b2", "#e69f00", "#1b1b1b", "#7f7f7f", "#595959"])
def test_colours_can_be_read_on_a_dark_page(colour):
    light = style._luminance(*to_rgb(style.on_dark(colour)))
    assert (light + 0.05) / 0.058 >= 4
