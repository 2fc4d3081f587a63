"""Performance profiles, cactus plots and PAR2 scores are what their sources define."""

import math
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nqbench import analysis

LIMIT = 1000.0
COSTS = st.one_of(st.just(math.nan), st.integers(1, 1000).map(float))


@st.composite
def matrices(draw):
    """Costs of some solvers on some problems, each solved by somebody."""
    shape = draw(st.tuples(st.integers(1, 8), st.integers(1, 4)))
    values = draw(arrays(float, shape, elements=COSTS))
    values[:, 0] = np.where(np.isnan(values).all(axis=1), 1.0, values[:, 0])
    return pd.DataFrame(values, columns=list("abcd")[:shape[1]])


@given(matrices())
def test_a_profile_rises_from_tau_1_to_the_share_of_what_was_solved(costs):
    for name, rows in analysis.performance_profile(costs).groupby("solver"):
        assert rows["tau"].iloc[0] == 1
        assert rows["tau"].is_monotonic_increasing
        assert rows["tau"].is_unique
        assert rows["share"].is_monotonic_increasing
        assert rows["share"].between(0, 1).all()
        assert rows["share"].iloc[-1] == pytest.approx(costs[name].notna().mean())


@given(matrices(), st.data())
def test_a_profile_does_not_depend_on_the_unit_of_a_problem(costs, data):
    powers = data.draw(st.lists(st.integers(-20, 20), min_size=len(costs), max_size=len(costs)))
    scaled = costs.mul([2.0**power for power in powers], axis=0)  # exact in binary
    pd.testing.assert_frame_equal(analysis.performance_profile(costs),
                                  analysis.performance_profile(scaled))


@given(matrices(), st.just(1) | st.floats(1, 2000))
def test_the_share_at_tau_is_that_of_the_definition(costs, tau):
    profile = analysis.performance_profile(costs)
    for name in costs:
        rows = profile[(profile["solver"] == name) & (profile["tau"] <= tau)]
        within = (costs[name] / costs.min(axis=1) <= tau).sum() / len(costs)
        assert rows["share"].iloc[-1] == within


def test_a_problem_that_nobody_solved_lowers_every_share():
    costs = pd.DataFrame({"a": [1.0, None], "b": [2.0, None]})
    assert analysis.performance_profile(costs)["share"].max() == 0.5


@given(matrices())
def test_a_cactus_sorts_what_was_solved_and_adds_it_up(costs):
    found = analysis.cactus(costs)
    for name in costs:
        rows = found[found["solver"] == name]
        assert list(rows["solved"]) == list(range(1, costs[name].notna().sum() + 1))
        assert list(rows["cost"]) == sorted(costs[name].dropna())
        assert list(rows["total"]) == list(rows["cost"].cumsum())


@given(matrices())
def test_a_par2_score_lies_between_the_cheapest_problem_and_twice_the_limit(costs):
    found = analysis.par2(costs, LIMIT)
    assert found["par2"].is_monotonic_increasing
    for row in found.itertuples():
        own = costs[row.solver]
        assert row.solved == own.notna().sum()
        assert own.min() <= row.par2 <= 2 * LIMIT or own.isna().all()
        assert (row.par2 == 2 * LIMIT) == own.isna().all()


def test_what_took_longer_than_the_limit_is_not_solved():
    found = analysis.par2(pd.DataFrame({"a": [1.0, 11.0]}), 10)
    assert found.to_dict("records") == [{"solver": "a", "problems": 2, "solved": 1, "par2": 10.5}]


def point(algorithm, n, samples=(), status="measured", **more):
    return {"metric": "seconds", "algorithm": algorithm, "implementation": "python", "n": n,
            "status": status, "samples": list(samples)} | dict.fromkeys(
        ("reason", "allowed", "cost", "predicted")) | more


RUN = pd.DataFrame([
    point("a", 3, [1.0]), point("b", 3, [1.0]),
    point("a", 4, [1.0, 2.0, 9.0]), point("b", 4, [4.0]),
    point("a", 5, [3.0]),
    point("b", 5, status="left out", reason="too long", allowed=60.0, cost=100.0, predicted=10.0),
    point("a", 6, [5.0]),  # b was not asked
    point("a", 7, status="left out"), point("b", 7, status="timed out")])


def test_a_problem_of_queens_is_an_n_that_all_were_asked_for_and_somebody_solved():
    costs = analysis.seconds_by_n(RUN, 4)
    assert list(costs.index) == [4, 5]
    assert list(costs["a", "python"]) == [2.0, 3.0]
    assert costs["b", "python"].isna().to_list() == [False, True]
    assert list(analysis.par2(costs, 6.0).columns) == ["algorithm", "implementation", "problems",
                                                       "solved", "par2"]


def test_the_limit_of_a_search_is_its_part_of_what_all_rounds_were_allowed():
    costs = analysis.seconds_by_n(RUN, 4)
    assert analysis.limit_of_search(RUN, costs) == 6.0  # 60 s for rounds of 10 times the search


@pytest.mark.parametrize("changed", [
    {"reason": None, "allowed": None, "cost": None},  # an older record
    {"reason": "no time left"}, {"allowed": 1.0}])
def test_without_it_the_limit_is_the_longest_search(changed):
    records = RUN.assign(**changed)
    assert analysis.limit_of_search(records, analysis.seconds_by_n(records, 4)) == 4.0


def test_no_factor_of_nothing_reaches_a_cost():
    profile = analysis.performance_profile(pd.DataFrame({"a": [0.0, 0.0], "b": [0.0, 2.0]}))
    assert profile.to_numpy().tolist() == [["a", 1.0, 1.0], ["b", 1.0, 0.5]]


def test_a_problem_solved_exactly_at_the_limit_is_solved():
    costs = pd.DataFrame({"at": [10.0, 4.0], "over": [10.000001, 4.0]})
    assert analysis.par2(costs, 10.0).to_numpy().tolist() == [["at", 2, 2, 7.0],
                                                              ["over", 2, 1, 12.0]]


@given(matrices())
def test_contributions_are_the_mean_of_what_a_solver_adds_in_every_order(costs):
    def worth(solvers):
        best = costs[[*solvers]].min(axis=1) if solvers else costs.max(axis=1) * math.nan
        return (2 * LIMIT - best.fillna(2 * LIMIT)).sum()

    orders = [*permutations(costs.columns)]
    found = analysis.contributions(costs, LIMIT)
    for name in costs:
        added = [worth(order[:order.index(name) + 1]) - worth(order[:order.index(name)])
                 for order in orders]
        assert found[name] == pytest.approx(sum(added) / len(orders) / worth([*costs]))
    assert found.sum() == pytest.approx(1)


def test_a_set_that_saves_nothing_has_no_contributions():
    costs = pd.DataFrame({"a": [math.nan], "b": [11.0]})
    assert analysis.contributions(costs, 10).to_dict() == {"a": 0, "b": 0}


def test_what_is_beyond_the_limit_contributes_nothing():
    costs = pd.DataFrame({"a": [1.0, 1.0], "b": [11.0, math.nan]})
    assert analysis.contributions(costs, 10).to_dict() == {"a": 1, "b": 0}
