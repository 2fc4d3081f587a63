"""Intervals of medians, verdicts on ratios, and warnings of doubtful figures."""

from math import comb, isnan
from statistics import median

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench import analysis
from nqbench.analysis import interval, ratio, verdict, warnings
from nqbench.study import frame

SECONDS = st.floats(1e-9, 1e6)
COUNTS = st.integers(1, 10**6)  # quotients next to 1 that are no rounding
SEVERAL = st.lists(SECONDS, min_size=2, max_size=20)


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


@pytest.mark.parametrize("rounds", range(2, 50))
def test_an_interval_reaches_as_far_to_both_sides(rounds):
    assert sum(interval(range(1, rounds + 1))) == rounds + 1


@pytest.mark.parametrize("samples", [[], [1.0]])
def test_one_sample_has_no_interval(samples):
    assert all(map(isnan, interval(samples)))


@pytest.mark.parametrize(("rounds", "ends", "share"), [
    (3, (1, 3), 75), (5, (1, 5), 94), (7, (2, 6), 88), (9, (2, 8), 96), (15, (4, 12), 96)])
def test_how_often_an_interval_holds_the_true_median(rounds, ends, share):
    """The share that docs and page name: the true median lies below the k-th smallest of so many
    samples as often as fewer than k of as many tosses are heads.
    """
    assert interval(range(1, rounds + 1)) == ends
    beside = sum(comb(rounds, k) for k in range(ends[0])) / 2**rounds
    assert round(100 * (1 - 2 * beside)) == share


@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=2, max_size=20))
def test_a_ratio_turned_round_has_the_verdict_turned_round(pairs):
    over, under = zip(*pairs, strict=True)
    times, back = ratio(over, under), ratio(under, over)
    turned = {"slower": "faster", "faster": "slower", "not significant": "not significant"}
    if len(pairs) % 2:  # else medians are means, which do not turn round
        assert verdict(*back[1:]) == turned[verdict(*times[1:])]


def test_what_slows_both_moves_no_ratio():
    slow = [1.0, 50.0, 2.0, 30.0, 1.0]
    assert ratio([3 * s for s in slow], slow) == (3, 3, 3)


@pytest.mark.parametrize(("over", "said"), [
    ([1.1, 1.2, 1.3], "slower"), ([0.7, 0.8, 0.9], "faster"), ([0.9, 1.2, 1.3], "not significant"),
    ([1.0, 1.0, 1.0], "not significant"), ([9.0], "not known")])
def test_a_difference_is_one_only_if_the_interval_lies_beside_one(over, said):
    assert verdict(*ratio(over, [1.0] * len(over))[1:]) == said


@pytest.mark.parametrize(("samples", "loops", "said"), [
    ([1.0, 1.05, 1.1], 1, []),
    ([1.0, 1.05, 1.2], 1, ["spread 19 %"]),
    ([1.0], 1, ["one sample"]),
    ([9e-6, 9e-6], 100, ["sample under 1 ms"]),
    ([9e-6, 9e-6], 1000, []),
    ([1.0, 1.001, 1.002, 1.05, 1.051, 1.052], 1, ["two modes"]),
    ([1.0, 1.001, 1.05, 1.051, 1.052], 1, []),  # two are too few for a mode
    ([1.0, 1.01, 1.02, 1.03, 1.04, 1.05], 1, [])])
def test_warnings_name_what_makes_a_figure_doubtful(samples, loops, said):
    assert warnings(samples, loops) == said


@given(SEVERAL, st.integers(1, 10**6))
def test_warnings_do_not_depend_on_the_order_of_the_rounds(samples, loops):
    assert warnings(samples[::-1], loops) == warnings(samples, loops)


def test_a_time_carries_its_interval_and_its_warnings(records):
    times = analysis.timings(analysis.load(records))
    for row in times.itertuples():
        assert (row.low, row.high) == interval(row.samples)
        assert row.warning == "; ".join(warnings(row.samples, row.loops))


HEAD = {"schema": 1, "run": "2026-01-01", "time": "2026-01-01", "status": "measured"}
POINT = {"metric": "seconds", "algorithm": "somers", "implementation": "cython", "kernel": None,
         "jobs": 1, "n": 14, "loops": 1}
PEER = {"metric": "peer", "preset": "peers", "peer": "cross (Cython)", "n": 8, "loops": 1,
        "fault": None, "solutions": 92}
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


def test_records_of_two_machines_are_all_kept():
    assert len(on_two_machines(POINT | {"preset": "full", "samples": [1.0]})) == 2


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


def test_peers_and_rates_are_those_of_one_machine():
    both = on_two_machines(PEER | {"samples": [1.0]}, PEER | {"peer": "numba", "samples": [2.0]},
                           RATE | {"samples": [1.0]})
    for found in (analysis.latest_peers(both), analysis.latest_rates(both)):
        assert found["machine"].nunique() == 1
    peers = analysis.against_peers(analysis.latest_peers(both)).set_index("peer")
    assert peers.loc["numba", "times"] == 2


def test_counts_beyond_floats_keep_every_digit():
    huge = 2**53 + 1
    head = {"preset": "full", "algorithm": "bitmask", "implementation": "python", "n": 1,
            "context": {"machine": "m"}}
    found = analysis.profiles(frame([
        HEAD | head | {"metric": "levels", "samples": [[1, huge]]},
        HEAD | head | {"metric": "dead_levels", "samples": [[0, huge]]},
        HEAD | head | {"metric": "levels", "samples": [[1, huge]], "algorithm": "somers"}]))
    assert list(found["nodes"]) == [1, huge, 1, huge]
    assert list(found["dead_ends"]) == [0, huge, None, None]
    assert list(pd.Series(analysis.survival(found)["dead_ends"])) == [0, huge, None, None]
