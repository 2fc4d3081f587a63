"""A solver is an algorithm and how it runs; its key is made of names."""

import pytest

from nqbench.errors import InvalidValueError
from nqbench.problems.queens import find
from nqbench.problems.solver import Solver, SolverKey


def test_the_key_of_a_solver_finds_it_again():
    for solver in (Solver(find("bitmask"), "python"),
                   Solver(find("cross"), "cython", "portable", 2)):
        assert solver.key.find() == solver
        assert solver.name == str(solver) == str(solver.key)


def test_keys_are_equal_if_all_names_are_and_their_text_has_these():
    key = SolverKey("cross", "cython", "portable", 1)
    assert {key: 1}[SolverKey("cross", "cython", "portable")] == 1
    assert key != SolverKey("cross", "cython")
    assert str(SolverKey("bitmask", "python")) == "bitmask (python)"
    assert str(SolverKey("cross", "cython", "avx2", 4)) == "cross (cython, avx2, 4 threads)"


def test_an_unknown_algorithm_is_answered_with_the_nearest():
    with pytest.raises(InvalidValueError, match="did you mean somers"):
        SolverKey("sommers", "python").find()


@pytest.mark.parametrize(("solver", "counted"), [
    (SolverKey("bitmask", "python"), 92), (SolverKey("somers", "python"), 46)])
def test_it_counts_what_its_search_finds(solver, counted):
    assert solver.find().count(8) == counted
