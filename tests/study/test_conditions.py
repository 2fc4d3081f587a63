"""The cores of a search, and what else the machine does during a sample."""

import os
import subprocess
import sys
import time

import psutil
import pytest

from nqbench.problems.plugins.limits import Limits, explain_unlimited
from nqbench.study import conditions, worker
from nqbench.study.conditions import STATE, Conditions
from nqbench.study.worker import Search, SolverKey, Worker, in_turns

PINS = pytest.mark.skipif("cores" in explain_unlimited(), reason="it cannot be pinned")
SOMERS = SolverKey("somers", "cython")


@PINS
def test_a_search_keeps_to_as_many_cores_as_it_has_threads(monkeypatch):
    allowed, seen = os.sched_getaffinity(0), []
    monkeypatch.setattr(Search, "function",
                        lambda search: lambda: seen.append(len(os.sched_getaffinity(0))))
    two = min(2, len(allowed))
    searches = [Search(str(threads), SOMERS, 1, n=4, loops=1, threads=threads)
                for threads in (1, two, 1)]
    timed = in_turns(searches, 0.001, lambda text: None)
    assert seen == [1, two, 1] * 2  # they warm up, too
    assert [len(one.state["pinned"]) for one in timed] == [1, two, 1]
    assert os.sched_getaffinity(0) == allowed
    monkeypatch.setattr(Limits, "kept", 0)
    in_turns(searches, 0.001, lambda text: None)
    assert seen[6:] == [len(allowed)] * 6


@PINS
def test_the_share_of_others_is_what_they_took_of_these_cores(monkeypatch):
    """A process of another session, which nobody here started, takes half of a core."""
    with Conditions() as found, subprocess.Popen(
            [sys.executable, "-c", "while True: pass"]) as other:
        try:
            found.pin(1)
            psutil.Process(other.pid).cpu_affinity(found.cores)
            monkeypatch.setattr(psutil.Process, "children", lambda self, recursive: [])
            found.begin()
            end = time.perf_counter() + 1
            while time.perf_counter() < end:
                pass
            assert found.judge() > 0.2
        finally:
            other.kill()


def test_what_this_process_started_is_not_others(monkeypatch):
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as mine:
        try:
            before = conditions._read_own()
            while conditions._read_own() < before + 0.2:
                time.sleep(0.05)
        finally:
            mine.kill()


def test_a_window_is_not_shorter_than_the_clock_allows(monkeypatch):
    found, readings = Conditions(), iter([(0.1, 5.0), (1.1, 5.5), (9.0, float("nan"))])
    found.cores, found.window = [0, 1], (0.0, 1.0)
    monkeypatch.setattr(found, "_read", readings.__next__)
    monkeypatch.setattr(conditions, "perf_counter", iter([0.1, 0.2, 0.4, 1.1, 9.0]).__next__)
    found.begin()
    assert (found.judge(), found.window) == (None, (0.0, 1.0))
    found.begin()
    assert (found.judge(), found.judge()) == (0.25, None)  # the second: not known


def test_without_affinity_a_search_has_all_cores_and_the_reason_is_known(monkeypatch):
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    cached = explain_unlimited, conditions.rank_cores
    for function in cached:
        function.cache_clear()
    try:
        with Conditions() as found:
            found.pin(1)
            assert found.describe()["pinned"] is None
            assert len(found.cores) == psutil.cpu_count()
            assert "sched_setaffinity" in explain_unlimited()["cores"]
    finally:
        for function in cached:
            function.cache_clear()


def test_what_the_machine_does_not_say_is_not_made_up(monkeypatch):
    def refuse(*arguments, **named):
        raise NotImplementedError

    monkeypatch.setattr(psutil, "cpu_freq", refuse)
    monkeypatch.delattr(os, "getloadavg", raising=False)
    found = Conditions().describe()
    assert (found["load"], found["mhz"]) == (None, None)


def test_the_state_of_the_machine_comes_with_the_samples():
    made = Worker()
    try:
        (timed,) = made.measure([Search("", SOMERS, 3, n=8)], 0.2, lambda text: None)
    finally:
        made.stop()
    assert timed.state.keys() == STATE.keys()
    assert len(timed.state["others"]) == 3
    assert any(share is not None for share in timed.state["others"])
    assert worker.Timed(1, []).state == STATE
