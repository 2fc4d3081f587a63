"""The values of plots on pointing are those that they show, at the same places."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from nqbench.report import plots, style
from nqbench.report.pointing import add_points

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def points(tmp_path):
    """Save a figure; return its points: x, y on the page, and the lines of text."""
    def call(made):
        style.save(made, str(tmp_path / "plot"))
        text = (tmp_path / "plot.svg").read_text("utf-8")
        call.root = ElementTree.fromstring(add_points(text, made, "{:g}".format))
        return [(float(circle.get("cx")), float(circle.get("cy")),
                 circle.find(f"{SVG}title").text.split("\n"))
                for circle in call.root.iter(f"{SVG}circle")]
    return call


def test_each_point_lies_on_its_mark(points):
    with style.figure(5, 3, 2) as (made, (left, right)):
        left.plot([1, 2, 3], [10, 1000, 30], marker="o", label="one")
        left.set_yscale("log")
        right.plot([1, 2], [5, 6], marker="s", label="two")
    found = points(made)
    marks = [(float(use.get("x")), float(use.get("y"))) for use in points.root.iter(f"{SVG}use")
             if "clip-path" in use.attrib or re.search("fill", use.get("style", ""))]
    assert len(found) == 5
    for x, y, _ in found:
        assert any(abs(x - a) < 0.1 and abs(y - b) < 0.1 for a, b in marks), (x, y)


def test_names_are_those_of_series_axes_and_panels(points):
    with style.figure(5, 3, 2, sharey=True) as (made, (left, right)):
        for axes in (left, right):
            axes.plot([4, 5], [2, 10], marker="o", label="R & <D>")
            axes.set_xlabel("n")
        left.set_ylabel("solutions")
        right.set_title("the right\none")
    assert [text for *_, text in points(made)] == [
        ["R & <D>", "n: 4", "solutions: 2"], ["R & <D>", "n: 5", "solutions: 10"],
        ["R & <D>", "the right one", "n: 4", "solutions: 2"],
        ["R & <D>", "the right one", "n: 5", "solutions: 10"]]


def test_values_of_a_close_up_are_told_apart(points):
    with style.figure(5, 3) as (made, (axes,)):
        axes.plot([1, 2], [1.0000002, 0.9999991], "o", label="a")
        axes.set_ylabel("y\nnot said")
    assert [text[-1] for *_, text in points(made)] == ["y: 1.00000020", "y: 0.99999910"]


def test_bars_are_told_at_their_ends_with_the_name_of_their_place(points):
    gains = pd.DataFrame({"algorithm": ["a", "b"], "n": 8, "nodes": [2.0, 0.5],
                          "time": [4.0, 1.0], "low": 1.0, "high": 5.0})
    found = points(plots.savings(gains, "nothing", ["a", "b"]))
    about = "times fewer nodes, times less time (left of 1: more)"
    assert [text for *_, text in found] == [
        [f"{what}, {name}", f"{about}: {value}"] for what, name, value in (
            ("nodes", "b", "0.5"), ("nodes", "a", "2"), ("time", "b", "1"), ("time", "a", "4"))]


def test_cells_are_told_by_row_and_column(points):
    survival = pd.DataFrame({"algorithm": ["one", "one"], "level": [0, 1], "n": 4,
                             "nodes": [1, 4], "children": [4.0, 1.5]})
    assert [text for *_, text in points(plots.heat(survival))] == [
        ["one", f"queens placed: {level}", f"Children of a node, level by level, n = 4: {children}"]
        for level, children in ((0, "4"), (1, "1.5"))]


def test_what_is_not_shown_is_not_told(points):
    with style.figure(5, 3) as (made, (axes,)):
        axes.plot([1, 2, 3], [1, np.nan, 100], marker="o", label="values")
        axes.plot([1, 3], [2, 2])  # an aid, without name or marks
        axes.axhline(5, label="a limit")
        axes.set_ylim(0, 10)
    assert [text[0] for *_, text in points(made)] == ["values"]
