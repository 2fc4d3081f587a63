"""A study of both engines, in small: samples of parts, and a profile of the join."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import measured, stop_at

from nqbench import engine, study
from nqbench.engine import plans as planning
from nqbench.engine.plans import Sample
from nqbench.search.metrics import METRICS
from nqbench.study import PRESETS, Preset
from nqbench.study.experiments import Session
from nqbench.study.loop import Study, run
from nqbench.study.presets import solvers
from nqbench.topics.engines import measurement

EXT = Path(__file__).parent.parent.parent / "ext"
pytestmark = pytest.mark.skipif(not engine.available(), reason="there is no compiled engine")


@pytest.fixture
def small(monkeypatch):
    """The experiment alone, for small n."""
    for name, value in {"PLANNED": (15,), "PROFILED": (12,), "ENOUGH": 1.0}.items():
        monkeypatch.setattr(measurement, name, value)
    monkeypatch.setattr(measurement.Engines, "least", 0.0)
    monkeypatch.setitem(PRESETS, "both", Preset(budget=100, processes=1, experiments=("engines",)))


def test_the_preset_measures_the_kernels_of_both_engines_in_turns_then_samples_and_profiles():
    found = [(each.algorithm.name, each.kernel, each.jobs) for each in solvers(
        18, PRESETS["engine"])]
    threads = sorted({1, engine.cores()})
    fastest, *others = engine.kernels()
    of_one = [*((fastest, jobs) for jobs in threads), *((kernel, 1) for kernel in others)]
    assert found == [("somers", None, 1), *((name, *each) for name in ("cross", "join")
                                            for each in of_one)]
    assert PRESETS["engine"].measures(METRICS["cpu_seconds"])
    steps = [step for name, step in Study("engine", PRESETS["engine"]).steps if name == "engines"]
    assert [(step.what, step.number) for step in steps] == [
        *(("phases", n) for n in (16, 18, 20)), *(("plan", n) for n in range(18, 25))]


@pytest.mark.slow
def test_a_study_that_was_stopped_goes_on(small, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        study.run("both", results=tmp_path, progress=stop_at("parts"))
    study.run("both", results=tmp_path, resume=True)
    profile, *plans = measured(tmp_path)
    assert (profile["metric"], profile["algorithm"], profile["n"]) == ("phases", "join", 12)
    assert (profile["status"] == "measured") == ("fault" not in profile)
    assert [(r["metric"], r["algorithm"], r["n"]) for r in plans] == [
        ("plan", "cross", 15), ("plan", "join", 15)]
    for record in plans:
        sample = Sample.of(record["samples"][0])
        assert (sample.algorithm, sample.n, sample.kernel) == (
            record["algorithm"], 15, record["kernel"])


def test_phases_are_those_of_the_functions_that_perf_found():
    looks = {"meet_avx24.constprop.0": 8, "transpose64_portable": 1, "make_halves_avx2": 5,
             "sort_words": 4, "list.constprop.0": 2, "list": 1, "join_flags": 3}
    lines = [f" 1.00%  ; {n} ;_join.cpython-311.so  ;[.] {name}  ;-" for name, n in looks.items()]
    assert measurement.count_phases(
            ["# a comment", *lines, " 9% ; 90 ;libc.so.6 ;[.] transpose64 ;-"]) == {
        "pairs": 8, "turning": 1, "halves": 5, "sorting": 4, "quarters": 3, "other": 3}


def test_the_functions_of_the_phases_are_in_the_sources():
    text = "".join(path.read_text("utf-8") for path in EXT.glob("join*.h"))
    for names in measurement.PHASES.values():
        for name in names:
            assert re.search(rf"\b(NAME\({name}\)|\*?{name})\(", text), name


def test_without_perf_or_its_permission_the_profile_says_why(monkeypatch):
    monkeypatch.setattr(measurement, "which", lambda name: None)
    assert measurement.profile(12) == {"status": "not available", "samples": [],
                                       "fault": "there is no perf"}
    monkeypatch.setattr(measurement, "which", lambda name: name)
    monkeypatch.setattr(measurement, "_run", lambda *words: SimpleNamespace(
        returncode=255, stdout="", stderr="No permission\nmore\n"))
    assert measurement.profile(12)["fault"] == "No permission"


def test_samples_share_the_time_that_is_left(small, monkeypatch):
    limits = []
    monkeypatch.setattr(measurement, "PLANNED", (17, 18))
    monkeypatch.setattr(
        measurement, "sample", lambda *_, limit, **more: limits.append(limit) or taken)
    taken = planning.sample(14)
    made = measurement.Engines(Session("some", Preset(budget=240, experiments=("engines",))))
    for step in made.steps()[1:]:
        made.measure(step)
    assert limits == [pytest.approx(share, rel=0.1) for share in (60, 80, 120, 150)]
    made.session.start -= 240
    made.measure(made.steps()[1])
    assert limits[-2:] == [measurement.SHORTEST] * 2


@pytest.mark.parametrize(("experiment", "least"), [("engines", 400), ("clusters", 300)])
def test_a_budget_that_cannot_be_kept_is_refused(experiment, least, monkeypatch):
    monkeypatch.setitem(PRESETS, "some", Preset(budget=least, experiments=(experiment,)))
    with pytest.raises(ValueError, match=f"budget must be at least {least} s with the experiment "
                       f"{experiment}, not 5"):
        run("some", budget=5)
