"""Grids of Sudoku: cells, units, contradictions and drawings."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.problems.sudoku import Grid, parse
from nqbench.problems.sudoku.grid import BOX, COLUMN, HOUSE_NAMES, PEERS, ROW, UNITS, permute

SOLVED = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"

grids = st.lists(st.integers(0, 9), min_size=81, max_size=81).map(lambda d: Grid(tuple(d)))


def with_digits(digits):
    """The grid that holds these digits, by cell, and no other."""
    return Grid(tuple(digits.get(cell, 0) for cell in range(81)))


def test_27_units_of_nine_cells_hold_each_cell_in_a_row_a_column_and_a_box():
    assert len(UNITS) == len(set(UNITS)) == len(HOUSE_NAMES) == 27
    assert {len(set(unit)) for unit in UNITS} == {9}
    for units in (UNITS[:9], UNITS[9:18], UNITS[18:]):
        assert sorted(cell for unit in units for cell in unit) == list(range(81))
    for cell in range(81):
        assert [unit for unit in UNITS if cell in unit] == [
            UNITS[ROW[cell]], UNITS[9 + COLUMN[cell]], UNITS[18 + BOX[cell]]]


def test_20_peers_of_each_cell_are_those_that_share_a_unit():
    for cell, peers in enumerate(PEERS):
        assert len(peers) == 20
        assert [other for other in range(81) if other != cell and any(
            cell in unit and other in unit for unit in UNITS)] == list(peers)
        assert all(cell in PEERS[peer] for peer in peers)


@given(grids)
def test_a_grid_is_read_back_from_its_drawing(grid):
    assert len(grid.drawing().splitlines()) == 11
    assert parse(grid.drawing()) == [grid]


@given(grids)
def test_a_contradiction_is_a_pair_of_equal_digits_in_a_unit(grid):
    pairs = any(grid.digits[cell] and grid.digits[cell] == grid.digits[peer]
                for cell in range(81) for peer in PEERS[cell])
    assert (grid.contradiction is not None) == pairs


@pytest.mark.parametrize(("digits", "says"), [
    ({0: 5, 4: 5}, "row 1 has 5 twice"),
    ({8: 2, 44: 2, 80: 2}, "column 9 has 2 three times"),
    ({30: 7, 40: 7}, "box 5 has 7 twice"),
    ({0: 4, 1: 4}, "row 1 has 4 twice"),  # and box 1
    (dict.fromkeys(range(9), 6), "row 1 has 6 nine times"),
])
def test_a_contradiction_names_unit_and_digit(digits, says):
    assert with_digits(digits).contradiction == says


@given(st.integers(0, 80), st.integers(0, 9))
def test_only_a_full_and_right_grid_is_solved(cell, digit):
    grid = Grid.of(SOLVED)
    changed = Grid((*grid.digits[:cell], digit, *grid.digits[cell + 1:]))
    assert grid.solved
    assert changed.solved == (changed == grid)
    assert not Grid.of("." * 81).solved


@pytest.mark.parametrize(("make", "says"), [
    *((lambda size=size: Grid((0,) * size),
       f"a grid has 81 cells (9 x 9), not {size}: other sizes are not solved here")
      for size in (0, 16, 80, 82, 256)),
    *((lambda digit=digit: Grid((0,) * 80 + (digit,)),
       "a grid has the digits 1 to 9, and 0 for an empty cell")
      for digit in (-1, 10, 0.5, "1", None)),
    *((lambda foreign=foreign: Grid.of("." * 40 + foreign + "." * 40),
       f"a grid has the digits 1 to 9, and . or 0 for an empty cell, not {foreign!r}")
      for foreign in "-x\0²")])
def test_what_is_no_grid_is_refused_by_name(make, says):
    with pytest.raises(ValueError) as caught:
        make()
    assert str(caught.value) == says


def test_a_permutation_keeps_a_full_grid_right_and_reaches_every_cell_name_and_direction():
    places, names, rows = set(), set(), set()
    for seed in range(1000):
        one = permute((5, *[0] * 80), Random(seed))
        places.add(next(cell for cell in range(81) if one[cell]))
        names.add(max(one))
        lines = permute(tuple(cell // 9 for cell in range(81)), Random(seed))
        rows.add(len({*lines[:9]}) == 1)
        assert Grid(permute(Grid.of(SOLVED).digits, Random(seed))).solved
    assert (places, names, rows) == (set(range(81)), set(range(1, 10)), {True, False})
