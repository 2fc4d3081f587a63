"""The ideas beyond the textbooks, each compared with a second, naive implementation."""

from itertools import combinations

import pytest
from conftest import SOLUTIONS
from hypothesis import given
from hypothesis import strategies as st
from naive import NAIVE, free, full_symmetry, tree

import nqbench
from nqbench.problems.published import published
from nqbench.problems.queens import find
from nqbench.search.board import Placement, canonical
from nqbench.search.exact_cover import covers
from nqbench.search.tally import Tally

OWN = ["forward_checking", "fewest_first", "fewest_lines", "dancing_links", "canonical"]
ONE = ["a_star", "ida_star", "min_conflicts", "explicit"]


@pytest.mark.parametrize("name", OWN)
def test_the_tree_is_that_of_the_naive_search(name):
    for n in range(1, 8):
        tally = nqbench.profile(n, name)
        assert (tally.levels, tally.dead_levels) == tree(n, NAIVE[name](n)), n


@pytest.mark.parametrize("implementation", ["python", "cython"])
def test_dead_ends_of_the_plain_tree_lie_where_a_naive_search_finds_them(implementation):
    for n in range(1, 8):
        assert nqbench.profile(n, "bitmask", implementation).dead_levels == tree(
            n, lambda queens, n=n: free(n, queens, row=len(queens)))[1]


@pytest.mark.parametrize("n", range(1, 9))
def test_cross_has_the_nodes_of_a_naive_search_by_crosses(n):
    tally = nqbench.profile(n, "cross")
    assert (tally.levels, tally.dead_levels) == full_symmetry(n)
    assert tally.solutions == SOLUTIONS[n]


def test_canonical_reaches_one_solution_of_each_orbit():
    for n, orbits in published("A002562").up_to(9):
        tally = nqbench.profile(n, "canonical")
        assert (tally.visits, tally.solutions) == (orbits, SOLUTIONS[n])
    assert {canonical(columns) for columns in nqbench.solutions(6, "canonical")} == {
        (1, 3, 5, 0, 2, 4)}


@pytest.mark.parametrize("name", ["threads", "canonical", "fewest_lines", "dancing_links"])
def test_counting_tells_how_far_it_is(name):
    told = list(find(name).counting(7, jobs=3 if name == "threads" else None))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert told[-1] == (1.0, 40)


def test_threads_count_with_any_number_of_workers():
    assert [nqbench.count(8, "threads", jobs=jobs) for jobs in (1, 2, 5, 20)] == [92] * 4
    with pytest.raises(ValueError, match="jobs must be 1 or more"):
        nqbench.count(8, "threads", jobs=0)


def test_a_worker_that_fails_is_heard(monkeypatch):
    def fails(search, kind):
        def broken(n, column):
            raise MemoryError("no room")
            yield
        return broken

    monkeypatch.setattr("nqbench.problems.queens.threads.built", fails)
    with pytest.raises(MemoryError, match="no room"):
        nqbench.count(6, "threads", jobs=2)


def test_a_depth_gives_the_placements_of_so_many_queens():
    for n in range(8):
        levels = nqbench.profile(n).levels
        for depth in range(n + 1):
            search = find(f"depth_limited:{depth}")
            assert search.count(n) == levels[depth], (n, depth)
            assert search.profile(n).levels[:depth + 1] == levels[:depth + 1], (n, depth)
        assert find(f"depth_limited:{n + 1}").count(n) == SOLUTIONS[n], n


@pytest.mark.parametrize("width", range(8))
def test_a_width_keeps_the_solutions_that_take_early_candidates(width):
    def kept(columns):
        return all(sum(c < columns[r] for _, c in free(7, list(enumerate(columns[:r])), row=r))
                   < width for r in range(7))

    assert list(find(f"width_limited:{width}").solutions(7)) == [
        columns for columns in nqbench.solutions(7) if kept(columns)]


def test_what_is_chosen_has_its_defaults():
    assert nqbench.count(8, "width_limited") == nqbench.count(8, "width_limited:3") == 19
    assert nqbench.count(8, "depth_limited") == 92
    assert list(nqbench.solutions(50, "min_conflicts")) == list(
        nqbench.solutions(50, "min_conflicts:0"))
    assert list(nqbench.solutions(50, "min_conflicts:1")) != list(
        nqbench.solutions(50, "min_conflicts"))


@pytest.mark.parametrize(("name", "says"), [
    ("width_limited:x", "the width of width_limited must be a whole number, 0 or more, not 'x'"),
    ("depth_limited:-1", "the depth of depth_limited must be a whole number"),
    ("depth_limited:", "not ''"), ("bitmask:3", "bitmask takes no parameter"),
    ("cross:3", "cross takes no parameter"), ("bitmusk:3", "no algorithm 'bitmusk:3'")])
def test_what_cannot_be_chosen_is_refused(name, says):
    with pytest.raises(ValueError, match=says):
        find(name)


@pytest.mark.parametrize("name", ONE)
def test_one_solution_is_found_wherever_there_is_one(name):
    for n in range(14):
        found = list(nqbench.solutions(n, name))
        assert len(found) == (n not in (2, 3))
        assert all(Placement(columns).is_solution for columns in found)
    with pytest.raises(ValueError, match="looks for one solution, so it cannot count all"):
        nqbench.count(8, name)


@pytest.mark.parametrize("n", range(11))
def test_both_stars_go_the_way_of_forward_checking_to_its_first_solution(n):
    known = nqbench.profile(n, "forward_checking")
    nodes = known.nodes_to_first or known.nodes
    for name in ("a_star", "ida_star"):
        assert nqbench.profile(n, name).nodes == nodes
        assert list(nqbench.solutions(n, name)) == list(nqbench.solutions(n))[:1]


@given(st.integers(4, 3000))
def test_the_construction_holds_for_every_n(n):
    (columns,) = nqbench.solutions(n, "explicit")
    assert Placement(columns).is_solution


@given(st.integers(4, 300), st.integers(0, 10**6))
def test_min_conflicts_finds_a_solution_for_every_seed(n, seed):
    (columns,) = nqbench.solutions(n, f"min_conflicts:{seed}")
    assert Placement(columns).is_solution


@given(st.integers(1, 5), st.integers(0, 3), st.lists(
    st.sets(st.integers(1, 8), min_size=1, max_size=4), max_size=8))
def test_exact_covers_are_those_of_trying_every_choice(primary, secondary, sets):
    items = primary + secondary
    options = [((k, k), sorted(chosen & set(range(1, items + 1))))
               for k, chosen in enumerate(sets)]
    options = [option for option in options if any(item <= primary for item in option[1])]
    known = set()
    for size in range(len(options) + 1):
        for chosen in combinations(options, size):
            taken = [item for _, members in chosen for item in members]
            if len(taken) == len(set(taken)) and set(range(1, primary + 1)) <= set(taken):
                known.add(frozenset(label for label, _ in chosen))
    found = [frozenset(cover) for cover in covers(range(1, primary + 1), options, Tally(items))]
    assert len(found) == len(set(found))
    assert set(found) == known
