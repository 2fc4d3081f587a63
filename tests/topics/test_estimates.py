"""Estimates beside the true values."""

from math import inf

import pytest

from nqbench import analysis
from nqbench.topics.estimates.section import estimates


@pytest.fixture(scope="module")
def frame(records):
    return analysis.load(records)


def test_estimates_stand_beside_the_published_values(frame):
    found = estimates(frame)
    assert len(found) == 2 * 2 * 7
    unknown = found[found["known"].isna()].groupby("quantity")["n"].min()
    assert unknown.to_dict() == {"nodes": 20, "solutions": 28}
    row = found[(found["quantity"] == "solutions") & (found["n"] == 8)
                & (found["method"] == "knuth")].iloc[0]
    (sample,) = frame[(frame["metric"] == "estimate") & (frame["n"] == 8)
                      & (frame["method"] == "knuth")]["samples"].iloc[0]
    assert [row["mean"], row["error"]] == sample["levels"][-1]
    assert row["high"] == pytest.approx(row["mean"] + sample["reach"] * row["error"])
    assert row["known"] == 92
    assert row["off"] == (row["mean"] - row["known"]) / row["error"]
    assert type(row["known"]) is int


def test_the_estimate_with_the_most_probes_counts(frame):
    fewer = frame.assign(run="2999-01-01T00:00:00.000+00:00", probes=50)
    more = frame.assign(run="1999-01-01T00:00:00.000+00:00", probes=10**6, machine="ffffffff")
    for records, probes in ((fewer, {64}), (more, {10**6})):
        both = estimates(type(frame)(
            [*frame.to_dict("records"), *records.to_dict("records")]))
        assert set(both["probes"]) == probes
        assert len(both) == 2 * 2 * 7


def test_an_estimate_without_error_that_is_wrong_is_infinitely_far_off(frame):
    """No probe reached a solution: 0 in the interval from 0 to 0."""
    rows = frame[(frame["metric"] == "estimate") & (frame["n"] == 8)].to_dict("records")
    for row in rows:
        (sample,) = row["samples"]
        row["samples"] = [sample | {"reached": 0, "levels": [*sample["levels"][:-1], [0.0, 0.0]]}]
    found = estimates(type(frame)(rows))
    assert set(found[found["quantity"] == "solutions"]["off"]) == {-inf}
