"""What Python threads gain: a study measures it, and the page shows it."""

from types import SimpleNamespace

import pandas as pd
import pytest
from kept import said_of

from nqbench.engine import cores
from nqbench.records.record import parse, to_line
from nqbench.study.experiments import Session
from nqbench.study.files import make_preset
from nqbench.topics.threads import measurement, section


def experiment(**more):
    return measurement.Threads(Session("some", make_preset(**{
        "experiments": ["threads"], "n": [4, 5], "samples": 3, **more})))


def test_one_thread_and_one_for_each_core_take_turns():
    made = experiment()
    records = [record for step in made.steps() for record in made.run(step)]
    assert [(record["n"], len(record["samples"])) for record in records] == [(4, 3), (5, 3)]
    assert all(alone > 0 < shared for record in records for alone, shared in record["samples"])
    assert {(record["jobs"], record["gil"]) for record in records} == {
        (cores(), measurement.has_gil())}
    assert [parse(to_line(record)) for record in records] == [(record, "") for record in records]


def test_a_record_has_what_the_topic_says():
    (record,) = experiment(n=[4]).measure(experiment(n=[4]).steps()[0])
    for name, value in (("gil", "yes"), ("jobs", 0), ("samples", [[0.1]]), ("status", "failed")):
        assert name in parse(to_line({**record, name: value}))[1]


def test_a_step_with_a_record_is_complete():
    made = experiment()
    first, second = made.steps()
    made.session.records.extend(made.run(first))
    assert (made.is_complete(first), made.is_complete(second)) == (True, False)


def test_without_time_there_is_one_round():
    made = experiment(budget=1e-6)
    (record,) = made.run(made.steps()[0])
    assert len(record["samples"]) == 1


@pytest.mark.parametrize(("found", "has"), [(True, True), (False, False)])
def test_the_interpreter_says_whether_it_has_its_lock(found, has, monkeypatch):
    monkeypatch.setattr("sys._is_gil_enabled", lambda: found, raising=False)
    assert measurement.has_gil() is has


def shared(gil=True, times=2.0, n=10, samples=None, **more):
    """A record in which two threads are `times` as fast as one."""
    return {"metric": "shared", "status": "measured", "n": n, "jobs": 2, "gil": gil,
            "python": f"CPython 3.13.0{'' if gil else 't'}", "machine": "aaaa0000", "run": "1",
            "processor": "one", "samples": samples or [[0.2 * times, 0.2]] * 6, **more}


def gains(*records):
    return section.thread_gains(pd.DataFrame(records))


def test_gains_are_ratios_round_by_round():
    (row,) = gains(shared(samples=[(2, 1), (4, 1), (9, 3)])).to_dict("records")
    assert (row["alone"], row["shared"], row["times"], row["samples"]) == (4, 1, 3, 3)
    assert row["low"] <= row["times"] <= row["high"]


def test_the_newest_record_of_each_interpreter_counts():
    found = gains(
        shared(), shared(times=3, run="2"), shared(gil=False), shared(n=9),
        shared(python="CPython 3.12.0"), shared(machine="bbbb1111"),
        shared(times=9, run="3", metric="seconds"))
    assert len(found) == 5
    (row,) = found[found["gil"] & (found["n"] == 10) & (found["python"] == "CPython 3.13.0")
                   & (found["machine"] == "aaaa0000")].to_dict("records")
    assert row["times"] == pytest.approx(3)


def text(*records):
    return " ".join(said_of("threads", SimpleNamespace(records=pd.DataFrame(records))).split())


def test_both_kinds_of_interpreter_are_compared_at_the_largest_n():
    said = text(shared(False, 1.9), shared(True, 0.98), shared(False, 1.2, n=8))
    assert "2 Python threads: 1.9 times as fast without the GIL, no gain with it" in said
    assert "adds its rows" not in said
    assert 'data-value="0.38"' in said
    assert "380 ms" in said


@pytest.mark.parametrize(("gil", "finding"), [
    (True, "2 Python threads: no gain with the GIL<"),
    (False, "2 Python threads: no gain without the GIL<")])
def test_with_one_kind_the_page_says_how_to_add_the_other(gil, finding):
    said = text(shared(gil, 0.98))
    assert finding in said
    assert "run with the other kind of interpreter, adds its rows" in said


def test_without_records_there_is_no_section():
    found = pd.DataFrame([shared(metric="seconds")])
    assert section.make_threads(SimpleNamespace(records=found)) is None
