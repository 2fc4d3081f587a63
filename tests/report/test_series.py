"""The parts of a plot carry the names of their series, and so do the names in legends and beside
lines.
"""

from xml.etree import ElementTree

import pandas as pd

from nqbench.report import style
from nqbench.report.drawings import named, series, shrink
from nqbench.topics.searches.section import nodes
from nqbench.topics.searches.section_saving import savings

SVG = "{http://www.w3.org/2000/svg}"


def drawn(made):
    """The SVG of a figure as the page has it."""
    return ElementTree.fromstring(shrink(style.to_svg(made)))


def parts(root):
    """The names of series of what a drawing shows, without entries, in its order."""
    return [element.get("data-series") for element in root.iter()
            if element.get("data-series") and element.get("class") != "entry"]


def entries(root):
    """The texts that name series, each with the names."""
    return {"".join(element.itertext()).strip(): element.get("data-series")
            for element in root.iter(f"{SVG}g")
            if element.get("class") == "entry" and element.find(f"{SVG}text") is not None}


def test_all_that_is_drawn_of_a_series_has_its_name():
    with style.figure(4, 3) as (made, (axes,)):
        with series(axes, named("somers", "cython"), "b"):
            axes.fill_between([1, 2], [1, 2], [2, 3])
            axes.plot([1, 2], [1, 2], label="a")
            axes.vlines([1], [1], [2])
        axes.plot([1, 2], [3, 4])
    assert parts(drawn(made)) == ["somers/cython|b"] * 3


def test_legends_and_labels_at_lines_name_the_series_of_their_label():
    with style.figure(4, 3, 2) as (made, (left, right)):
        with series(left, "somers"):
            left.plot([1, 2], [1, 2], label="Somers' program")
        style.label_lines(left, [(2.0, 2.0, "Somers' program", "#000000")])
        left.annotate("no series", (1, 1))
        right.plot([1, 2], [3, 4], label="Somers, too")
        right.errorbar([1, 2], [3, 5], [1, 1], label="<R & D>")
        style.legend(right)
    root = drawn(made)
    assert entries(root) == {
        "Somers' program": "somers", "Somers, too": ".Somers, too", "<R & D>": ".<R & D>"}
    names = [element.get("data-series") for element in root.iter() if element.get("class")]
    assert names.count("somers") == 1
    assert parts(root).count("somers") == 1


def test_what_names_nothing_is_not_marked():
    with style.figure(4, 3) as (made, (axes,)):
        axes.plot([1, 2], label="a")
        axes.text(1, 1, "b")
    assert "data-series" not in shrink(style.to_svg(made))


def test_a_bar_belongs_to_its_row_and_to_its_colour():
    gains = pd.DataFrame({"algorithm": ["a", "b"], "implementation": ["python", "cython"], "n": 8,
                          "nodes": [2.0, 0.5], "time": [4.0, 1.0], "low": 1.0, "high": 5.0})
    root = drawn(savings(gains, "nothing", [], 8))
    assert set(parts(root)) == {f".{what}|{who}" for what in ("nodes", "time")
                                for who in ("a/python", "b/cython")}
    assert entries(root) == {"nodes": ".nodes", "time": ".time", "a": "a/python",
                             "b (Cython)": "b/cython"}


def test_a_line_of_many_algorithms_has_all_their_names():
    counters = pd.DataFrame([{"algorithm": who, "n": n, "nodes": n**2, "tests": n * 3 * k,
                              "comparisons": 0}
                             for k, who in enumerate(("iterative", "recursive", "one_loop",
                                                      "bitmask"), 1) for n in range(4, 9)])
    found = entries(drawn(nodes(counters)))
    assert found["bitmask + 3 more"] == "bitmask|iterative|one_loop|recursive"
