"""Counts beyond one machine: a study samples their parts and simulates their schedules, which the
page shows.
"""

from math import inf

import pandas as pd
import pytest
from conftest import measured, stop_at
from hypothesis import given
from hypothesis import strategies as st
from kept import few, of_preset, read, said, write

from nqbench import study
from nqbench.engine.plans import Sample
from nqbench.report.formats import to_markdown
from nqbench.study import PRESETS, frame
from nqbench.study.loop import Study
from nqbench.topics.clusters import measurement, section
from nqbench.topics.clusters.measurement import Site, simulate

SMALL = {"PLANNED": (15, 16), "MODEL": 16, "TASKS": 20, "ROUNDS": 2, "WORKERS": 20,
         "LENGTHS": (10.0, 100.0), "FAILURES": (0.0, 1.0), "MOST": 20}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The records of a study that was really run, and stopped after it had made two steps."""
    folder = tmp_path_factory.mktemp("clusters")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SMALL.items():
            patch.setattr(measurement, name, value)

        with pytest.raises(KeyboardInterrupt):
            study.run("cluster", results=folder, progress=stop_at("tasks"))
        assert [record["metric"] for record in measured(folder)] == ["dispatch", "plan", "plan"]
        study.run("cluster", results=folder, resume=True)
    return folder


@pytest.mark.slow
@pytest.mark.thorough
def test_a_study_that_was_stopped_goes_on(folder):
    records = measured(folder)
    assert [(r["metric"], r["n"]) for r in records] == [
        ("dispatch", 0), ("plan", 15), ("plan", 16), *[("schedule", 16)] * 4]
    assert len({record["run"] for record in records}) == 1


@pytest.mark.slow
def test_a_sample_is_kept_whole(folder):
    (kept,) = [record["samples"][0] for record in measured(folder)
               if record["metric"] == "plan" and record["n"] == 16]
    sample = Sample.of(kept)
    assert (sample.n, sample.parts, sample.seed) == (16, 272, measurement.SEED)
    assert len(sample.draws) == 120


@pytest.mark.slow
def test_a_schedule_says_what_it_was_made_from(folder):
    each = [r for r in measured(folder) if r["metric"] == "schedule"]
    assert [(r["task_seconds"], r["failures"]) for r in each] == [
        (10, 0), (10, 1), (100, 0), (100, 1)]
    assert {(r["workers"], r["tasks"]) for r in each} == {(20, 400)}
    assert each[0]["samples"][0]["failed"] == 0 < each[-1]["samples"][0]["failed"]
    assert all(0 < r["samples"][0]["efficiency"] <= 1 for r in each)


@pytest.mark.slow
def test_without_time_simulations_are_left_out(folder):
    before = [r for r in measured(folder) if r["metric"] != "schedule"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measurement, "MODEL", 16)
        left = measurement.schedule(10.0, 0.0, before, over=True)
    assert (left["status"], left["samples"]) == ("left out", [])


def test_steps_come_in_the_order_in_which_they_need_one_another():
    names = [step.what for _, step in Study("cluster", PRESETS["cluster"]).steps]
    assert names == ["dispatch"] + ["plan"] * 4 + ["schedule"] * 9
    assert measurement.MODEL in measurement.PLANNED


def test_without_dask_it_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(measurement, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"needs Dask: pip install 'nqbench\[cluster\]'"):
        study.run("cluster", results=tmp_path)


@pytest.mark.parametrize(("workers", "dispatch", "tasks", "length", "wall"), [
    (1, 0.0, 10, 60.0, 600.0), (4, 0.0, 6, 10.0, 20.0),  # two wait for the others
    (1000, 0.1, 5000, 1.0, 501.0),  # a slow scheduler sets the pace
    (10, 0.05, 1000, 1.0, 100.5)])  # tasks on the way hide a quick one
def test_without_failures_workers_wait_for_tasks_and_for_each_other(
        workers, dispatch, tasks, length, wall):
    outcome = simulate(Site(workers, dispatch, failures=0.0), tasks, length, [1.0])
    assert (outcome.wall, outcome.failed) == (pytest.approx(wall, rel=1e-3), 0)
    assert outcome.efficiency == pytest.approx(tasks * length / outcome.wall / workers)


def test_the_same_seed_gives_the_same_run():
    site = Site(50, dispatch=0.01, failures=1.0)
    first, second, other = (simulate(site, 2000, 30.0, [0.5, 1.0, 1.5], seed)
                            for seed in (1, 1, 2))
    assert first == second != other


def test_failures_cost_what_they_cost():
    """A task of 100 s that fails at random loses 50 s and the time of the repair."""
    site = Site(200, dispatch=0.0, failures=1.0, noticed=10.0, repaired=20.0)
    outcome = simulate(site, 200 * 360, 100.0, [1.0])
    hours = outcome.wall / 3600 * 200
    assert outcome.failed == pytest.approx(hours, rel=0.05)
    lost = outcome.failed * (50 + 20) / (hours * 3600)
    assert outcome.efficiency == pytest.approx(1 - lost, abs=0.01)


def test_what_was_lost_is_done_by_whoever_is_free_once_that_is_noticed(monkeypatch):
    """Two tasks of 100 s; one worker fails at 50 s for good, which is noticed at 350 s."""
    lives = iter([50.0, inf, inf])
    monkeypatch.setattr("nqbench.topics.clusters.measurement._Run.lifetime",
                        lambda run: next(lives))
    site = Site(2, dispatch=0.0, failures=1.0, noticed=300.0, repaired=1e6)
    assert simulate(site, 2, 100.0, [1.0]).wall == 450.0


@given(workers=st.integers(1, 20), tasks=st.integers(1, 200), failures=st.floats(0, 20),
       dispatch=st.floats(0, 1), seed=st.integers(0, 9))
def test_every_task_is_done_whatever_fails(workers, tasks, failures, dispatch, seed):
    site = Site(workers, dispatch, failures, noticed=5.0, repaired=7.0)
    outcome = simulate(site, tasks, 20.0, [1.0], seed)
    work = outcome.efficiency * outcome.wall * workers
    assert work == pytest.approx(tasks * 20.0)
    assert outcome.wall >= tasks * 20.0 / workers * (1 - 1e-9)


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
    (row,) = section.plans(frame([record()])).to_dict("records")
    assert (row["n"], row["parts"], row["mean"], row["longest"]) == (20, 100, 72, 108)
    assert row["core_hours"] == 2
    assert row["low"] < 2 < row["high"]
    assert row["solutions"] == 8000
    assert row["known"] == 39029188884


def test_what_nobody_has_counted_is_not_known():
    (row,) = section.plans(frame([record(samples=[SAMPLE | {"n": 28}])])).to_dict("records")
    assert pd.isna(row["known"])


def test_schedules_stand_in_order():
    found = section.schedules(frame([schedule(60.0, 0.1, 0.5), schedule(30.0, 0.1, 0.7),
                                     schedule(60.0, 0.0, 0.9)]))
    assert list(found["efficiency"]) == [0.9, 0.7, 0.5]
    assert list(found["failed"]) == [3, 3, 3]


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
    assert section.schedules(nothing).empty


def beyond(study):
    """The lines of a study, and of one of clusters on the same machine."""
    return [*study, *of_preset("cluster", study)]


def test_plans_and_schedules_are_shown(records, tmp_path):
    write(tmp_path, beyond(few(records)))
    made = read(tmp_path)
    text = said(made, "clusters")
    flat = " ".join(text.split())
    assert "27 queens would take 0.285 years (95 %: 0.285 to 0.285) of it" in flat
    assert "0 of 1 intervals contain the known number" in flat
    assert "tasks of 30 s are best" in text
    assert text.count("From <code>nqbench study --preset cluster") == 1
    assert "efficiency" in made.figures
    table = made.tables["plans"]
    assert list(table["core_hours"]) == [2500]
    assert list(table["known"]) == [234907967154122528]
    assert "234,907,967,154,122,528" in to_markdown(table)


def test_where_no_worker_fails_the_best_task_is_that_without_failures(records, tmp_path):
    write(tmp_path, [line for line in beyond(few(records)) if not line.get("failures")])
    text = said(tmp_path, "clusters")
    assert "fails in an hour" not in text
    assert "tasks of 30 s are best" in text
