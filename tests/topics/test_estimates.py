"""Estimates beside the true values, and the extrapolated law."""

from math import exp, inf, log

import pytest

from nqbench import analysis
from nqbench.engine.estimation import estimate
from nqbench.problems.published import published
from nqbench.topics.estimates.frames import (
    FITTED,
    estimates,
    extrapolation,
    law,
)
from nqbench.topics.estimates.measurement import SEED

Q = dict(published("A000170").up_to(27))


@pytest.fixture(scope="module")
def frame(records):
    return analysis.load(records)


def test_estimates_stand_beside_the_published_values(frame):
    found = estimates(frame)
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
    found = estimates(frame)
    unknown = found[found["known"].isna()].groupby("quantity")["n"].min()
    assert unknown.to_dict() == {"nodes": 20, "solutions": 28}


def test_the_estimate_with_the_most_probes_counts(frame):
    fewer = frame.assign(run="2999-01-01T00:00:00.000+00:00", probes=100)
    more = frame.assign(run="1999-01-01T00:00:00.000+00:00", probes=10**6, machine="ffffffff")
    for records, probes in ((fewer, {32_000, 2000}), (more, {10**6})):
        both = estimates(type(frame)(
            [*frame.to_dict("records"), *records.to_dict("records")]))
        assert set(both["probes"]) == probes
        assert len(both) == 2 * 2 * 27


def test_the_law_finds_what_follows_it():
    made = {n: round(exp(1.8 + 0.5 * log(n) + n * (log(n) - 1.944))) for n in range(10, 24)}
    assert law(made, 30) == pytest.approx(1.8 + 0.5 * log(30) + 30 * (log(30) - 1.944), rel=1e-7)


def test_the_law_looks_at_the_last_values_only():
    assert law(Q, 30) == law({n: q for n, q in Q.items() if n > 27 - FITTED}, 30)


@pytest.mark.parametrize("ahead", [1, 2, 3])
def test_its_uncertainty_is_the_worst_of_eight_forecasts_so_many_rows_ahead(ahead):
    wrong = [abs(exp(law({n: q for n, q in Q.items() if n <= last}, last + ahead))
                 / Q[last + ahead] - 1) for last in range(20 - ahead, 28 - ahead)]
    row = extrapolation().set_index("n").loc[27 + ahead]
    assert row["uncertainty"] == pytest.approx(max(wrong))
    assert row["solutions"] == exp(law(Q, 27 + ahead))
    assert (row["low"], row["high"]) == (row["solutions"] * (1 - row["uncertainty"]),
                                         row["solutions"] * (1 + row["uncertainty"]))


def test_the_law_and_the_probes_agree():
    found = extrapolation().set_index("n")
    probed = estimate(28, 2_000_000, SEED).solutions
    assert probed.interval[0] < found.loc[28, "high"]
    assert probed.interval[1] > found.loc[28, "low"]


def test_an_estimate_without_error_that_is_wrong_is_infinitely_far_off(frame):
    """No probe reached a solution: 0 in the interval from 0 to 0."""
    rows = frame[(frame["metric"] == "estimate") & (frame["n"] == 9)].to_dict("records")
    for row in rows:
        (sample,) = row["samples"]
        row["samples"] = [sample | {"reached": 0, "levels": [*sample["levels"][:-1], [0.0, 0.0]]}]
    found = estimates(type(frame)(rows))
    assert set(found[found["quantity"] == "solutions"]["off"]) == {-inf}
