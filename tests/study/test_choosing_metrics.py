"""A study measures the metrics that its preset, or whoever runs it, names."""

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import pytest
from conftest import measured

import nqbench
from nqbench import analysis
from nqbench.records import frame
from nqbench.records.descriptions import presets
from nqbench.report import builder, page
from nqbench.report.formats import format_command
from nqbench.report.sections import contents, sections
from nqbench.search.metrics import METRICS, counters
from nqbench.study import gauges as sources
from nqbench.study.experiments import Session, Step
from nqbench.study.plan import Plan, find_preset
from nqbench.topics.searches.measurement import Points, solvers

pytestmark = pytest.mark.slow

NAMES = ["nodes", "dead_levels", "peak_memory", "cycles"]


@pytest.fixture(scope="module", autouse=True)
def few():
    """A preset that takes a moment, in three processes, and no counters of events."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets(), "few", {
            "budget": 1000, "n": "4-5", "samples": 2, "processes": 3, "solvers": "symmetry",
            "shortest": 1e-5})
        patch.setattr(sources.PerfEvent, "explain_absence", lambda *_: "no counters")
        yield


def measure(folder, names, **more):
    found = nqbench.study.run("few", results=folder, metrics=names, **more)
    return found, measured(folder)


@pytest.fixture(scope="module")
def chosen(tmp_path_factory):
    """The folder of a study of these metrics, its frame, its records and what it told."""
    folder, told = tmp_path_factory.mktemp("chosen"), []
    found, records = measure(folder, NAMES, progress=lambda what, *_: told.append(what))
    return folder, found, records, told


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """The records of a study of the default metrics."""
    return measure(tmp_path_factory.mktemp("counted"), None, processes=1)[1]


def test_a_study_measures_what_it_is_asked_for(chosen):
    _, found, records, _ = chosen
    assert {record["metric"] for record in records} == {"seconds", "solutions", *NAMES}
    assert all(record["metrics"] == NAMES for record in records)

    memory = [record for record in records if record["metric"] == "peak_memory"
              and record["status"] == "measured"]
    assert {record["implementation"] for record in memory} == {"python"}
    assert Counter(record["process"] for record in memory) == {
        process: len(memory) / 3 for process in range(3)}
    absences = [record for record in records if record["status"] == "not available"]
    assert {(record["metric"], record["n"], *record["samples"]) for record in absences} == {
        ("cycles", 0), ("peak_memory", 0)}
    assert len(absences) == 2  # once each

    gauges = analysis.gauges(found)
    assert len(gauges) == len(memory) / 3
    assert (gauges["peak_memory"] > 100).all()
    assert (gauges["peak_memory_low"] <= gauges["peak_memory_high"]).all()
    assert gauges["cycles"].isna().all()
    assert set(analysis.not_available(found)["metric"]) == {"cycles", "peak_memory"}


def test_the_times_are_taken_before_anything_else_and_elsewhere(chosen):
    told = chosen[-1]
    again = next(place for place, pair in enumerate(pairwise(told), 1)  # the second process
                 if [text[:5] for text in pair] == ["n = 5", "n = 4"])
    for n in (4, 5):
        mine = [text for text in told[:again] if text.startswith(f"n = {n}, ")]
        beside = [place for place, text in enumerate(mine) if "peak_memory" in text]
        timed = [place for place, text in enumerate(mine)
                 if "round" in text and place not in beside]
        assert max(timed) < min(beside)


def test_by_default_a_study_measures_all_counters_and_no_gauges(counted):
    """No search of this preset reports scans."""
    assert {record["metric"] for record in counted} == {
        "seconds", "solutions", *(counter.name for counter in counters())} - {"scans"}
    assert not any("metrics" in record for record in counted)


def test_without_counters_nothing_is_searched_once_more():
    plan = Plan("mine").but(metrics=("seconds",), n=(4,))
    points = Points(Session(plan))
    (solver, *_) = solvers(4, plan)
    assert not points.is_profiled(solver)


def test_what_exceeds_the_budget_is_left_out_and_the_time_is_not(monkeypatch, tmp_path):
    monkeypatch.setitem(presets(), "few", {
        "budget": 30, "n": 4, "samples": 1, "processes": 1, "solvers": "symmetry",
        "shortest": 1e-5})
    monkeypatch.setattr(Points, "gauge_cost", lambda *_: 1e3)
    _, records = measure(tmp_path, ["peak_memory"])
    statuses = {(record["metric"], record["status"]) for record in records}
    assert statuses == {("seconds", "measured"), ("solutions", "measured"),
                        ("peak_memory", "left out"), ("peak_memory", "not available")}
    assert all(record["reason"] for record in records if record["status"] == "left out")
    session = Session(find_preset("few").but(metrics=("peak_memory",)), before=records)
    assert Points(session).is_complete(Step(4))


def test_a_page_shows_the_gauges_and_what_is_not_available(chosen):
    made = builder.read(chosen[0])
    section = page.part(made, "gauges")
    assert METRICS["peak_memory"].meaning in section
    assert "no counters" in section
    assert list(made.tables["gauges"]) == [
        "algorithm", "implementation", "n", "jobs", "peak_memory", "peak_memory_low",
        "peak_memory_high"]
    assert set(made.tables["not_available"]["metric"]) == {"peak_memory", "cycles"}
    assert format_command(made.machine) == (
        "nqbench study --preset few --budget 1000 --metrics nodes,dead_levels,peak_memory,cycles")


def test_a_page_of_a_part_of_the_counters_shows_these(counted):
    for names, table, drawn in ((["tests"], False, False),
                                (["nodes", "tests", "comparisons"], True, True)):
        shown = frame([record for record in counted
                       if record["metric"] in ("seconds", "solutions", *names)])
        made = contents(shown)
        assert ("counters" in made.tables, "work" in made.figures) == (table, drawn)


def test_records_without_gauges_have_no_section():
    assert sections()["gauges"].part(SimpleNamespace(main=frame([]))) is None
