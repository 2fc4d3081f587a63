"""The trace is what the running algorithm does, step by step."""

import pytest
from conftest import SEARCHES

import nqbench
from nqbench.algorithms import find
from nqbench.board import Placement
from nqbench.traces.tracing import Trace, follow, steps

TREES = [name for name in SEARCHES if find(name).tree != "none"]

# Figure 8.22 of Zhou Shiping's C Programming: the way to the first solution for n = 4.
FIGURE = [(0,), (0, 2), (0, 3), (0, 3, 1), (1,), (1, 3), (1, 3, 0), (1, 3, 0, 2)]


def columns(step):
    return tuple(column for _, column in sorted(step.queens))


def test_the_first_solution_for_4_is_found_as_in_the_figure():
    places = [columns(step) for step in steps(4, limit=1) if step.kind == "place"]
    assert places == FIGURE


def test_a_limit_is_the_number_of_placements_reached():
    def reached(limit):
        return [step.kind for step in steps(4, limit=limit)].count("solution")

    assert steps(4, limit=0) == []
    assert [reached(limit) for limit in (1, 2, 3, None)] == [1, 2, 2, 2]
    for limit, error in ((-1, ValueError), (1.5, TypeError), ("1", TypeError)):
        with pytest.raises(error, match="limit must be a whole number, 0 or more"):
            steps(4, limit=limit)


def test_the_first_conflicts_are_those_that_the_text_names():
    conflicts = [step for step in steps(4) if step.kind == "conflict"]
    assert [(step.square, step.attackers) for step in conflicts[:2]] == [
        ((1, 0), ((0, 0),)), ((1, 1), ((0, 0),))]


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("n", range(7))
def test_a_trace_counts_what_the_tally_counts(name, n):
    trace = Trace(n, lambda step: None)
    follow(n, name, trace)
    known = nqbench.profile(n, name, "python")
    trace.solutions = known.solutions
    assert trace == known


@pytest.mark.parametrize("name", TREES)
def test_steps_are_legal_and_their_number_is_that_of_the_counters(name):
    found, known = steps(6, name), nqbench.profile(6, name, "python")
    for step in found:
        assert step.kind != "place" or step.square == step.queens[-1]
        assert all(r != s and c != d and abs(r - s) != abs(c - d)
                   for k, (r, c) in enumerate(step.queens) for s, d in step.queens[:k])
    kinds = [step.kind for step in found]
    assert kinds.count("place") == known.nodes - 1
    assert kinds.count("back") == known.exhaustions
    assert kinds.count("solution") == known.visits
    solutions = [columns(step) for step in found if step.kind == "solution"]
    assert all(Placement(found).is_solution for found in solutions)


def test_a_candidate_left_out_for_its_mirror_image_has_no_attacker():
    left_out = [step for step in steps(6, "bitmask_even_mirror")
                if step.kind == "conflict" and not step.attackers]
    assert [step.square for step in left_out] == [(0, 3), (0, 4), (0, 5)]


def test_the_middle_queen_that_somers_gives_is_placed_without_a_test():
    trace = Trace(5, lambda step: None)
    follow(5, "somers", trace)
    middle = [step for step in steps(5, "somers") if step.square == (0, 2)]
    assert [step.kind for step in middle] == ["place"]


@pytest.mark.parametrize(("name", "reason"), [
    ("brute_force", "does not backtrack"), ("permutations", "does not backtrack"),
    ("cross", "only counts and cannot be followed")])
def test_what_has_no_tree_says_so(name, reason):
    with pytest.raises(ValueError, match=reason):
        steps(4, name)
