"""Some plots can be shown for another n, or on another scale."""

import base64
import json
import zlib
from types import SimpleNamespace

import pandas as pd
import pytest
from kept import read
from matplotlib.ticker import LogLocator

from nqbench.report import building, keeping, plots, rendering, style
from nqbench.report.choices import Choice, by_scale, by_size, pack


def figure(label="x"):
    with style.figure(4, 3) as (made, (axes,)):
        axes.plot([1, 2], label="x")
        axes.set_title(label)
    return made


def unpacked(text):
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_the_files_have_the_default_and_the_page_the_others_too(tmp_path):
    choice = Choice("n", {n: lambda n=n: figure(f"n = {n}") for n in "789"}, "8")
    made = SimpleNamespace(figures={"plot": choice, "other": figure})
    drawn = building.draw(made, tmp_path)
    assert "n = 8" in drawn["plot"]
    assert {path.name for path in tmp_path.iterdir()} == {"plot.svg", "other.svg"}
    others = building.draw_others(made)
    assert {name: list(svgs) for name, svgs in others.items()} == {"plot": ["7", "9"]}
    assert "n = 9" in others["plot"]["9"]
    kept = unpacked(pack(choice, others["plot"]))
    assert kept == {"name": "n", "options": [["7", others["plot"]["7"]], ["8", None],
                                             ["9", others["plot"]["9"]]]}


def test_the_same_choice_is_packed_into_the_same_text():
    choice = by_scale(lambda scale: figure(scale))
    drawings = {"linear": "<svg/>"}
    assert pack(choice, drawings) == pack(choice, drawings)


@pytest.mark.parametrize(("sizes", "shown", "offered"), [
    (range(1, 14), 10, "9 10 11 12 13"), ([8], 8, "8"), ([4, 6], 6, "4 6")])
def test_the_largest_sizes_are_offered_and_the_one_shown(sizes, shown, offered):
    choice = by_size(print, sizes, shown)
    assert list(choice.options) == offered.split()
    assert choice.default == str(shown)


def test_a_plot_of_one_n_only_has_no_choice(records):
    made = read(records)
    alone = {name: {} for name, plot in made.figures.items() if isinstance(plot, Choice)}
    undrawn = dict.fromkeys(made.figures, rendering.UNDRAWN)
    assert 'class="ways"' not in rendering.page(made, undrawn, others=alone)


def test_a_page_with_choices_differs_from_another_in_drawings_alone(tmp_path):
    for folder, packed in (("one", "abc"), ("two", "abd")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / keeping.PAGE).write_text(
            f'<p>x</p><script type="text/plain" class="ways">{packed}</script>', "utf-8")
        keeping.write_list(tmp_path / folder)
    found = keeping.compare(tmp_path / "one", tmp_path / "two")
    assert found.differ == [keeping.LIST, keeping.PAGE]
    assert found.only_drawings


RATES = pd.DataFrame({"algorithm": ["bitmask", "somers"], "implementation": "python", "n": 8,
                      "nodes_per_second": [1e6, 2.5e6], "low": [9e5, 2.4e6], "high": [2e6, 3e6]})


def test_a_linear_scale_has_no_logarithmic_marks_and_writes_numbers_in_full():
    log, linear = plots.rate(RATES), plots.rate(RATES, "linear")
    assert isinstance(log.axes[0].xaxis.get_major_locator(), LogLocator)
    assert linear.axes[0].get_xscale() == "linear"
    text = style.to_svg(linear)
    assert ">2,500,000<" in text
    assert "1e6" not in text


def test_powers_of_ten_are_plain_text():
    text = style.to_svg(plots.rate(RATES.assign(low=1e-3)))
    assert ">10⁻²<" in text
    assert "tspan" not in text
