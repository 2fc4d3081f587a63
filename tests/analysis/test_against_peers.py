"""Times of the peers beside the cross, as frames."""

import pandas as pd

from nqbench import analysis
from nqbench.study import frame
from nqbench.study.peering import BASELINE


def peer(**fields):
    return {"schema": 1, "run": "2026-01-01", "time": "2026-01-01", "preset": "peers",
            "context": {"machine": "m"}, "metric": "peer", "status": "measured", "n": 8,
            "peer": BASELINE, "package": "nqbench", "version": "0.1.0", "samples": [1.0, 2.0, 4.0],
            "loops": 1, "solutions": 92, "fault": None, "predicted": None} | fields


SLOW = peer(peer="slow", package="slow", samples=[10.0, 10.0, 80.0])


def test_ratios_are_taken_round_by_round():
    rows = analysis.against_peers(frame([peer(), SLOW])).to_dict("records")
    assert [(r["times"], r["times_low"], r["times_high"]) for r in rows] == [(1, 1, 1), (10, 5, 20)]
    assert (rows[1]["seconds"], rows[1]["low"], rows[1]["high"]) == (10, 10, 80)


def test_what_was_not_measured_has_no_figures():
    wrong = {"status": "failed", "samples": [], "solutions": 91, "fault": "counted 91"}
    found = analysis.against_peers(frame([peer(), SLOW | wrong]))
    assert list(found["status"]) == ["measured", "failed"]
    assert found[["seconds", "times"]].iloc[1].isna().all()
    assert (found["solutions"].iloc[1], found["fault"].iloc[1]) == (91, "counted 91")


def test_without_the_cross_at_that_n_there_is_no_ratio():
    (row,) = analysis.against_peers(frame([SLOW])).to_dict("records")
    assert row["seconds"] == 10
    assert pd.isna(row["times"])


def test_the_newest_run_counts_unless_it_measured_fewer_peers():
    both = frame([peer(), SLOW, peer(run="2026-02-01"), SLOW | {"run": "2026-02-01"},
                  peer(run="2026-03-01"), peer(run="2026-04-01", n=7),
                  peer(run="2026-05-01", context={"machine": "x"})])
    assert set(analysis.latest_peers(both, "m")["run"]) == {"2026-02-01"}
    assert set(analysis.latest_peers(both, "x")["run"]) == {"2026-05-01"}


def test_without_records_there_are_no_rows():
    assert analysis.latest_peers(frame([peer()]), "y").empty
    assert analysis.against_peers(analysis.latest_peers(frame([]))).empty
