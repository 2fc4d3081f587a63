"""What Python threads gain, from the records."""

import pandas as pd
import pytest

from nqbench import analysis


def shared(python="CPython 3.13.0", gil=True, n=8, samples=((0.2, 0.1), (0.4, 0.2)), **more):
    return {"metric": "shared", "status": "measured", "python": python, "gil": gil, "n": n,
            "jobs": 2, "samples": [list(pair) for pair in samples], "machine": "aaaa0000",
            "processor": "one", "run": "2026-11-20", **more}


def test_gains_are_ratios_round_by_round():
    (row,) = analysis.thread_gains(pd.DataFrame([shared(
        samples=[(2, 1), (4, 1), (9, 3)])])).to_dict("records")
    assert (row["alone"], row["shared"], row["times"], row["samples"]) == (4, 1, 3, 3)
    assert row["low"] <= row["times"] <= row["high"]


def test_the_newest_record_of_each_interpreter_counts():
    found = analysis.thread_gains(pd.DataFrame([
        shared(), shared(samples=[(3, 1)], run="2026-11-21"), shared(gil=False), shared(n=9),
        shared(python="CPython 3.13.0t"), shared(machine="bbbb1111"),
        {**shared(samples=[(9, 1)], run="2026-11-22"), "metric": "seconds"}]))
    assert len(found) == 5
    (row,) = found[found["gil"] & (found["n"] == 8) & (found["python"] == "CPython 3.13.0")
                   & (found["machine"] == "aaaa0000")].to_dict("records")
    assert row["times"] == pytest.approx(3)


def test_without_records_there_are_no_gains():
    assert analysis.thread_gains(pd.DataFrame([{**shared(), "metric": "seconds"}])).empty
