"""Some plots can be shown for another n, or on another scale."""

import json
import zlib
from base64 import b64decode, b64encode
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from kept import read
from matplotlib.ticker import LogLocator

from nqbench.report import builder, checksums, page, style
from nqbench.report.drawings import Choice, by_scale, by_size, pack, unpack
from nqbench.topics.searches.section import rate


def figure(label="x"):
    with style.figure(4, 3) as (made, (axes,)):
        axes.plot([1, 2], label="x")
        axes.set_title(label)
    return made


def unpacked(text):
    return json.loads(zlib.decompress(b64decode(text)))


def test_the_files_have_the_default_and_the_page_the_others_too(tmp_path):
    choice = Choice("n", {n: lambda n=n: figure(f"n = {n}") for n in "789"}, "8")
    made = SimpleNamespace(figures={"plot": choice, "other": figure})
    drawn = builder.draw(made, tmp_path)
    assert "n = 8" in drawn["plot"]
    assert {path.name for path in tmp_path.iterdir()} == {"plot.svg", "other.svg"}
    others = builder.draw_others(made)
    assert {name: list(svgs) for name, svgs in others.items()} == {"plot": ["7", "9"]}
    assert "n = 9" in others["plot"]["9"]
    kept = unpacked(pack(choice, others["plot"]))
    assert kept == {"name": "n", "options": [["7", others["plot"]["7"]], ["8", None],
                                             ["9", others["plot"]["9"]]]}


@pytest.mark.parametrize(("sizes", "shown", "offered"), [
    (range(1, 14), 10, "9 10 11 12 13"), ([8], 8, "8"), ([4, 6], 6, "4 6")])
def test_the_largest_sizes_are_offered_and_the_one_shown(sizes, shown, offered):
    choice = by_size(print, sizes, shown)
    assert list(choice.options) == offered.split()
    assert choice.default == str(shown)


@pytest.mark.thorough
def test_plots_with_a_logarithmic_scale_can_have_a_linear_one(records):
    scaled = {name for name, plot in read(records).figures.items() if isinstance(plot, Choice)
              and list(plot.options)[:2] == ["logarithmic", "linear"]}
    assert {"nodes", "work", "time", "rate"} == scaled


def test_a_plot_of_one_n_only_has_no_choice(records):
    made = read(records)
    made = replace(made, parts={name: made.parts[name] for name in ("work", "errata")})
    alone = {name: {} for name, plot in made.figures.items() if isinstance(plot, Choice)}
    assert alone
    undrawn = dict.fromkeys(made.figures, page.UNDRAWN)
    assert 'class="ways"' not in page.page(made, undrawn, others=alone)


def test_pages_are_compared_by_what_can_be_chosen_not_by_its_compression(tmp_path):
    choice = by_scale(print)
    script = '<script type="text/plain" class="ways">{}</script>'
    drawings = [pack(choice, {"linear": f"<svg>{text}</svg>"}) for text in (
        "one", "one", "<script>two</script>")]
    drawings[1] = b64encode(zlib.compress(zlib.decompress(b64decode(drawings[1])), 1)).decode()
    assert drawings[0] != drawings[1]
    for name, packed in zip("abc", drawings, strict=True):
        (tmp_path / name).mkdir()
        (tmp_path / name / checksums.PAGE).write_text(script.format(packed), "utf-8")
        checksums.write_list(tmp_path / name)
    assert checksums.compare(tmp_path / "a", tmp_path / "b").same
    assert checksums.compare(tmp_path / "a", tmp_path / "c").differ == {checksums.PAGE: (
        'line 1: l], ["linear", "<svg><script>two</script></svg>"]]}</script> instead of '
        'logarithmic", null], ["linear", "<svg>one</svg>"]]}</script>')}


@pytest.mark.parametrize("text", [
    b64encode(b64decode(pack(by_scale(print), {})) + b"more").decode(),
    b64encode(b64decode(pack(by_scale(print), {}))[:-1]).decode(),
    "", "abc", b64encode(b"x").decode()])
def test_what_pack_would_not_write_is_compared_as_it_is(text):
    assert unpack(text) == text


RATES = pd.DataFrame({"algorithm": ["bitmask", "somers"], "implementation": "python", "n": 8,
                      "nodes_per_second": [1e6, 2.5e6], "low": [9e5, 2.4e6], "high": [2e6, 3e6]})


def test_a_linear_scale_has_no_logarithmic_marks_and_writes_numbers_in_full():
    log, linear = rate(RATES), rate(RATES, "linear")
    assert isinstance(log.axes[0].xaxis.get_major_locator(), LogLocator)
    assert linear.axes[0].get_xscale() == "linear"
    text = style.to_svg(linear)
    assert ">2,500,000<" in text
    assert "1e6" not in text


def test_powers_of_ten_are_plain_text():
    text = style.to_svg(rate(RATES.assign(low=1e-3)))
    assert ">10⁻²<" in text
    assert "tspan" not in text
