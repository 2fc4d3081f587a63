"""Plans and schedules as frames."""

import pandas as pd

from nqbench import analysis
from nqbench.study import frame

DRAW = {"part": 0, "seconds": 36.0, "completions": 10, "images": 8}
SAMPLE = {"n": 20, "parts": 100, "slices": 1, "kernel": "portable", "seed": 1, "shrunk": 1,
          "drawn": [[DRAW, DRAW | {"seconds": 108.0}]] * 4}


def record(metric="plan", run="1", **fields):
    return {"schema": 1, "run": run, "time": "2026-01-01", "preset": "cluster",
            "context": {"machine": "m"}, "metric": metric, "status": "measured", "n": 20,
            "samples": [SAMPLE]} | fields


def schedule(length, failures, share):
    return record("schedule", workers=10, dispatch=0.001, task_seconds=length, failures=failures,
                  tasks=100, samples=[{"efficiency": share, "wall": 9.0, "failed": 3}])


def test_a_plan_is_a_row_of_its_sample():
    (row,) = analysis.plans(frame([record()])).to_dict("records")
    assert (row["n"], row["parts"], row["mean"], row["longest"]) == (20, 100, 72, 108)
    assert row["core_hours"] == 2
    assert row["low"] < 2 < row["high"]
    assert row["solutions"] == 8000
    assert row["known"] == 39029188884


def test_what_nobody_has_counted_is_not_known():
    (row,) = analysis.plans(frame([record(samples=[SAMPLE | {"n": 28}])])).to_dict("records")
    assert pd.isna(row["known"])


def test_schedules_stand_in_order():
    found = analysis.schedules(frame([schedule(60.0, 0.1, 0.5), schedule(30.0, 0.1, 0.7),
                                      schedule(60.0, 0.0, 0.9)]))
    assert list(found["efficiency"]) == [0.9, 0.7, 0.5]
    assert list(found["failed"]) == [3, 3, 3]


def test_the_run_with_most_records_counts_and_of_equals_the_newest():
    records = frame([record(run="1"), record(run="1", n=24), record(run="2"),
                     record(run="3"), record(run="3", n=24)])
    assert set(analysis.latest_plans(records)["run"]) == {"3"}
    assert analysis.latest_plans(records, "another").empty


def test_without_records_there_are_no_rows():
    nothing = analysis.latest_plans(frame([record("check", sequence="A000170")]))
    assert analysis.plans(nothing).empty
    assert analysis.schedules(nothing).empty
