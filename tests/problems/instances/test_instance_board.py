"""Boards with queens placed, squares blocked or diagonals excluded, and the torus."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems.instances import Board
from nqbench.search.board import Placement

SQUARES = [(row, column) for row in range(5) for column in range(5)]


def attacks(one, other, n, torus):
    """Whether two queens share a line, straight from the definition."""
    (r, c), (q, d) = one, other
    if r == q or c == d:
        return True
    return ((r + c - q - d) % n == 0 or (r - c - q + d) % n == 0) if torus else (
        abs(r - q) == abs(c - d))


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("square", SQUARES)
def test_the_squares_attacked_are_those_of_the_definition(square, torus):
    board = Board(5, torus=torus)
    sums, differences = board.diagonals(*square)
    for row in range(5):
        if row != square[0]:
            expected = sum(1 << c for c in range(5) if attacks(square, (row, c), 5, torus))
            diagonals = (sums >> row | differences >> 5 - row) & 31
            assert board.attacked(*square, row) == diagonals | 1 << square[1] == expected


@given(st.sets(st.sampled_from(SQUARES), max_size=10), st.sets(st.integers(0, 8), max_size=3),
       st.sets(st.integers(-4, 4), max_size=3))
def test_the_squares_left_are_those_that_nothing_bars(blocked, sums, differences):
    board = Board(5, blocked=tuple(blocked), sums=tuple(sums), differences=tuple(differences))
    for row, column in SQUARES:
        left = ((row, column) not in blocked and row + column not in sums
                and row - column not in differences)
        assert board.free[row] >> column & 1 == left
        assert board.free_by_column[column] >> row & 1 == left


def test_solutions_of_an_empty_board_are_those_of_the_queens():
    found = [columns for columns in permutations(range(6)) if Board(6).is_solution(columns)]
    assert found == [columns for columns in permutations(range(6))
                     if Placement(columns).is_solution]


def test_a_solution_must_keep_placed_queens_and_leave_barred_squares():
    assert Board(4, placed=((0, 1),)).is_solution((1, 3, 0, 2))
    assert not Board(4, placed=((0, 2),)).is_solution((1, 3, 0, 2))
    assert not Board(4, blocked=((0, 1),)).is_solution((1, 3, 0, 2))
    assert not Board(4, sums=(1,)).is_solution((1, 3, 0, 2))
    assert not Board(4, differences=(-1,)).is_solution((1, 3, 0, 2))
    assert not Board(4, torus=True).is_solution((1, 3, 0, 2))
    assert not Board(4).is_solution((1, 3, 0))


@pytest.mark.parametrize(("board", "why"), [
    (Board(4, placed=((0, 0), (0, 2))), "row 0 has two queens"),
    (Board(4, placed=((0, 0), (2, 0))), "the queens of rows 0 and 2 attack each other"),
    (Board(4, placed=((0, 0),), blocked=((0, 0),)),
     "the queen of row 0 stands on a blocked square"),
    (Board(4, placed=((1, 0),), differences=(1,)),
     "the queen of row 1 stands on an excluded diagonal"),
    (Board(5, placed=((0, 0), (1, 4)), torus=True), "the queens of rows 0 and 1 attack each other"),
    (Board(5, placed=((0, 0), (1, 4))), "")])
def test_a_contradiction_is_said_in_words(board, why):
    assert board.contradiction == why


@pytest.mark.parametrize(("fields", "kind", "message"), [
    ({"n": -1}, InvalidValueError, "n must be a whole number, 0 or more, not -1"),
    ({"n": 401}, InvalidValueError, "n must be at most 400 for an instance, not 401"),
    ({"n": 4, "placed": [[4, 0]]}, InvalidValueError, "a row must be 0 to 3, not 4"),
    ({"n": 4, "placed": [[0]]}, InvalidTypeError, "a square must be a row and a column"),
    ({"n": 4, "blocked": 5}, InvalidTypeError, "blocked must be a list, not 5"),
    ({"n": 4, "sums": [7]}, InvalidValueError, "a diagonal of sums must be 0 to 6, not 7"),
    ({"n": 4, "torus": True, "blocked": [[0, 0]]}, InvalidValueError, "a torus must have no"),
    ({"n": 4, "queens": []}, InvalidValueError, "an instance has no 'queens', only n, placed,"),
    ({}, InvalidValueError, "an instance must have n"),
    ([8], InvalidTypeError, "an instance must be a JSON object")])
def test_bad_fields_are_named_in_one_line(fields, kind, message):
    with pytest.raises(kind) as caught:
        Board.from_json(fields)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_size_may_be_a_number_of_another_library():
    numpy = pytest.importorskip("numpy")
    assert Board(numpy.int64(64)).free[0] == 2**64 - 1
