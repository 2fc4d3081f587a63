"""Solutions that turns leave unchanged: compiled, in Python, and as published."""

import pytest

from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.search import symmetry
from nqbench.search.board import Placement
from nqbench.search.symmetry import Symmetry, half_turn, quarter_turn

# OEIS A260318, A260319, A260320 from n = 2 on: orbits of 2, 4 and 8.
ORBITS_OF_2 = [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 32]
ORBITS_OF_4 = [0, 0, 0, 0, 1, 2, 1, 4, 3, 12, 18, 32, 105, 310, 734]
ORBITS_OF_8 = [0, 0, 0, 1, 0, 4, 11, 42, 89, 329, 1765, 9197, 45647, 284743, 1846189]


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
    found = Symmetry.of(n, published("A000170")[n])
    assert found.orbits_of_2 == ORBITS_OF_2[n - 2]
    assert found.orbits_of_4 == ORBITS_OF_4[n - 2]
    assert found.orbits_of_8 == ORBITS_OF_8[n - 2]
    assert found.fundamental == published("A002562")[n]


def test_the_smallest_boards():
    assert (Symmetry.of(0, 1).fundamental, Symmetry.of(1, 1).fundamental) == (1, 1)
    assert symmetry.half_turn(0) == symmetry.quarter_turn(0) == 1
