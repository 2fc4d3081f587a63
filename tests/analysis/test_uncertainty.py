"""Intervals of medians, verdicts on ratios, and warnings of doubtful figures."""

from math import comb, isnan
from statistics import median

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench import analysis
from nqbench.analysis import chance, holm, interval, ratio, verdicts, verdicts_by_n, warnings
from nqbench.analysis.uncertainty import against, student
from nqbench.study import Samples, frame
from nqbench.topics.sudoku.section import latest_rates

SECONDS = st.floats(1e-9, 1e6)
COUNTS = st.integers(1, 10**6)  # quotients next to 1 that are no rounding
SEVERAL = st.lists(SECONDS, min_size=3, max_size=20)


@given(SEVERAL)
def test_an_interval_holds_the_median_and_lies_within_the_samples(samples):
    low, high = interval(samples)
    assert min(samples) <= low <= median(samples) <= high <= max(samples)


@given(SEVERAL, st.randoms(use_true_random=False))
def test_the_same_samples_in_any_order_have_the_same_interval(samples, random):
    assert interval(random.sample(samples, len(samples))) == interval(samples)


@given(SEVERAL, st.integers(-20, 20))
def test_an_interval_has_the_unit_of_its_samples(samples, power):
    low, high = interval(samples)
    assert interval([s * 2.0**power for s in samples]) == (low * 2.0**power, high * 2.0**power)


def test_an_interval_reaches_as_far_to_both_sides():
    for rounds in range(3, 50):
        assert sum(interval(range(1, rounds + 1))) == rounds + 1


@pytest.mark.parametrize("samples", [
    [], [1.0], [1.0, 2.0], Samples([1.0, 1.0, 1.0, 2.0, 2.0, 2.0], processes=2)])
def test_fewer_than_three_processes_or_samples_have_no_interval(samples):
    """Both are on the same side of the true median in one case of two."""
    assert all(map(isnan, (*interval(samples), chance(samples))))
    if samples:
        assert all(map(isnan, against(samples, [1.0, 2.0, 3.0])[1:]))
        assert all(map(isnan, against([1.0, 2.0, 3.0], samples)[1:]))
        assert any("no interval" in why or why == "one sample" for why in warnings(samples, 10**6))


def test_three_processes_have_an_interval():
    assert interval(Samples([1.0, 1.0, 2.0, 2.0, 3.0, 3.0], processes=3)) == (1, 3)
    assert warnings(Samples([1.0] * 6, processes=3), 1) == []


@pytest.mark.parametrize(("rounds", "ends", "share"), [
    (3, (1, 3), 75), (5, (1, 5), 94), (7, (2, 6), 88), (9, (2, 8), 96), (15, (4, 12), 96)])
def test_how_often_an_interval_holds_the_true_median(rounds, ends, share):
    """This is the share in the docs and on the page: the true median is below the k-th smallest of
    some samples as often as fewer than k of the same number of coin tosses are heads.
    """
    assert interval(range(1, rounds + 1)) == ends
    beside = sum(comb(rounds, k) for k in range(ends[0])) / 2**rounds
    assert round(100 * (1 - 2 * beside)) == share


@given(st.integers(3, 6), st.integers(1, 5), st.data())
def test_what_a_process_does_to_all_its_samples_widens_the_interval(processes, each, data):
    """The same number of samples from one process would seem to agree."""
    shifts = data.draw(st.lists(st.integers(1, 100), min_size=processes, max_size=processes))
    samples = Samples([float(shift) for shift in shifts for _ in range(each)], processes)
    assert interval(samples) == interval([float(shift) for shift in shifts])


def test_samples_of_several_processes_vary_in_two_ways():
    flat = [process + within / 10 for process in range(1, 6) for within in range(4)]
    low, high = interval(Samples(flat, 5))
    assert low < 2 < interval(flat)[0]
    assert interval(flat)[1] < 5 <= high


@pytest.mark.parametrize(("processes", "each"), [(3, 5), (3, 9), (5, 3), (5, 9)])
def test_samples_are_drawn_from_each_process_anew(processes, each):
    """Of processes that are alike, all samples are draws from 1, ..., each: their median is at most
    k if more than half of a binomial number of draws are.
    """
    draws = processes * each
    at_most = [sum(comb(draws, hits) * (k / each)**hits * (1 - k / each)**(draws - hits)
                   for hits in range(draws // 2 + 1, draws + 1)) for k in range(1, each + 1)]
    ends = [1 + sum(share < end for share in at_most) for end in (0.025, 0.975)]
    assert interval(Samples([float(k) for k in range(1, each + 1)] * processes, processes)) == (
        tuple(ends))


def test_the_order_of_the_processes_does_not_matter():
    forth, back = [1.0, 1.1, 2.0, 2.1, 1.5, 1.6], [1.6, 1.5, 2.0, 2.1, 1.1, 1.0]
    assert interval(Samples(forth, 3)) == interval(Samples(back, 3))


@given(st.lists(st.floats(0.5, 2), min_size=3, max_size=12))
def test_the_chance_is_small_only_if_the_interval_lies_beside_one(quotients):
    low, high = interval(quotients)
    assert chance(quotients) > 0.05 or low > 1 or high < 1


def test_five_processes_on_one_side_are_no_proof_among_many():
    """One in sixteen does this by chance alone, so twenty-seven comparisons would often include
    one.
    """
    beside = chance(Samples([q for q in (1.01, 1.02, 1.05, 1.03, 1.09) for _ in range(3)], 5))
    assert 0.04 < beside < 0.06
    assert not any(holm([beside, *[0.6] * 26]))
    assert all(holm([chance(Samples([1.31, 1.3, 1.32, 1.33, 1.3], 5)), *[0.6] * 26])[:1])


def test_the_t_test_agrees_with_its_table():
    """The values have mean t and variance of the mean 1; t leaves 5 % for this number of degrees of
    freedom.
    """
    for freedom, t in ((1, 12.706), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706),
                       (8, 2.3060), (9, 2.2622)):
        n = freedom + 1
        side = np.arange(n) - freedom / 2
        values = t + side / np.std(side, ddof=1) * np.sqrt(n)
        assert student(values) == pytest.approx(0.05, abs=2e-5)
    assert student([0.0, 0.0]) == 1
    assert student([1.0, 1.0]) == pytest.approx(0, abs=1e-12)


def test_many_comparisons_are_corrected():
    """Five differences that are significant by themselves are not significant among forty."""
    chances = [0.01] * 5 + [0.6] * 35
    assert holm([0.01]) == [True]
    assert not any(holm(chances))
    assert holm([0.0002, 0.0002, *chances]) == [True, True] + [False] * 40


def test_what_is_compared_at_another_n_is_no_matter():
    rows = pd.DataFrame({"n": [8, 8, 9], "times": [1.5, 0.5, 1.5], "chance": [0.03, 0.03, 0.03]})
    assert list(verdicts_by_n(rows)) == ["not significant", "not significant", "slower"]


def test_a_ratio_knows_its_processes():
    over = Samples([3.0, 3.1, 6.0, 6.2, 3.0, 3.1], 3)
    under = Samples([1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 4.0, 4.0], 4)
    assert ratio(over, under)[:3] == (
        ratio([3.0, 3.1] * 3, [1.0] * 6).times, *interval(Samples([3.0, 3.1] * 3, 3)))


def test_a_ratio_is_taken_within_each_process_where_one_side_has_fewer_rounds():
    over = Samples([1.0, 1.0, 2.0, 2.0, 3.0, 3.0], 3)
    under = Samples([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0], 3)
    assert ratio(over, under)[:3] == (1, 1, 1)


@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=3, max_size=20))
def test_a_ratio_turned_round_has_the_verdict_turned_round(pairs):
    over, under = zip(*pairs, strict=True)
    times, back = ratio(over, under), ratio(under, over)
    turned = {"slower": "faster", "faster": "slower", "not significant": "not significant"}
    if len(pairs) % 2:  # else medians are means, which do not turn round
        assert said(back) == turned[said(times)]


def said(found):
    return verdicts([found.times], [found.chance])[0]


def test_what_slows_both_moves_no_ratio():
    slow = [1.0, 50.0, 2.0, 30.0, 1.0]
    assert ratio([3 * s for s in slow], slow)[:3] == (3, 3, 3)


@pytest.mark.parametrize(("over", "word"), [
    ([1.1, 1.2, 1.2], "slower"), ([0.8, 0.8, 0.9], "faster"), ([0.9, 1.2, 1.3], "not significant"),
    ([1.0, 1.0, 1.0], "not significant"), ([9.0], "not known")])
def test_a_difference_is_one_only_if_the_interval_lies_beside_one(over, word):
    assert said(ratio(over, [1.0] * len(over))) == word


@pytest.mark.parametrize(("samples", "loops", "said"), [
    ([1.0, 1.05, 1.1], 1, []),
    ([1.0, 1.05, 1.2], 1, ["spread 19 %"]),
    ([1.0], 1, ["one sample"]),
    ([9e-6] * 3, 100, ["sample under 1 ms"]),
    ([9e-6] * 3, 1000, []),
    ([1.0, 1.001, 1.002, 1.05, 1.051, 1.052], 1, ["two modes"]),
    ([1.0, 1.001, 1.05, 1.051, 1.052], 1, []),  # two are too few for a mode
    ([1.0, 1.01, 1.02, 1.03, 1.04, 1.05], 1, [])])
def test_warnings_name_what_makes_a_figure_doubtful(samples, loops, said):
    assert warnings(samples, loops) == said


@given(SEVERAL, st.integers(1, 10**6))
def test_warnings_do_not_depend_on_the_order_of_the_rounds(samples, loops):
    assert warnings(samples[::-1], loops) == warnings(samples, loops)


HEAD = {"schema": 1, "run": "2026-01-01", "time": "2026-01-01", "status": "measured"}
POINT = {"metric": "seconds", "algorithm": "somers", "implementation": "cython", "kernel": None,
         "jobs": 1, "n": 14, "loops": 1}
RATE = {"metric": "rate", "preset": "sudoku", "algorithm": "fast", "implementation": "cython",
        "n": 9, "data_set": "easy50", "sha12": "0" * 12}
CROSS = {"algorithm": "cross", "kernel": "avx2"}


def on_two_machines(*records):
    """The same records from two machines that began at the same moment, the second ten times
    slower.
    """
    return frame([HEAD | record | {"context": {"machine": machine},
                                   "samples": [s * slower for s in record["samples"]]}
                  for record in records for machine, slower in (("a", 1), ("b", 10))])


@pytest.mark.parametrize("preset", ["full", "pruning", "engine"])
def test_a_run_is_that_of_one_machine(preset):
    both = on_two_machines(POINT | {"preset": preset, "samples": [1.0, 1.0]})
    about = "algorithms" if preset == "full" else preset
    assert analysis.latest(both, about=about)["machine"].nunique() <= 1
    for machine in "ab":
        found = analysis.latest(both, machine, about=about)
        assert set(found["machine"]) <= {machine}


def test_kernels_are_compared_with_somers_on_the_same_machine():
    both = on_two_machines(POINT | {"preset": "engine", "samples": [8.0, 8.0]},
                           POINT | CROSS | {"preset": "engine", "samples": [1.0, 1.0]})
    for machine, seconds in ("a", 1), ("b", 10):
        (row,) = analysis.kernels(both, machine).to_dict("records")
        assert (row["seconds"], row["ratio"]) == (seconds, 8)
    assert len(analysis.kernels(both)) == 1


def test_rates_are_those_of_one_machine():
    both = on_two_machines(RATE | {"samples": [1.0]})
    assert latest_rates(both)["machine"].nunique() == 1


def test_counts_beyond_floats_keep_every_digit():
    huge = 2**53 + 1
    head = {"preset": "full", "algorithm": "canonical", "implementation": "python", "n": 1,
            "context": {"machine": "m"}}
    found = analysis.profiles(frame([
        HEAD | head | {"metric": "levels", "samples": [[1, huge]]},
        HEAD | head | {"metric": "dead_levels", "samples": [[0, huge]]},
        HEAD | head | {"metric": "levels", "samples": [[1, huge]], "algorithm": "somers"}]))
    assert list(found["nodes"]) == [1, huge, 1, huge]
    assert list(found["dead_ends"]) == [0, huge, None, None]
    assert list(pd.Series(analysis.survival(found)["dead_ends"])) == [0, huge, None, None]
