"""Permuted copies: one for each pass of a sample, without searches that would not end."""

from collections import Counter
from dataclasses import replace

import pytest

from nqbench.errors import BuildsDifferError
from nqbench.problems import Outcome
from nqbench.topics.sudoku.measurement import read_data
from nqbench.topics.sudoku.rates import SEED, make_copies, permute_all, timed_search
from nqbench.util.files import draw

HARDEST = read_data("hardest", SEED)
MANY = len(HARDEST.instances)


class Counting:
    """An implementation that finds the given solutions, and gives up on permuted puzzles if asked
    to.
    """

    def __init__(self, found=1, gave_up=None):
        self.found, self.gave_up, self.bounds = found, gave_up, []

    def search(self, instance, limit, keep, nodes, seconds):
        self.bounds.append(nodes)
        return Outcome(limit, self.found, [], {}, self.gave_up)


def make(implementation, numbers=(0, 1, 2), nodes=(5,) * MANY, allowed=500_000):
    return make_copies(HARDEST, 3, numbers, implementation, 2, allowed, nodes,
                       [None if count is None else 1 for count in nodes])


def test_no_puzzle_comes_twice_and_those_that_were_not_answered_are_left_out():
    made = make(Counting())
    assert len(set(made)) == len(made) == 3 * MANY
    assert made[:MANY] == permute_all(HARDEST, 3).instances
    assert len(make(Counting(), nodes=(None, *[5] * (MANY - 1)))) == 3 * (MANY - 1)


def test_a_copy_that_takes_over_ten_times_the_nodes_of_the_first_is_the_first():
    made = make(Counting(gave_up="gave up"))
    assert made == 3 * permute_all(HARDEST, 3).instances
    counting = Counting()
    make(counting, (1,), (5, 300, 90_000, *[5] * (MANY - 3)), allowed=500_000)
    assert counting.bounds[:4] == [1000, 3000, 500_000, 1000]


def test_a_copy_with_other_solutions_is_a_mistake():
    with pytest.raises(BuildsDifferError, match="puzzle 1 of hardest has 1 of at most 2 solutions, "
                                                "and 2 when it is permuted"):
        make(Counting(found=2))


def test_without_a_seed_or_a_way_to_permute_the_data_set_stays():
    assert permute_all(HARDEST, None) is HARDEST
    other = replace(HARDEST, problem=replace(HARDEST.problem, permute=None))
    assert permute_all(other, 1) is other


def make_search(seed, loops, process):
    return timed_search(HARDEST, seed, process, 500_000, 2, {
        "algorithm": "fewest_first", "implementation": "cython", "loops": loops,
        "nodes": [5] * MANY, "solutions": [1] * MANY}, 1.0)


@pytest.mark.parametrize(("seed", "loops", "process", "passes", "repeats"), [
    (None, 4, 1, 1, 4), (0, 1, 1, 1, 1), (0, 4, 0, 4, 1), (0, 4, 1, 4, 1)])
def test_a_sample_has_all_its_passes(seed, loops, process, passes, repeats):
    search = make_search(seed, loops, process)
    assert (len(search.instances), search.loops) == (passes * MANY, repeats)
    assert len(set(search.instances)) == passes * MANY


def test_processes_have_different_passes():
    first, second = (make_search(0, 4, process) for process in (0, 1))
    assert set(first.instances).isdisjoint(second.instances)


def test_each_instance_is_drawn_equally_often_and_no_other_is_kept():
    times = Counter(one for seed in range(2000) for one in draw(range(10), 3, seed)[0])
    assert set(times) == set(range(10))
    assert all(500 < many < 700 for many in times.values())  # 600 on average
    kept = draw(map(Kept, range(10_000)), 10, 0)
    assert Kept.alive == len(kept[0]) == 10
    assert kept[1] == 10_000


class Kept:
    alive = 0

    def __init__(self, number):
        Kept.alive += 1

    def __del__(self):
        Kept.alive -= 1
