"""Run lengths: censored runs stay in the data, tails have an index, and restarts save nodes."""

import numpy as np
import pandas as pd
import pytest
from examples import run_lengths as lengths_of

from nqbench.topics.instances.frames import (
    compute_figures,
    fit_tail,
    run_lengths,
    saved_by_restarts,
    survival_of_runs,
    tail_indices,
)

LIMIT = 1000


def record(algorithm, lengths, limit=LIMIT, instance=0, **more):
    return lengths_of(algorithm, lengths, limit, instance, **more)


def found(*records):
    return run_lengths(pd.DataFrame(records))


@pytest.mark.parametrize("limit", [np.inf, 300.0], ids=["all known", "censored"])
@pytest.mark.parametrize("alpha", [0.6, 1.7])
def test_the_interval_of_a_tail_holds_the_index_of_a_power_law(alpha, limit):
    random = np.random.default_rng(1)
    tails = []
    for _ in range(200):
        lengths = random.pareto(alpha, 800) + 1
        tails.append(fit_tail(np.minimum(lengths, limit), lengths <= limit, 0.2))
    assert sum(tail.low <= alpha <= tail.high for tail in tails) >= 180  # 190 expected
    assert np.mean([tail.alpha for tail in tails]) == pytest.approx(alpha, rel=0.05)
    if alpha < 1 < limit < np.inf:
        assert np.mean([tail.known / tail.runs for tail in tails]) < 0.9


def test_dropping_censored_runs_would_make_a_tail_look_light():
    lengths = np.random.default_rng(1).pareto(0.6, 2000) + 1
    kept = fit_tail(np.minimum(lengths, 300), lengths <= 300, 0.2)
    dropped = fit_tail(lengths[lengths <= 300], np.full((lengths <= 300).sum(), True), 0.2)
    assert kept.high < dropped.low


def test_a_tail_of_censored_runs_alone_has_no_index():
    tail = fit_tail([1, 2, 9, 9], [True, True, False, False], 0.5)
    assert (tail.runs, tail.known) == (2, 0)
    assert tail.alpha != tail.alpha


def test_the_mean_up_to_the_limit_is_the_area_under_the_curve_of_kaplan_and_meier():
    lengths = np.minimum(np.random.default_rng(2).geometric(0.002, 300), 700)
    nodes, left = survival_of_runs(lengths, lengths < 700)
    area = nodes[0] + (left[:-1] * np.diff(nodes)).sum()
    found = compute_figures(lengths, np.arange(300))
    assert found["mean"] == pytest.approx(area)


def test_a_curve_ends_above_zero_where_runs_were_censored():
    nodes, left = survival_of_runs([1, 2, 5, 5], [True, True, False, False])
    assert (nodes.tolist(), left.tolist()) == ([1, 2, 5], [0.75, 0.5, 0.5])


def test_all_searches_of_a_group_have_its_smallest_limit_and_its_fewest_runs():
    rows = found(record("random_order", [5, 60, None], limit=100),
                 record("restarts_luby", [5, None], limit=50),
                 record("restarts_luby", [7], limit=50, run="2"))
    assert rows[["algorithm", "limit", "lengths", "ended"]].to_numpy().tolist() == [
        ["random_order", 50, [5, 50], [True, False]],
        ["restarts_luby", 50, [5, 50], [True, False]]]


def test_runs_over_instances_come_first_and_name_no_instance():
    rows = found(record("random_order", [5]), record("random_order", [6], instance=None),
                 record("random_order", [7], instance=1))
    assert rows["lengths"].to_list() == [[6], [5], [7]]
    assert rows["instance"].isna().to_list() == [True, False, False]


def test_what_restarts_save_is_a_ratio_of_the_same_figure():
    plain, luby = [10] * 60 + [20] * 39 + [None], [10] * 60 + [20] * 40
    rows = saved_by_restarts(found(
        record("random_order", plain), record("restarts_luby", luby))).set_index("figure")
    assert rows["saved"].to_dict() == {"mean": pytest.approx(2380 / 1400), "median": 1, "99 %": 1}
    assert rows.loc["mean", ["gave_up", "gave_up_without"]].to_list() == [0, 1]


def test_the_interval_of_what_restarts_save_has_95_percent():
    """A resample draws the longer half of 100 runs a binomial number of times: 40 to 60 times in
    95 % of all cases, 42 to 58 times in 90 %.
    """
    rows = saved_by_restarts(found(
        record("random_order", [1] * 50 + [101] * 50), record("restarts_luby", [1] * 100)))
    low, high = rows.set_index("figure").loc["mean", ["low", "high"]]
    assert (low, high) == (pytest.approx(41, abs=0.5), pytest.approx(61, abs=0.5))


def test_the_interval_of_what_restarts_save_holds_it():
    random, held = np.random.default_rng(3), 0
    for _ in range(10):
        plain, luby = random.exponential(300, 60).astype(int) + 1, (
            random.exponential(100, 60).astype(int) + 1)
        rows = saved_by_restarts(found(record("random_order", plain.tolist(), 10**6),
                                       record("restarts_luby", luby.tolist(), 10**6)))
        held += (rows["low"] <= 3)[0] and (rows["high"] >= 3)[0]
    assert held >= 7


def test_without_runs_or_without_restarts_nothing_is_compared():
    assert saved_by_restarts(found(record("random_order", [5]))).empty
    assert saved_by_restarts(found(record("restarts_luby", [5]))).empty
    none = found({**record("random_order", []), "status": "left out"})
    assert none.empty
    assert tail_indices(none).empty
