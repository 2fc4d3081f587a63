"""Placements, their symmetries and drawings."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.search.board import Placement, boards_svg, canonical, images, mirror, rotate

placements = st.integers(0, 12).flatmap(lambda n: st.permutations(range(n))).map(tuple)


@given(placements)
def test_the_images_of_a_placement_have_one_canonical_form_and_are_solutions_or_none_is(columns):
    assert rotate(rotate(rotate(rotate(columns)))) == mirror(mirror(columns)) == columns
    found = images(columns)
    assert 8 % len(set(found)) == 0
    assert {canonical(image) for image in found} == {min(found)}
    attacks = any(abs(a - b) == j - i for j, b in enumerate(columns)
                  for i, a in enumerate(columns[:j]))
    assert {image.is_solution for image in Placement(columns).images} == {not attacks}


@given(placements)
def test_every_drawing_shows_each_queen_in_her_square(columns):
    placement = Placement(columns)
    n = placement.n
    assert [row.index("Q") for row in placement.strings()] == list(columns)
    assert [row.index(1) for row in placement.matrix()] == list(columns)
    assert placement.drawing().count("Q") == n
    root = ElementTree.fromstring(placement.svg())
    queens = root.findall(".//{http://www.w3.org/2000/svg}use")
    assert [(int(q.get("x")) // 24, int(q.get("y")) // 24) for q in queens] == [
        (c, r) for r, c in enumerate(columns)]


@given(placements)
def test_the_representation_of_a_placement_evaluates_to_it(columns):
    assert eval(repr(Placement(columns)), {"Placement": Placement}) == columns


@pytest.mark.parametrize(("columns", "error", "says"), [
    ([4, 0, 1, 2], ValueError, "at most 3 on 4 rows, not 4"),
    ([-1], ValueError, "0 or more, not -1"),
    ([1.5, 0], TypeError, "not 1.5"),
    ([True], TypeError, "not True"),
    (["a"], TypeError, "not 'a'"),
])
def test_columns_off_the_board_are_refused(columns, error, says):
    with pytest.raises(error, match=says):
        Placement(columns)


def test_many_boards_make_one_drawing():
    root = ElementTree.fromstring(boards_svg([(1, 3, 0, 2)] * 9, across=4))
    assert root.get("viewBox") == "0 0 480 360"
    assert ElementTree.fromstring(boards_svg([])) is not None


def test_the_dark_squares_are_those_of_odd_row_and_column():
    path = ElementTree.fromstring(boards_svg([(1, 3, 0, 2)])).find(
        "{http://www.w3.org/2000/svg}g/{http://www.w3.org/2000/svg}path")
    assert (path.get("stroke-width"), path.get("stroke-dasharray")) == ("24", "24")
    assert path.get("d") == "M24,12H96M0,36H96M24,60H96M0,84H96"
