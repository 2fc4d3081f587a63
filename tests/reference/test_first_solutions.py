"""The first solutions are solutions, and the searches find them again."""

import pytest

from nqbench import _first
from nqbench.first import find_first
from nqbench.first.plain import free_columns
from nqbench.instances import Board
from nqbench.reference import published
from nqbench.reference.first_solutions import (
    BELOW_CORNER,
    CORNER,
    FIRST_SOLUTIONS,
    METHODS,
    PRUNED,
)

QUICK = {*range(1, 36), 37, 38, 39, 41, 45}  # the pruned search takes less than a second
COLUMNS, SQUARES = published("A141843"), published("A140450")


@pytest.mark.parametrize("row", FIRST_SOLUTIONS.values(), ids=lambda row: str(row.n))
def test_every_row_is_a_solution_or_there_is_none(row):
    if row.n in (2, 3):
        assert row.solution is None
    else:
        assert Board(row.n).is_solution(tuple(column - 1 for column in row.solution))


@pytest.mark.parametrize("row", FIRST_SOLUTIONS.values(), ids=lambda row: str(row.n))
def test_no_prefix_of_a_first_solution_is_rejected(row):
    columns = [column - 1 for column in row.solution or ()]
    for rows in range(1, len(columns) + 1):
        assert _first.decide(row.n, [tuple(columns[:rows])], 100, 1)[0][0] is False


@pytest.mark.parametrize("row", FIRST_SOLUTIONS.values(), ids=lambda row: str(row.n))
def test_published_terms_are_not_repeated(row):
    assert bool(row.columns) == (COLUMNS.get(row.n) is None)
    assert row.tried == SQUARES.get(row.n)
    assert row.found_by[0] == PRUNED
    assert set(row.found_by) <= set(METHODS)
    assert ("plain count" in row.found_by) == (row.tried is not None)


@pytest.mark.parametrize("n", sorted(QUICK))
def test_the_pruned_search_takes_the_same_nodes(n):
    row, found = FIRST_SOLUTIONS[n], find_first(n, count=False)
    assert (found.pruned_nodes, sum(found.progress.rejected)) == (row.nodes, row.rejected)
    assert found.columns == (row.solution and tuple(column - 1 for column in row.solution))


@pytest.mark.parametrize("n", range(1, 19))
def test_placements_follow_from_the_squares(n):
    assert FIRST_SOLUTIONS[n].placements == find_first(n, jobs=1).dead


def test_without_squares_there_are_no_placements():
    uncounted = [row for row in FIRST_SOLUTIONS.values() if row.tried is None]
    assert all(row.placements is None for row in uncounted)
    assert {row.n for row in uncounted} <= set(range(46, 65))


@pytest.mark.parametrize("n", BELOW_CORNER)
def test_solutions_that_begin_in_the_corner_are_counted_again(n):
    corner = tuple(column - 1 for column in CORNER)
    parts = _first.Engine(n, len(corner), ())
    prefixes = [()]
    for _ in corner:
        prefixes = [(*prefix, column) for prefix in prefixes for column in free_columns(n, prefix)]
    count, = _first.Kernel("portable").complete(parts, [prefixes.index(corner)])
    assert (count[1], len(prefixes)) == (BELOW_CORNER[n], parts.parts)
