"""A study of clusters, in small: hand-outs, samples of parts, simulated schedules."""

import pytest
from conftest import measured

from nqbench import study
from nqbench.engine.planning import Sample
from nqbench.study import PRESETS
from nqbench.study.experiments import clusters
from nqbench.study.running import Study

pytestmark = pytest.mark.slow

SMALL = {"PLANNED": (17, 18), "MODEL": 18, "TASKS": 20, "ROUNDS": 2, "WORKERS": 20,
         "LENGTHS": (10.0, 100.0), "FAILURES": (0.0, 1.0), "MOST": 20}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The records of a study that was really run, and stopped after it had made two steps."""
    folder = tmp_path_factory.mktemp("clusters")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SMALL.items():
            patch.setattr(clusters, name, value)

        def stop(what, gone, budget):
            if what.startswith("tasks"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            study.run("cluster", results=folder, progress=stop)
        assert [record["metric"] for record in measured(folder)] == ["dispatch", "plan", "plan"]
        study.run("cluster", results=folder, resume=True)
    return folder


@pytest.mark.thorough
def test_a_study_that_was_stopped_goes_on(folder):
    records = measured(folder)
    assert [(r["metric"], r["n"]) for r in records] == [
        ("dispatch", 0), ("plan", 17), ("plan", 18), *[("schedule", 18)] * 4]
    assert len({record["run"] for record in records}) == 1


def test_a_sample_is_kept_whole(folder):
    (kept,) = [record["samples"][0] for record in measured(folder)
               if record["metric"] == "plan" and record["n"] == 18]
    sample = Sample.of(kept)
    assert (sample.n, sample.parts, sample.seed) == (18, 603, clusters.SEED)
    assert len(sample.draws) == 120


def test_a_schedule_says_what_it_was_made_from(folder):
    each = [r for r in measured(folder) if r["metric"] == "schedule"]
    assert [(r["task_seconds"], r["failures"]) for r in each] == [
        (10, 0), (10, 1), (100, 0), (100, 1)]
    assert {(r["workers"], r["tasks"]) for r in each} == {(20, 400)}
    assert each[0]["samples"][0]["failed"] == 0 < each[-1]["samples"][0]["failed"]
    assert all(0 < r["samples"][0]["efficiency"] <= 1 for r in each)


def test_without_time_simulations_are_left_out(folder):
    before = [r for r in measured(folder) if r["metric"] != "schedule"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "MODEL", 18)
        left = clusters.schedule(10.0, 0.0, before, over=True)
    assert (left["status"], left["samples"]) == ("left out", [])


def test_steps_come_in_the_order_in_which_they_need_one_another():
    names = [step.what for _, step in Study("cluster", PRESETS["cluster"]).steps]
    assert names == ["dispatch"] + ["plan"] * 4 + ["schedule"] * 9
    assert clusters.MODEL in clusters.PLANNED


def test_without_dask_it_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(clusters, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"needs Dask: pip install 'nqbench\[cluster\]'"):
        study.run("cluster", results=tmp_path)
