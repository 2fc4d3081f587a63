"""Some plots can be shown for another n, or on another scale."""

import json
import zlib
from base64 import b64decode, b64encode
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest
from kept import read

from nqbench.report import builder, checksums, page, style
from nqbench.report.drawings import Choice, by_size, pack, unpack


def figure(width=4, label="x"):
    with style.figure(width, 3) as (made, (axes,)):
        axes.plot([1, 2], label="x")
        axes.set_title(label)
    return made


def test_the_files_have_the_default_and_the_page_the_others_too(tmp_path):
    choice = Choice("n", {n: partial(figure, label=f"n = {n}") for n in "789"}, "8")
    made = SimpleNamespace(figures={"plot": choice, "other": figure})
    drawn = builder.draw(made, tmp_path)
    assert all("n = 8" in drawing for drawing in drawn["plot"])
    assert {path.name for path in tmp_path.iterdir()} == {"plot.svg", "other.svg"}
    others = builder.draw_others(made)
    assert {name: list(svgs) for name, svgs in others.items()} == {"plot": ["7", "9"]}
    assert "n = 9" in others["plot"]["9"][1]
    others = {"plot": {n: "".join(both) for n, both in others["plot"].items()}}
    kept = json.loads(unpack(pack(choice, others["plot"])))
    assert kept == {"name": "n", "options": [["7", others["plot"]["7"]], ["8", None],
                                             ["9", others["plot"]["9"]]]}


@pytest.mark.parametrize(("sizes", "shown", "offered"), [
    (range(1, 14), 10, "9 10 11 12 13"), ([8], 8, "8"), ([4, 6], 6, "4 6")])
def test_the_largest_sizes_are_offered_and_the_one_shown(sizes, shown, offered):
    choice = by_size(print, sizes, shown)
    assert list(choice.options) == offered.split()
    assert choice.default == str(shown)


def test_a_plot_of_one_n_only_has_no_choice(records):
    made = read(records)
    made = replace(made, parts={name: made.parts[name] for name in ("pruning", "errata")})
    alone = {name: {} for name, plot in made.figures.items() if isinstance(plot, Choice)}
    assert alone
    undrawn = dict.fromkeys(made.figures, page.UNDRAWN)
    assert 'class="ways"' not in page.page(made, undrawn, others=alone)


def test_pages_are_compared_by_what_can_be_chosen_not_by_its_compression(tmp_path):
    choice = by_size(print, [8, 9], 9)
    script = '<script type="text/plain" class="ways">{}</script>'
    drawings = [pack(choice, {"8": f"<svg>{text}</svg>"}) for text in (
        "one", "one", "<script>two</script>")]
    drawings[1] = b64encode(zlib.compress(zlib.decompress(b64decode(drawings[1])), 1)).decode()
    assert drawings[0] != drawings[1]
    for name, packed in zip("abc", drawings, strict=True):
        (tmp_path / name).mkdir()
        (tmp_path / name / checksums.PAGE).write_text(script.format(packed), "utf-8")
        checksums.write_list(tmp_path / name)
    assert checksums.compare(tmp_path / "a", tmp_path / "b").same
    assert checksums.compare(tmp_path / "a", tmp_path / "c").differ == {checksums.PAGE: (
        'line 1: ions": [["8", "<svg><script>two</script></svg>"], ["9", null instead of '
        ' "options": [["8", "<svg>one</svg>"], ["9", null]]}</script>')}


@pytest.mark.parametrize("text", [
    b64encode(b64decode(pack(by_size(print, [8], 8), {})) + b"more").decode(),
    b64encode(b64decode(pack(by_size(print, [8], 8), {}))[:-1]).decode(),
    "", "abc", b64encode(b"x").decode()])
def test_what_pack_would_not_write_is_compared_as_it_is(text):
    assert unpack(text) == text
