"""A permuted puzzle is new to the processor, but has the same solutions and difficulty."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.problems.sudoku import Grid, data_set
from nqbench.problems.sudoku.grid import permute

PUZZLES = [grid.digits for grid in data_set("hardest")]
FULL = tuple((3 * (cell // 9 % 3) + cell // 27 + cell) % 9 + 1 for cell in range(81))


@given(st.integers(0, 2**32))
def test_a_full_grid_stays_right(seed):
    assert Grid(permute(FULL, Random(seed))).solved


@given(st.integers(0, 2**32), st.sampled_from(PUZZLES))
def test_each_digit_stays_as_frequent_under_its_new_name(seed, digits):
    def frequencies(one):
        return sorted(map(one.count, range(1, 10)))
    assert frequencies(permute(digits, Random(seed))) == frequencies(digits)


def test_every_cell_and_every_name_is_reached():
    places, names = set(), set()
    for seed in range(1000):
        one = permute((5, *[0] * 80), Random(seed))
        places.add(next(cell for cell in range(81) if one[cell]))
        names.add(max(one))
    assert (places, names) == (set(range(81)), set(range(1, 10)))


@pytest.mark.parametrize("lines", [
    [range(9 * row, 9 * row + 9) for row in range(9)],
    [range(column, 81, 9) for column in range(9)]])
def test_rows_become_rows_or_columns(lines):
    became = set()
    for seed in range(20):
        digits = permute(tuple(cell // 9 + 1 for cell in range(81)), Random(seed))
        became.add(all(len({digits[cell] for cell in line}) == 1 for line in lines))
    assert became == {True, False}
