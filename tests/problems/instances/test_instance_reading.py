"""Instances from text and to text."""

import json
from itertools import islice, repeat

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nqbench.errors import NqbenchError
from nqbench.problems import instances
from nqbench.problems.instances import Board


@st.composite
def boards(draw):
    n = draw(st.integers(1, 12))
    squares = st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=6)
    placed = tuple(draw(squares))
    if draw(st.booleans()):
        return Board(n, placed=placed, torus=True)
    return Board(n, placed, tuple(draw(squares)),
                 tuple(draw(st.lists(st.integers(0, 2 * n - 2), max_size=4))),
                 tuple(draw(st.lists(st.integers(1 - n, n - 1), max_size=4))))


@given(boards())
@example(Board(0))
def test_an_instance_is_read_as_it_was_written(board):
    assert instances.parse(instances.write(board)) == board
    assert instances.parse(json.dumps(board.as_json())) == board


@pytest.mark.parametrize(("line", "message"), [
    ("placed=0:1", "an instance must have n"),
    ("n=8 n=9", "an instance must have n once"),
    ("n=eight", "n must be a whole number, not 'eight'"),
    ("n=8 placed=1", "a square must be ROW:COLUMN, not '1'"),
    ("n=8 placed=1:x", "a column must be a whole number, not 'x'"),
    ("n=8 torus=1", "torus takes no value, but got '1'"),
    ('{"n": 8', "must be a JSON object"),
    ("n=" + "9" * 5000, "n must be a whole number")])
def test_a_bad_line_is_named_with_its_number(line, message):
    with pytest.raises(NqbenchError) as caught:
        list(instances.parse_lines(["n=4", line]))
    assert str(caught.value).startswith("line 2: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


def test_empty_lines_and_comments_are_skipped():
    assert list(instances.parse_lines(["\ufeff# four\n", "\n", "n=4\n"])) == [Board(4)]


def test_lines_are_read_one_at_a_time():
    endless = instances.parse_lines(repeat("n=4"))
    assert len(list(islice(endless, 1000))) == 1000
