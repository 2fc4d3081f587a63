"""Samples are long enough to be timed, and the collector is off meanwhile."""

import gc
import threading
import time

import pytest

from nqbench.problems.plugins.programs import Counted
from nqbench.search.implementations import quiet
from nqbench.study import samples
from nqbench.study.samples import SHORTEST, Reference, Taken, calibrate, sample


def test_only_short_searches_are_repeated():
    seconds, loops, *_ = calibrate(lambda: None)
    assert loops > 1000
    assert seconds * loops >= SHORTEST
    assert calibrate(lambda: time.sleep(SHORTEST) or 92)[1:3] == (1, 92)


def test_what_the_first_search_builds_does_not_make_it_a_long_one():
    calls = []
    seconds, loops, *_ = calibrate(lambda: calls.append(1) or len(calls) > 1 or time.sleep(0.01))
    assert loops > 100
    assert seconds < 0.001


def test_the_first_search_is_timed_in_all_threads():
    took = []

    def work():
        sum(range(10**5))
        took.append(time.thread_time())

    def search():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()

    *_, first = calibrate(search)
    assert first >= took[0]


def test_threads_at_the_same_time_count_as_the_time_that_passes(monkeypatch):
    monkeypatch.setattr(samples, "process_time", iter([0.0, 5.0]).__next__)
    monkeypatch.setattr(samples, "_timed", lambda search: (2.0, Counted(92)))
    assert calibrate(None) == (2.0, 1, 92, 2.0)


class Machine:
    """A reference that takes the given seconds, one after the other."""

    def __init__(self, monkeypatch, *seconds):
        self.seconds = iter(seconds)
        self.samples = iter(range(1, 100))
        monkeypatch.setattr(samples, "_timed", lambda search: (next(self.seconds), None))
        monkeypatch.setattr(samples, "sample", lambda search, loops: (next(self.samples), 0))
        monkeypatch.setattr(samples, "sleep", lambda seconds: None)


def test_a_sample_is_taken_again_while_the_machine_is_disturbed(monkeypatch):
    """Before: fast. After the first: slow, twice. Then slow, twice, and fast; after it: fast."""
    Machine(monkeypatch, 1.0, 1.5, 1.4, 1.5, 1.5, 1.0, 1.0)
    reference = Reference(fastest=1.0, patience=9.0)
    assert reference.sample(None, 1) == Taken(2, 0, None, repeated=1, disturbed=False)


def test_a_short_interruption_is_no_disturbance(monkeypatch):
    Machine(monkeypatch, 1.0, 1.5, 1.0)
    assert Reference(fastest=1.0, patience=9.0).sample(None, 1)[:2] == (1, 0)


def test_patience_ends(monkeypatch):
    Machine(monkeypatch, *[1.5] * 1000)
    reference = Reference(fastest=1.0, patience=2.0)
    assert reference.sample(None, 1) == Taken(1, 0, None, repeated=0, disturbed=True)
    assert reference.patience <= 0
    assert reference.sample(None, 1) == Taken(2, 0, None, repeated=0, disturbed=True)


@pytest.mark.parametrize(("patience", "found"), [
    (9.0, Taken(3, 0, 0.1, repeated=2, disturbed=False)),
    (0.0, Taken(1, 0, 0.4, repeated=0, disturbed=True))])
def test_a_sample_is_taken_again_if_others_took_too_much_of_its_cores(
        monkeypatch, patience, found):
    Machine(monkeypatch, *[1.0] * 10)
    reference, shares = Reference(patience=patience), iter([0.4, 0.11, 0.1])
    monkeypatch.setattr(reference.conditions, "judge", lambda: next(shares))
    assert reference.sample(None, 1) == found


def test_the_fastest_reference_is_remembered(monkeypatch):
    Machine(monkeypatch, 1.0, 0.8)
    reference = Reference(patience=9.0)
    reference.sample(None, 1)
    assert reference.fastest == 0.8


def test_the_collector_is_off_and_comes_back():
    with quiet():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_sample_runs_its_loops():
    calls = []
    seconds, last = sample(lambda: calls.append(1) or len(calls), 7)
    assert (len(calls), last) == (7, 7)
    assert seconds > 0
