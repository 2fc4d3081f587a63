"""Every name has a look: that of a built-in algorithm never changes, and others depend on the name.
"""

import pandas as pd
import pytest

from nqbench.problems.queens import NAMES
from nqbench.report import page, style
from nqbench.topics.searches.section import nodes, time, work

FOREIGN = [f"idea_{i}.py::search" for i in range(40)]


def test_no_foreign_name_looks_like_a_built_in_one_nor_often_like_another():
    own = {style.look_of(name)[1] for name in NAMES}
    assert not own & {style.look_of(name)[1] for name in FOREIGN}
    assert len({style.look_of(name)[:2] for name in FOREIGN}) > 30


def test_every_name_keeps_the_look_that_it_had():
    known = {"iterative": ("#0072b2", "o"), "bitmask": ("#332288", "p"),
             "somers": ("#cc3311", "d"), "cross": ("#ee3377", "1"),
             "my_idea.py::lookahead": ("#d55e00", "4")}
    assert {name: style.look_of(name)[:2] for name in known} == known


@pytest.mark.parametrize("draw", [nodes, work])
def test_a_foreign_algorithm_has_a_line(draw, monkeypatch):
    monkeypatch.setattr("nqbench.topics.searches.section.pruning", lambda counters: counters)
    counters = pd.DataFrame([
        {"algorithm": name, "n": n, "nodes": n**k, "tests": n**k, "comparisons": n**k}
        for k, name in ((3, "bitmask"), (4, "my_idea.py::x")) for n in range(1, 9)])
    for axes in draw(counters).axes:
        line = next(line for line in axes.lines if line.get_label() == "my_idea.py::x")
        assert line.get_color() == style.look_of("my_idea.py::x")[0]


def panels(*solvers):
    """The panels of the times of these solvers."""
    return time(pd.DataFrame([
        {"algorithm": name, "implementation": way, "n": n, "seconds": n, "low": n, "high": n}
        for name, way in solvers for n in (4, 5)])).axes


def test_a_foreign_algorithm_is_a_further_idea_and_few_solvers_share_a_panel():
    *_, last = panels(*((name, "python") for name in (*NAMES[:9], "my_idea.py::x")))
    assert last.get_title(loc="left") == "Further ideas"
    assert [line.get_label() for line in last.lines][-1] == "my_idea.py::x"
    (axes,) = panels(("bitmask", "python"), ("my_idea.py::x", "python"))
    assert axes.get_title(loc="left") == "All solvers"


def test_implementations_of_one_algorithm_differ_in_label_and_dashes():
    (axes,) = panels(*(("my_idea", way) for way in ("python", "numba", "$c$")))
    assert [(line.get_label(), line.get_linestyle()) for line in axes.lines] == [
        ("my_idea", "-"), ("my_idea (numba)", "-."), (r"my_idea (\$c\$)", "-.")]


def test_the_page_names_an_implementation_from_outside():
    template = page._environment().from_string(
        '{% from "macros.html" import solver with context %}{{ solver(row) }}')
    shown = {way: template.render(row={"algorithm": "bitmask", "implementation": way})
             for way in ("python", "cython", "<numba>")}
    assert shown == {
        "python": "<code>bitmask</code>", "cython": "<code>bitmask</code> in Cython",
        "<numba>": "<code>bitmask</code> (&lt;numba&gt;)"}


def test_lines_that_end_close_together_are_a_band_and_bitmask_is_grey():
    names = ["iterative", "recursive", "one_loop", "char_board", "brute_force"]
    found = pd.DataFrame([
        {"algorithm": name, "implementation": "python", "n": n, "seconds": n * (1 + k * 0.1),
         "low": n, "high": 9 * n}
        for k, name in enumerate([*names, "bitmask", "somers", "flat_marks", "canonical"])
        for n in (4, 5)]).replace({"seconds": {5 * 1.4: 99.0}})
    first, second, *_ = time(found).axes
    assert "4 alike: 5 s to 6.5 s" in {text.get_text() for text in first.texts}
    assert first.lines[0].get_color() == "#9a9a9a"
    assert second.lines[0].get_color() != "#9a9a9a"
    assert first.get_xlim() == second.get_xlim()
