"""Solutions that turns leave unchanged: compiled, in Python, and as published."""

import pytest

from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.search.board import Placement
from nqbench.search.variants import Symmetry, half_turn, quarter_turn


@pytest.mark.parametrize("implementation", ["python", "cython"])
def test_turns_are_as_published(implementation):
    last = 13 if implementation == "python" else 21
    assert [half_turn(n, implementation) for n in range(1, last)] == [
        published("A032522")[n] for n in range(1, last)]
    assert [quarter_turn(n, implementation) for n in range(last)] == [
        published("A033148")[n] for n in range(last)]


@pytest.mark.parametrize("n", range(9))
def test_turns_are_those_of_the_solutions_themselves(n):
    solutions = [Placement(s) for s in catalogue()["bitmask"].solutions(n)]
    assert half_turn(n) == sum(p.rotated.rotated == p for p in solutions)
    assert quarter_turn(n) == sum(p.rotated == p for p in solutions)


@pytest.mark.parametrize("n", range(2, 16))
def test_orbits_are_as_published(n):
    for _, value, oeis in Symmetry.of(n, published("A000170")[n]).rows():
        assert value == published(oeis)[n], oeis


def test_the_smallest_boards():
    assert (Symmetry.of(0, 1).fundamental, Symmetry.of(1, 1).fundamental) == (1, 1)
    assert half_turn(0) == quarter_turn(0) == 1
