"""A study measures what Python threads gain."""

import pytest

from nqbench.engine import cores
from nqbench.records.record import parse, to_line
from nqbench.study.experiments import threads
from nqbench.study.files import make_preset
from nqbench.study.session import Session


def experiment(**more):
    return threads.EXPERIMENT(Session("some", make_preset(**{
        "experiments": ["threads"], "n": [4, 5], "samples": 3, **more})))


def test_one_thread_and_one_for_each_core_take_turns():
    made = experiment()
    records = [record for step in made.steps() for record in made.run(step)]
    assert [(record["n"], len(record["samples"])) for record in records] == [(4, 3), (5, 3)]
    assert all(alone > 0 < shared for record in records for alone, shared in record["samples"])
    assert {(record["jobs"], record["gil"]) for record in records} == {(cores(), threads.has_gil())}
    assert [parse(to_line(record)) for record in records] == [(record, "") for record in records]


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
    assert threads.has_gil() is has
