"""Sets of nonattacking queens, toroidal placements and completion."""

from itertools import combinations, product

import pytest

from nqbench import solutions
from nqbench.errors import InvalidValueError
from nqbench.problems.instances import Board, solve
from nqbench.problems.published import published
from nqbench.search import sets


@pytest.mark.parametrize("n", range(6))
def test_the_compiled_counts_are_those_of_python(n):
    for count in (sets.sets_by_size, sets.maximal_sets, sets.toroidal):
        assert count(n) == count(n, "python")


@pytest.mark.parametrize(("n", "size"), [(4, 2), (5, 3)])
def test_sets_are_those_that_do_not_attack(n, size):
    found = [queens for queens in combinations(product(range(n), repeat=2), size)
             if not Board(n, placed=queens).contradiction]
    assert sorted(sets.sets_of_size(n, size)) == found
    assert len(found) == sets.sets_by_size(n)[size]


@pytest.mark.parametrize("n", [6, 8])
def test_sets_of_n_queens_are_solutions(n):
    assert sets.sets_by_size(n)[n] == published("A000170")[n]
    assert sets.sets_by_size(n)[:2] == [1, n * n]


@pytest.mark.parametrize("n", [4, 6, 7, 10])
def test_the_completion_threshold_is_the_published_one(n):
    assert sets.completion_threshold(n, solutions(n)) == published("A374013")[n]


@pytest.mark.parametrize("n", [5, 6, 7])
def test_toroidal_placements_are_those_of_an_instance(n):
    assert sets.toroidal(n) == solve(Board(n, torus=True), limit=10**6, keep=0).found


def test_boards_wider_than_a_word_are_refused():
    with pytest.raises(InvalidValueError, match="at most 31"):
        sets.maximal_sets(32)
