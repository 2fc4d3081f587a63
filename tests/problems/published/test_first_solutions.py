"""The first solutions are solutions, and the searches find them again."""

from hashlib import sha256

import pytest
from conftest import BELOW_CORNER

from nqbench import _first
from nqbench.engine.first_search import find_first
from nqbench.engine.first_solution import free_columns
from nqbench.problems.instances import Board
from nqbench.problems.published import published
from nqbench.problems.published.first_solutions import CORNER, FIRST_SOLUTIONS

HOUR = {48}  # see results/first/48.first
LONGER = {42, 45, 47, 58, 59, 61, 63}  # the others take less than 0.1 s
COLUMNS, SQUARES = published("A141843"), published("A140450")


def test_every_row_is_a_solution_of_which_no_prefix_is_rejected_or_there_is_none():
    for n, row in FIRST_SOLUTIONS.items():
        assert (row.solution is None) == (n in (2, 3))
        columns = tuple(column - 1 for column in row.solution or ())
        assert not columns or Board(n).is_solution(columns), n
        for rows in range(1, len(columns) + 1):
            assert _first.decide(n, [columns[:rows]], 100, 1)[0][0] is False, (n, rows)


def test_the_rows_to_61_are_those_of_the_published_b_file():
    """The digest of b141843.txt is that in the Git LFS pointer of github.com/oeis/oeisdata."""
    rows = [FIRST_SOLUTIONS[n].solution or [0] * n for n in range(1, 62)]
    text = "".join(f"{k} {term}\n" for k, term in enumerate((c for row in rows for c in row), 1))
    assert sha256(text.encode()).hexdigest() == (
        "883c716b48815b2f8f9edcd10d033d7d4800267083f60bffd3b837be03fe4d2c")


def test_published_terms_are_not_repeated():
    for n, row in FIRST_SOLUTIONS.items():
        assert bool(row.columns) == (COLUMNS.get(n) is None), n
        assert row.tried == SQUARES.get(n), n
        assert row.found_by[0] == "pruned search", n
        assert set(row.found_by) <= {"pruned search", "plain count", "6 prefixes", "SAT chain"}, n
        assert ("plain count" in row.found_by) == (row.tried is not None), n


@pytest.mark.parametrize("n", [
    pytest.param(n, marks=pytest.mark.thorough) if n in LONGER else n
    for n in FIRST_SOLUTIONS if n not in HOUR])
def test_the_pruned_search_takes_the_same_nodes(n):
    row, found = FIRST_SOLUTIONS[n], find_first(n, count=False)
    assert (found.pruned_nodes, sum(found.progress.rejected)) == (row.nodes, row.rejected)
    assert found.columns == (row.solution and tuple(column - 1 for column in row.solution))


def test_placements_follow_from_the_squares_where_these_are_known():
    for n in range(1, 19):
        assert FIRST_SOLUTIONS[n].placements == find_first(n, jobs=1).dead, n
    uncounted = [row for row in FIRST_SOLUTIONS.values() if row.tried is None]
    assert all(row.placements is None for row in uncounted)
    assert {row.n for row in uncounted} <= set(range(46, 65))


@pytest.mark.parametrize("n", [
    pytest.param(n, marks=pytest.mark.thorough) if n == max(BELOW_CORNER) else n
    for n in BELOW_CORNER])
def test_solutions_that_begin_in_the_corner_are_counted_again(n):
    corner = tuple(column - 1 for column in CORNER)
    parts = _first.Engine(n, len(corner), ())
    prefixes = [()]
    for _ in corner:
        prefixes = [(*prefix, column) for prefix in prefixes for column in free_columns(n, prefix)]
    count, = _first.Kernel("portable").complete(parts, [prefixes.index(corner)])
    assert (count[1], len(prefixes)) == (BELOW_CORNER[n], parts.parts)
