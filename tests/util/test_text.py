"""What a notebook shows of a result: boards and tables, that a page of any colour can hold."""

from xml.etree import ElementTree

import pytest

import nqbench
from nqbench.checking.verification import Check, Verification
from nqbench.problems.queens import find
from nqbench.problems.sudoku.base import PuzzleTally
from nqbench.search.board import LARGEST_SHOWN, Placement
from nqbench.search.estimates import estimate
from nqbench.search.variants import Symmetry
from nqbench.util.text import format_seconds, html_table


def cells(table):
    """The rows of a table, its head first; each row with the head of its own."""
    root = ElementTree.fromstring(table)
    return [[cell.text or "" for cell in row] for row in root.iter("tr")]


def test_a_placement_is_a_board_unless_it_is_a_very_large_one():
    placement = Placement([1, 3, 0, 2])
    assert placement._repr_svg_() == placement.svg()
    assert Placement(range(LARGEST_SHOWN))._repr_svg_()
    assert Placement(range(LARGEST_SHOWN + 1))._repr_svg_() is None


def test_counters_are_a_table():
    table = nqbench.profile(8, algorithm="iterative")._repr_html_()
    shown = dict(cells(table))
    assert (shown["nodes"], shown["levels"]) == ("2,057", "1 8 42 140 344 568 550 312 92")
    assert shown["solutions"] == "92"
    assert "Counters of one search, n = 8" in table
    assert "51 empty cells" in PuzzleTally(51)._repr_html_()


def test_a_verification_is_a_table_that_says_what_differs():
    good = Check("A319284", 3, [1, 3, 2, 0], {"bitmask (python)": [1, 3, 2, 0]})
    bad = Check("A000170", 8, 92, {"<b> (python)": 91},
                wrong={"<b> (python)": 91})
    table = Verification([good, bad, Check("A000170", 20, 39029188884)], True)._repr_html_()
    assert cells(table)[1:] == [["A319284", "3", "1 3 2 0", "1 3 2 0", "ok", "1"],
                                ["A000170", "8", "92", "91", "differs", "1"],
                                ["A000170", "20", "39029188884", "", "left out", "0"]]
    assert "1 of 3 published values confirmed, 1 differ, 1 left out, interrupted" in table


def test_symmetry_and_estimates_are_tables():
    assert ["orbits of 8", "11", "A260320"] in cells(Symmetry(8, 92, 4, 0)._repr_html_())
    found = estimate(find("bitmask"), 8, 100, seed=1)
    assert cells(found._repr_html_())[1][:2] == ["nodes", f"{found.nodes.mean:,.6g}"]


@pytest.mark.parametrize("make", [
    lambda: nqbench.profile(6), lambda: nqbench.verify(2), lambda: Symmetry(8, 92, 4, 0),
    lambda: estimate(find("bitmask"), 8, 100)])
def test_tables_have_a_caption_and_heads_and_no_colours_of_their_own(make):
    table = make()._repr_html_()
    root = ElementTree.fromstring(table)
    assert root.find("caption").text
    head, *rows = root.iter("tr")
    assert {cell.get("scope") for cell in head} == {"col"}
    assert all(cell.text for cell in head)
    assert {row[0].get("scope") for row in rows} == {"row"}
    assert not {"color", "background"} & {word for cell in root.iter()
                                          for word in cell.get("style", "").split(":")}


def test_text_from_outside_is_text():
    table = html_table("<script>", ["&"], [["<script>alert(1)</script>"]])
    assert cells(table) == [["&"], ["<script>alert(1)</script>"]]
    assert "<script" not in table


@pytest.mark.parametrize(("seconds", "text"), [
    (61.9, "1.03 minutes"), (3600, "1 hour"), (86_400, "1 day"), (365.25 * 86_400, "1 year"),
    (1, "1 s"), (0.001, "1 ms"), (172_800, "2 days"), (999.6 * 86_400 * 365.25, "1,000 years"),
    (2e-6, "2 µs"), (float("inf"), "a billion years or more")])
def test_one_of_a_unit_is_singular(seconds, text):
    assert format_seconds(seconds) == text
