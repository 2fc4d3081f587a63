"""A drawing is made small without a change that can be seen."""

import re
from xml.etree import ElementTree

import pytest
from matplotlib.backends.backend_svg import FigureCanvasSVG

from nqbench.report import style
from nqbench.report.drawings import shrink

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


@pytest.fixture(scope="module")
def drawings():
    """A figure as matplotlib wrote it, and as it is shrunk."""
    with style.figure(5, 3) as (made, (axes,)):
        for label, values in (("a & b", [1, 10, 100, 1000]), ("c", [3, 3, 3, 90])):
            axes.plot([1, 2, 3, 4], values, marker="o", label=label)
        axes.step(range(1, 5), [2, 5, 5, 9])
        axes.scatter([1, 2, 3], [5, 6, 7], alpha=0.5)
        axes.set_yscale("log")
        axes.set_title("n < 5")
        axes.legend()
    FigureCanvasSVG(made)  # instead of ours, which leaves out some groups
    svg = style.to_svg(made)
    return svg, shrink(svg)


def places(svg):
    """The coordinates of the paths of a file, in points."""
    return [float(number) for path in ElementTree.fromstring(svg).iter(f"{SVG}path")
            for number in re.findall(r"-?\d+\.?\d*", path.get("d"))]


def styles(svg):
    """The style of each mark: that of the group it is in, its own, and that of what it uses."""
    root = ElementTree.fromstring(svg)
    defined = {path.get("id"): path.get("style", "") for path in root.iter(f"{SVG}path")}

    def walk(element, outer):
        own = f"{outer};{element.get('style', '')}"
        if element.tag == f"{SVG}use":
            given = f"{own};{defined[element.get(LINK)[1:]]}".replace(" ", "")
            yield dict(part.split(":") for part in given.split(";") if part)
        for inner in element:
            yield from walk(inner, own)

    return list(walk(root, ""))


def test_it_takes_about_six_tenths(drawings):
    before, after = drawings
    assert len(after) < 0.65 * len(before)


def test_every_path_goes_where_it_did(drawings):
    before, after = map(places, drawings)
    assert len(before) > 40
    assert [pytest.approx(place, abs=0.01) for place in before] == after


def test_every_mark_has_its_place_and_its_style(drawings):
    before, after = ([(float(use.get("x")), float(use.get("y"))) for use in ElementTree.fromstring(
        svg).iter(f"{SVG}use")] for svg in drawings)
    assert [pytest.approx(place, abs=0.01) for place in before] == after
    assert styles(drawings[0]) == styles(drawings[1])


def test_every_text_is_kept(drawings):
    before, after = (["".join("".join(text.itertext()).split()) for text in ElementTree.fromstring(
        svg).iter(f"{SVG}text")] for svg in drawings)
    assert before == after
    assert "n<5" in after


def test_what_is_referred_to_is_there_and_nothing_else_has_a_name(drawings):
    _, after = drawings
    known = re.findall(' id="(.*?)"', after)
    assert len(known) == len(set(known))
    assert set(known) == set(re.findall(r'(?:href="|url\()#(.*?)[")]', after))


def test_opacity_of_a_mark_does_not_become_that_of_its_group():
    marks = '<use xlink:href="#a" x="1" y="1" style="opacity: 0.5"/>' * 2
    svg = f'{HEAD}<defs><path id="a" d="M 0 0 L 1 1"/></defs><g>{marks}</g></svg>'
    assert shrink(svg).count("opacity:0.5") == 2
