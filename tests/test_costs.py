"""The approximate cost of a search is known before it begins."""

from math import inf

import pytest

from nqbench import costs
from nqbench.algorithms import find
from nqbench.reference import published


@pytest.fixture
def slow(monkeypatch):
    """Every run takes one microsecond for each node of the plain tree."""
    monkeypatch.setattr(costs, "_measure_seconds", lambda run, m: costs.nodes(m) * 1e-6)


@pytest.mark.parametrize("name", ["iterative", "somers", "fewest_first"])
def test_a_search_is_predicted_by_the_growth_of_the_tree(slow, name):
    assert costs.predict_seconds(find(name), 14, print) == pytest.approx(
        published("A319283")[14] * 1e-6)
    assert costs.predict_seconds(find(name), 10**6, print) == inf


def test_small_boards_are_not_tried(monkeypatch):
    monkeypatch.setattr(costs, "_measure_seconds", pytest.fail)
    assert costs.predict_seconds(find("brute_force"), costs.SHORT_N, print) == 0.0


def test_nobody_knows_how_long_one_solution_takes():
    assert costs.predict_seconds(find("min_conflicts"), 1000, pytest.fail) is None


def test_leaves_grow_faster_than_a_tree():
    taken = {m: m**m * 1e-6 for m in range(2, 7)}
    assert 0.5 < costs.extrapolate(find("brute_force"), taken, 9) / (9**9 * 1e-6) < 2


def test_a_limited_depth_grows_like_a_power():
    at_30 = costs.extrapolate(find("depth_limited:2"), {30: 1.0}, 300)
    assert 500 < at_30 < 2000
    assert costs.extrapolate(find("depth_limited"), {10: 1.0}, 14) > 300


def test_memory_for_orbits_and_trees_grows_with_them():
    assert costs.orbits_size(8) < 10_000 < 10**12 < costs.orbits_size(22)
    assert costs.tree_size(8, 2) == costs.nodes(8, 2) * (costs.NODE + 400 + 64)
    assert costs.nodes(12, 3) == sum(published("A319284")[12][:4])
    assert costs.nodes(10**6) == inf
    assert costs.nodes(10**5, 200) == inf  # its levels exceed any float
