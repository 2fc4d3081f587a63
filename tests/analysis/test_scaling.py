"""How trees and times grow, and what the counters say about the time."""

from itertools import product
from math import exp, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench import analysis
from nqbench.errors import InvalidValueError
from nqbench.records.record import frame

NOISE = (0.98, 1.0, 1.03)  # of three processes


def run(seconds, nodes, sizes=range(4, 13), names=("mine",), noise=NOISE, **counters):
    """The records of a run of these algorithms, from functions of the place of a name and n."""
    found = []
    for (place, name), n in product(enumerate(names), sizes):
        head = {"run": "r", "n": n, "algorithm": name, "implementation": "python", "loops": 1,
                "status": "measured", "unit": "s", "context": {"machine": "m", "commit": "c"}}
        counts = {"nodes": nodes, "tests": nodes, **counters}
        found += [{**head, "metric": metric, "samples": [count(place, n)]}
                  for metric, count in counts.items()]
        found += [{**head, "metric": "seconds", "process": process, "processes": len(noise),
                   "samples": [seconds(place, n) * each(n) if callable(each) else
                               seconds(place, n) * each] * 2} for process, each in enumerate(noise)]
    return frame(found)


@given(st.floats(1.5, 9), st.floats(1.5, 9))
def test_the_growth_of_a_power_is_its_base(time, tree):
    records = run(lambda _, n: 1e-6 * time**n, lambda _, n: round(1e6 * tree**n))
    found = analysis.growth(records).set_index("metric")
    assert set(zip(found["first_n"], found["last_n"], strict=True)) == {(8, 12)}
    assert [*found.loc["seconds", ["factor", "low", "high"]]] == pytest.approx([time] * 3)
    assert [*found.loc["nodes", ["factor", "low", "high"]]] == pytest.approx([tree] * 3, rel=1e-3)


def test_the_interval_of_a_growth_is_that_of_the_processes():
    records = run(lambda _, n: 1e-6 * 4.0**n, lambda _, n: 4**n,
                  noise=[lambda n, b=b: b**n for b in (0.99, 1.0, 1.01)])
    low, high = analysis.growth(records).set_index("metric").loc["seconds", ["low", "high"]]
    spread = 4.3027 * np.std(np.log([0.99, 1.0, 1.01]), ddof=1) / 3**0.5  # t of 2 degrees
    assert (high / low) == pytest.approx(exp(2 * spread), rel=1e-4)
    two = analysis.growth(run(lambda _, n: 4.0**n, lambda _, n: 4**n, noise=(1.0, 1.1)))
    assert two.set_index("metric")["low"].isna().to_dict() == {"seconds": True, "nodes": False}


def test_nodes_that_grow_unevenly_have_the_range_of_their_factors():
    found = analysis.growth(run(lambda _, n: 4.0**n, lambda _, n: factorial(n)))
    nodes = found.set_index("metric").loc["nodes"]
    assert (nodes["low"], nodes["high"]) == pytest.approx((9, 12))
    assert nodes["low"] < nodes["factor"] < nodes["high"]


@pytest.mark.parametrize(("seconds", "model", "parameter"), [
    (lambda n: 3.0**n, "b^n", 3.0), (lambda n: factorial(n) * 0.4**n, "n! b^n", 0.4),
    (lambda n: 5e-7 * 4**n * n, "c nodes", None),
    (lambda n: (4**n * n)**1.2, "c nodes^k", 1.2)])
def test_the_model_that_made_the_times_is_the_best(seconds, model, parameter):
    wiggle = (1.01, 0.99, 1.0)  # of every third n
    found = analysis.models(run(lambda _, n: 1e-6 * seconds(n) * wiggle[n % 3],
                                lambda _, n: 4**n * n))
    times = found[found["metric"] == "seconds"]
    best = times.iloc[0]
    assert (best["model"], best["delta"], best["points"]) == (model, 0, 7)
    assert best["error"] < 1.03
    assert times["delta"].is_monotonic_increasing
    assert len(times) == 4 and len(found) == 6
    if parameter:
        assert best["parameter"] == pytest.approx(parameter, rel=0.02)


NAMES = [f"idea{number}" for number in range(8)]


def works(place, n):
    return 4**n * (place + 1)**2


def test_a_regression_finds_the_exponents_and_every_algorithm_left_out():
    records = run(lambda place, n: (1 + 4.0**n)**0.7 * (1 + works(place, n))**0.3 * 1e-6,
                  lambda _, n: 4**n, names=NAMES, noise=(1.0,), tests=works)
    found = analysis.time_by_counters(records, ["nodes", "tests"])
    assert found.exponents == pytest.approx({"nodes": 0.7, "tests": 0.3})
    assert found.explained == pytest.approx(1) == found.explained_left_out
    assert (found.half, found.most) == pytest.approx((1, 1))
    assert found.sentence.startswith(
        "Over 56 points of 8 algorithms in Python, n = 6 to 12, nodes and tests explain 100 % of")


def test_an_algorithm_that_is_left_out_does_not_take_part_in_its_prediction():
    records = run(lambda place, n: 4.0**n * (10 if place == 0 else 1) * 1e-6,
                  lambda _, n: 4**n - 1, names=NAMES, noise=(1.0,))
    rows = analysis.time_by_counters(records, ["nodes"]).rows
    assert [*rows[rows["algorithm"] == NAMES[0]]["factor"]] == pytest.approx([10] * 7)
    assert rows[rows["algorithm"] != NAMES[0]]["factor"].max() < 2


def test_a_regression_needs_more_algorithms_than_parameters():
    records = run(lambda _, n: 4.0**n, lambda _, n: 4**n, names=NAMES[:3])
    with pytest.raises(InvalidValueError, match="at least 4 algorithms in Python must have times "
                                                "and nodes for n = 6 or more, not 3"):
        analysis.time_by_counters(records, ["nodes"])
