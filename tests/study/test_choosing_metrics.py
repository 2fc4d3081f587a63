"""A study measures the metrics that its preset, or whoever runs it, names."""

from collections import Counter

import pytest
from conftest import measured

import nqbench
from nqbench.problems import SolverKey
from nqbench.records import frame
from nqbench.records.descriptions import presets
from nqbench.report import builder
from nqbench.report.formats import format_command
from nqbench.report.sections import contents
from nqbench.search.metrics import counters
from nqbench.study.experiments import Session
from nqbench.study.plan import Plan
from nqbench.topics.searches.measurement import Points, solvers

pytestmark = pytest.mark.slow

NAMES = ["nodes", "dead_levels", "cpu_seconds"]


@pytest.fixture(scope="module", autouse=True)
def few():
    """A preset that takes a moment, in three processes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets(), "few", {
            "budget": 1000, "n": "4-5", "samples": 2, "processes": 3, "solvers": "symmetry",
            "shortest": 1e-5})
        yield


def measure(folder, names, **more):
    nqbench.study.run("few", results=folder, metrics=names, **more)
    return measured(folder)


@pytest.fixture(scope="module")
def chosen(tmp_path_factory):
    """The folder of a study of these metrics, and its records."""
    folder = tmp_path_factory.mktemp("chosen")
    return folder, measure(folder, NAMES)


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """The records of a study of the default metrics."""
    return measure(tmp_path_factory.mktemp("counted"), None, processes=1)


def test_a_study_measures_what_it_is_asked_for(chosen):
    _, records = chosen
    assert {record["metric"] for record in records} == {"seconds", "solutions", *NAMES}
    assert all(record["metrics"] == NAMES for record in records)


def test_the_processor_seconds_are_those_of_the_samples_of_the_times(chosen):
    _, records = chosen
    times, seconds = ({
        (SolverKey.of(record), record["n"], record["process"]): record for record in records
        if record["metric"] == metric} for metric in ("seconds", "cpu_seconds"))
    assert times.keys() == seconds.keys()
    assert Counter(process for *_, process in seconds) == {
        process: len(seconds) / 3 for process in range(3)}
    for point, record in seconds.items():
        clock = times[point]["clock"]
        assert record["samples"] == times[point]["samples" if clock == "processor" else "processor"]


def test_by_default_a_study_measures_all_counters_and_no_processor_seconds(counted):
    """No search of this preset reports scans."""
    assert {record["metric"] for record in counted} == {
        "seconds", "solutions", *(counter.name for counter in counters())} - {"scans"}
    assert not any("metrics" in record for record in counted)


def test_without_counters_nothing_is_searched_once_more():
    plan = Plan("mine").but(metrics=("seconds",), n=(4,))
    points = Points(Session(plan))
    (solver, *_) = solvers(4, plan)
    assert not points.is_profiled(solver)


def test_a_page_names_the_metrics_of_its_study(chosen):
    assert format_command(builder.read(chosen[0]).machine) == (
        "nqbench study --preset few --budget 1000 --metrics nodes,dead_levels,cpu_seconds")


def test_a_page_of_a_part_of_the_counters_shows_these(counted):
    for names, table, drawn in ((["tests"], False, False),
                                (["nodes", "tests", "comparisons"], True, True)):
        shown = frame([record for record in counted
                       if record["metric"] in ("seconds", "solutions", *names)])
        made = contents(shown)
        assert ("counters" in made.tables, "work" in made.figures) == (table, drawn)
