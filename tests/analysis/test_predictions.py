"""Estimates beside the truth, and the law carried on."""

from math import exp, log

import pytest

from nqbench import analysis
from nqbench.analysis.predictions import FITTED, law
from nqbench.probing import LAW, estimate
from nqbench.reference import published
from nqbench.study.running import SEED

Q = dict(published("A000170").up_to(27))


@pytest.fixture(scope="module")
def frame(records):
    return analysis.load(records)


def test_estimates_stand_beside_the_published_values(frame):
    found = analysis.estimates(frame)
    assert len(found) == 2 * 2 * 27
    row = found[(found["quantity"] == "solutions") & (found["n"] == 27)
                & (found["method"] == "knuth")].iloc[0]
    again = estimate(27, 32_000, SEED)
    assert (row["mean"], row["error"]) == (again.solutions.mean, again.solutions.error)
    assert (row["low"], row["high"]) == again.solutions.interval
    assert row["known"] == 234907967154122528
    assert row["off"] == (row["mean"] - row["known"]) / row["error"]
    assert type(row["known"]) is int  # beyond 2^53, where floats have gaps


def test_beyond_what_is_published_nothing_is_known(frame):
    found = analysis.estimates(frame)
    unknown = found[found["known"].isna()].groupby("quantity")["n"].min()
    assert unknown.to_dict() == {"nodes": 20, "solutions": 28}


def test_the_estimate_with_the_most_probes_counts(frame):
    fewer = frame.assign(run="2999-01-01T00:00:00.000+00:00", probes=100)
    more = frame.assign(run="1999-01-01T00:00:00.000+00:00", probes=10**6, machine="ffffffff")
    for records, probes in ((fewer, {32_000, 2000}), (more, {10**6})):
        both = analysis.estimates(type(frame)(
            [*frame.to_dict("records"), *records.to_dict("records")]))
        assert set(both["probes"]) == probes
        assert len(both) == 2 * 2 * 27


def test_estimated_levels_sum_to_the_nodes(frame):
    levels = analysis.estimated_levels(frame)
    nodes = analysis.estimates(frame)
    for n, method in ((9, "knuth"), (30, "stratified")):
        rows = levels[(levels["n"] == n) & (levels["method"] == method)]
        assert list(rows["level"]) == list(range(n + 1))
        (total,) = nodes[(nodes["n"] == n) & (nodes["method"] == method)
                         & (nodes["quantity"] == "nodes")]["mean"]
        assert rows["mean"].sum() == pytest.approx(total)


def test_the_law_finds_what_follows_it():
    made = {n: round(exp(1.8 + 0.5 * log(n) + n * (log(n) - LAW))) for n in range(10, 24)}
    assert exp(law(made, 30) - 1.8 - 0.5 * log(30) - 30 * (log(30) - LAW)) == pytest.approx(
        1, rel=1e-6)


def test_the_law_looks_at_the_last_values_only():
    assert law(Q, 30) == law({n: q for n, q in Q.items() if n > 27 - FITTED}, 30)


def test_the_law_would_have_foretold_what_is_known():
    """Its uncertainty is the worst of eight earlier fits, so these lie within it."""
    found = analysis.extrapolation(30).set_index("n")
    assert list(found.index) == [28, 29, 30]
    for target in range(20, 28):
        less = {n: q for n, q in Q.items() if n < target}
        assert abs(exp(law(less, target) - log(Q[target])) - 1) <= found.loc[28, "uncertainty"]
    assert 0.02 < found.loc[28, "uncertainty"] <= found.loc[30, "uncertainty"] < 0.1


def test_the_law_and_the_probes_agree():
    found = analysis.extrapolation(30).set_index("n")
    probed = estimate(28, 2_000_000, SEED).solutions
    assert probed.interval[0] < found.loc[28, "high"]
    assert probed.interval[1] > found.loc[28, "low"]
