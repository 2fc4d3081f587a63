"""Counts beyond one machine: a study samples their parts, which the page shows."""

import pandas as pd
import pytest
from conftest import measured, stop_at
from kept import few, of_preset, read, said, write

from nqbench import study
from nqbench.engine.plans import Sample
from nqbench.report.formats import to_markdown
from nqbench.study import frame
from nqbench.topics.engines import measurement
from nqbench.topics.engines import section_clusters as section


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The records of a study that was really run, and stopped after it had made a step."""
    folder = tmp_path_factory.mktemp("clusters")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measurement, "BEYOND", (15, 16))
        with pytest.raises(KeyboardInterrupt):
            study.run("cluster", results=folder, progress=stop_at("parts for n = 16"))
        assert [record["n"] for record in measured(folder)] == [15]
        study.run("cluster", results=folder, resume=True)
    return folder


@pytest.mark.slow
def test_a_study_that_was_stopped_goes_on(folder):
    records = measured(folder)
    assert [(r["metric"], r["n"]) for r in records] == [("plan", 15), ("plan", 16)]
    assert len({record["run"] for record in records}) == 1


@pytest.mark.slow
def test_a_sample_is_kept_whole(folder):
    (kept,) = [record["samples"][0] for record in measured(folder)
               if record["metric"] == "plan" and record["n"] == 16]
    sample = Sample.of(kept)
    assert (sample.n, sample.parts, sample.seed) == (16, 272, measurement.SEED)
    assert len(sample.draws) == 120


DRAW = {"part": 0, "seconds": 36.0, "completions": 10, "images": 8}
SAMPLE = {"n": 20, "parts": 100, "slices": 1, "kernel": "portable", "seed": 1, "shrunk": 1,
          "drawn": [[DRAW, DRAW | {"seconds": 108.0}]] * 4}


def record(metric="plan", run="1", **fields):
    return {"schema": 1, "run": run, "time": "2026-01-01", "preset": "cluster",
            "context": {"machine": "m"}, "metric": metric, "status": "measured", "n": 20,
            "samples": [SAMPLE]} | fields


def test_a_plan_is_a_row_of_its_sample():
    (row,) = section.plans(frame([record()])).to_dict("records")
    assert (row["n"], row["parts"], row["mean"], row["longest"]) == (20, 100, 72, 108)
    assert row["core_hours"] == 2
    assert row["low"] < 2 < row["high"]
    assert row["solutions"] == 8000
    assert row["known"] == 39029188884


def test_what_nobody_has_counted_is_not_known():
    (row,) = section.plans(frame([record(samples=[SAMPLE | {"n": 28}])])).to_dict("records")
    assert pd.isna(row["known"])


def test_the_run_with_most_records_counts_and_of_equals_the_newest():
    records = frame([record(run="1"), record(run="1", n=24), record(run="2"),
                     record(run="3"), record(run="3", n=24)])
    assert set(section.latest_plans(records)["run"]) == {"3"}
    assert section.latest_plans(records, "another").empty


def test_plans_that_name_their_engine_are_none_of_clusters():
    assert section.latest_plans(frame([record(algorithm="cross")])).empty


def test_without_records_there_are_no_rows():
    nothing = section.latest_plans(frame([record("check", sequence="A000170")]))
    assert section.plans(nothing).empty


def beyond(study):
    """The lines of a study, and of one of clusters on the same machine."""
    return [*study, *of_preset("cluster", study)]


def test_plans_are_shown(records, tmp_path):
    write(tmp_path, beyond(few(records)))
    made = read(tmp_path)
    text = said(made, "clusters")
    flat = " ".join(text.split())
    assert "27 queens would take 0.285 years (95 %: 0.285 to 0.285) of it" in flat
    assert "0 of 1 intervals contain the known number" in flat
    assert text.count("From <code>nqbench study --preset cluster") == 1
    table = made.tables["plans"]
    assert list(table["core_hours"]) == [2500]
    assert list(table["known"]) == [234907967154122528]
    assert "234,907,967,154,122,528" in to_markdown(table)
