"""A solver is an algorithm and how it runs; its key is made of names."""

import pytest

from nqbench.problems.queens import find
from nqbench.problems.solver import Solver, SolverKey


def test_the_key_of_a_solver_finds_it_again():
    for solver in (Solver(find("bitmask"), "python"),
                   Solver(find("cross"), "cython", "portable", 2)):
        assert solver.key.find() == solver
        assert solver.name == str(solver) == str(solver.key)


@pytest.mark.parametrize(("solver", "counted"), [
    (SolverKey("bitmask", "python"), 92), (SolverKey("somers", "python"), 46)])
def test_it_counts_what_its_search_finds(solver, counted):
    assert solver.find().count(8) == counted
