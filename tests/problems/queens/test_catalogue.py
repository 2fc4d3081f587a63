"""Properties of every algorithm in the catalogue."""

import sys
from itertools import permutations

import pytest
from conftest import SEARCHES, SOLUTIONS

from nqbench.problems.queens import NAMES, Finds, Tree, catalogue, find
from nqbench.search.board import Placement
from nqbench.search.tally import Tally

SLOW = {"brute_force": 6, "permutations": 7}


@pytest.mark.parametrize("name", SEARCHES)
def test_count_solutions_and_profile_agree_with_a000170(name):
    algorithm = catalogue()[name]
    for n in range(min(8, SLOW.get(name, 8)) + 1):
        found = list(algorithm.solutions(n))
        assert algorithm.count(n) == len(found) == len(set(found)) == SOLUTIONS[n]
        assert all(Placement(columns).is_solution for columns in found)
        tally = algorithm.profile(n)
        assert tally.solutions == SOLUTIONS[n]
        assert tally.nodes == sum(tally.levels)
        assert tally.levels[0] == 1
        if algorithm.tree != "none":
            assert tally.levels[n] == tally.visits or name == "canonical"  # which drops leaves
            assert tally.dead_ends <= tally.exhaustions


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("implementation", ["python", "cython"])
def test_n_above_the_limit_is_refused(name, implementation):
    algorithm = catalogue()[name]
    if implementation not in algorithm.implementations:
        with pytest.raises(ValueError, match="no implementation"):
            algorithm.count(4, implementation)
        return
    largest = algorithm.implementations[implementation].largest_n
    with pytest.raises(ValueError, match=f"at most {largest:,} .*not {largest + 1}"):
        algorithm.count(largest + 1, implementation)


class Depths(Tally):
    """A tally that records the number of frames below the search when it accepts a node."""

    def node(self, level):
        super().node(level)
        frame, depth = sys._getframe(), 0
        while frame := frame.f_back:
            depth += 1
        self.deepest = max(depth, getattr(self, "deepest", 0))


@pytest.mark.parametrize("name", [name for name in SEARCHES if catalogue()[name].tree != "none"])
def test_the_largest_n_that_is_accepted_does_not_run_out_of_frames(name):
    def deepest(n):
        tally = Depths(n)
        for _ in catalogue()[name].python.follow(n, tally):
            pass
        return tally.deepest

    frames_a_row = (deepest(8) - deepest(6)) / 2
    assert frames_a_row in (0, 1)
    assert frames_a_row * catalogue()[name].largest_n <= 500 < sys.getrecursionlimit() - 400


def test_permutations_counts_what_a_second_implementation_counts():
    for n in range(1, 9):
        tests = scans = 0
        for columns in permutations(range(n)):
            clash = [[abs(columns[i] - columns[k]) == k - i for i in range(k)] for k in range(n)]
            first = next((k for k in range(n) if any(clash[k])), n - 1)
            tests += first + 1
            scans += sum(len(clash[k]) for k in range(first))
            scans += clash[first].index(True) + 1 if any(clash[first]) else len(clash[first])
        tally = catalogue()["permutations"].profile(n)
        assert (tally.tests, tally.scans, tally.comparisons) == (tests, scans, scans)
        assert (tally.nodes, tally.exhaustions, tally.dead_ends) == (1, 0, 0)
    assert (tests, scans) == (140756, 181964)  # n = 8, which the benchmarks count


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(ValueError, match="'bitmsk'; did you mean bitmask"):
        find("bitmsk")
    with pytest.raises(ValueError, match="no algorithm 'zzz'; run `nqbench list`"):
        find("zzz")


def test_descriptions_and_attributes_agree():
    for name, algorithm in catalogue().items():
        assert algorithm.uses_symmetry == (algorithm.symmetry != "none"), name
        assert isinstance(algorithm.tree, Tree), name
        assert isinstance(algorithm.finds, Finds), name
        if algorithm.technique.startswith(("marks", "bit masks")):
            assert algorithm.keeps_marks, name
        if hasattr(algorithm, "mirrors") and algorithm.doubles(8):
            assert algorithm.uses_symmetry, name
    assert [name for name in NAMES if catalogue()[name].counts_turns] == ["cross"]
