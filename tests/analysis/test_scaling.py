"""How trees and times grow."""

from itertools import product
from math import exp, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench import analysis
from nqbench.records import frame

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


@pytest.mark.thorough
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
