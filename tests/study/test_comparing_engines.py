"""A study of both engines, in small: samples of parts."""

import pytest
from conftest import measured, stop_at

from nqbench import engine, study
from nqbench.engine import plans as planning
from nqbench.engine.plans import Survey
from nqbench.records.descriptions import presets
from nqbench.search.metrics import METRICS
from nqbench.study.experiments import Session
from nqbench.study.loop import Study, run
from nqbench.study.plan import Plan, find_preset
from nqbench.topics.engines import measurement
from nqbench.topics.searches.measurement import solvers

pytestmark = pytest.mark.skipif(not engine.available(), reason="there is no compiled engine")


@pytest.fixture
def small(monkeypatch):
    """The experiment alone, for small n."""
    monkeypatch.setattr(measurement, "PLANNED", (15, 16))
    monkeypatch.setattr(measurement.Engines, "least", 0.0)
    monkeypatch.setitem(presets(), "both", {"budget": 100, "experiments": ["engines"]})


def test_the_preset_measures_the_kernels_of_both_engines_in_turns_then_samples():
    found = [(each.algorithm.name, each.kernel, each.jobs) for each in solvers(
        18, find_preset("engine"))]
    threads = sorted({1, engine.cores()})
    fastest, *others = engine.kernels()
    of_one = [*((fastest, jobs) for jobs in threads), *((kernel, 1) for kernel in others)]
    assert found == [("somers", None, 1), *((name, *each) for name in ("cross", "join")
                                            for each in of_one)]
    assert find_preset("engine").measures(METRICS["cpu_seconds"])
    steps = [step for name, step in Study(find_preset("engine")).steps if name == "engines"]
    assert [step.number for step in steps] == [*range(18, 25)]


@pytest.mark.slow
def test_a_study_that_was_stopped_goes_on(small, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        study.run("both", results=tmp_path, progress=stop_at("parts for n = 16"))
    assert len(measured(tmp_path)) == 2
    study.run("both", results=tmp_path, resume=True)
    plans = measured(tmp_path)
    assert [(r["metric"], r["algorithm"], r["n"]) for r in plans] == [
        ("plan", name, n) for n in (15, 16) for name in ("cross", "join")]
    for record in plans:
        sample = Survey.of(record["samples"][0])
        assert (sample.algorithm, sample.n, sample.kernel) == (
            record["algorithm"], record["n"], record["kernel"])


def test_samples_share_the_time_that_is_left(small, monkeypatch):
    limits = []
    monkeypatch.setattr(measurement, "PLANNED", (17, 18))
    monkeypatch.setattr(
        measurement, "sample", lambda *_, limit, **more: limits.append(limit) or taken)
    taken = planning.sample(14)
    made = measurement.Engines(Session(Plan("some", ("engines",), {"budget": 240})))
    for step in made.steps():
        made.measure(step)
    assert limits == [pytest.approx(share, rel=0.1) for share in (60, 80, 120, 150)]
    made.session.start -= made.session.left - 70
    made.measure(made.steps()[0])
    assert limits[-2:] == pytest.approx([measurement.SHORTEST, 70 / 3], rel=0.1)
    made.session.start -= 70
    assert made.measure(made.steps()[0]) == []


def test_a_budget_that_cannot_be_kept_is_refused(monkeypatch):
    monkeypatch.setitem(presets(), "some", {"budget": 150, "experiments": ["engines"]})
    with pytest.raises(ValueError, match="budget must be at least 150 s with the experiment "
                       "engines, not 5"):
        run("some", budget=5)
