"""Searches take turns in a separate process, which reports its progress and can be killed."""

import gc
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from programs import PATIENCE, within_a_second

from nqbench.problems import SolverKey
from nqbench.problems.sudoku import data_set
from nqbench.study import worker
from nqbench.study.samples import STATE
from nqbench.study.worker import Search, Timed, Worker, in_turns
from nqbench.topics.searches.measurement import Point

SOMERS = Search("somers", SolverKey("somers", "cython"), 2, n=8)
PUZZLES = tuple("".join(map(str, grid.digits)) for grid in data_set("easy50")[:3])


@pytest.fixture
def measuring():
    made = Worker()
    yield made
    made.stop()


def test_rounds_are_taken_in_turns(measuring):
    told = []
    cross = Search("cross", SolverKey("cross", "cython", "portable", 1), 2, n=8)
    somers, crossed = measuring.measure([SOMERS, cross], 0.001, told.append)
    assert told[:2] == ["warm-up: somers", "warm-up: cross"]
    assert told[2:] in ([f"round {turn} of 2: {name}" for turn, names in (
        (1, order), (2, order[::-1])) for name in names] for order in (
            ["somers", "cross"], ["cross", "somers"]))
    assert [somers.state["place"][0], somers.state["place"][1]] == crossed.state["place"][::-1]
    assert (2 * somers.found, crossed.found) == (92, 92)
    assert somers.loops > 1
    assert [len(somers.samples), len(crossed.samples)] == [2, 2]
    assert min(*somers.samples, *crossed.samples) > 0


@pytest.mark.parametrize(("search", "clock", "other"), [
    (replace(SOMERS, rounds=3), "processor", "wall"),
    (Search("", SolverKey("cross", "cython", "portable", 2), 2, n=10, threads=2), "wall",
     "processor")])
def test_the_other_clock_and_the_state_of_the_machine_come_with_the_samples(
        measuring, search, clock, other):
    """A search of several threads is timed by what passes."""
    (timed,) = measuring.measure([search], 0.01, lambda text: None)
    assert timed.state.keys() == STATE.keys() - {clock}
    assert timed.state["clock"] == clock
    assert {len(timed.state[name]) for name in (other, "waited", "losses", "place")} == {
        search.rounds}
    assert min(timed.state[other]) > 0
    assert clock == "processor" or timed.wall == timed.samples
    assert Timed(1, []).state == STATE


def test_it_is_a_process_of_its_own_that_stays(measuring):
    measuring.measure([SOMERS], 0.001, lambda text: None)
    first = measuring.child.process.pid
    measuring.measure([SOMERS], 0.001, lambda text: None)
    assert measuring.child.process.pid == first != os.getpid()
    assert measuring.overhead > 0
    measuring.stop()
    measuring.measure([SOMERS], 0.001, lambda text: None)
    assert measuring.child.process.pid != first


def test_the_overhead_is_what_is_neither_sample_nor_calibration_nor_waiting(monkeypatch):
    made, clock = Worker(patience=1.0), iter([0.0, 10.0])
    monkeypatch.setattr(worker, "now", lambda: next(clock))
    monkeypatch.setattr(made, "ask", lambda *arguments, hear, read: (
        [Timed(2, [1.0, 1.0], 4, calibrating=3.0)], 1.0, 0.5))
    made.measure([SOMERS], 0.001, lambda text: None)
    assert made.overhead == 10 - 3 - 2 * 2 - 0.5


def test_the_calibration_of_a_long_search_is_measured_which_no_later_process_repeats():
    (short,) = in_turns([SOMERS], 0.001, lambda text: None)
    (long,) = in_turns([SOMERS], 1e-9, lambda text: None)
    assert long.calibrating > 0 == short.calibrating


def test_puzzles_are_counted_too(measuring):
    sudoku = Search("fast", SolverKey("fast", "cython", problem="sudoku"), 1, instances=PUZZLES,
                    limit=2)
    (timed,) = measuring.measure([sudoku], 0.001, lambda text: None)
    assert timed.found == [1, 1, 1]


def test_nothing_to_measure_starts_nothing(measuring):
    assert measuring.measure([], 0.001, pytest.fail) == []
    assert measuring.child is None


@pytest.mark.parametrize(("searched", "first"), [
    ({"n": 8}, {"n": 5}), ({"instances": PUZZLES}, {"instances": PUZZLES[:1]})])
def test_known_loops_are_kept_after_a_small_warm_up(monkeypatch, searched, first):
    calls = []
    monkeypatch.setattr(Search, "function",
                        lambda search: lambda: calls.append((search, gc.isenabled())))
    search = Search("x", SOMERS.solver, 2, loops=3, **searched)
    (timed,) = in_turns([search], 1.0, lambda text: None)
    assert (timed.loops, len(timed.samples), timed.found) == (3, 2, None)
    # The collector is off, and comes back.
    assert calls == [(replace(search, **first), False)] + [(search, False)] * 6
    assert gc.isenabled()


def test_what_each_sample_finds_is_compared_with_the_first_search(monkeypatch):
    answers = iter([9, 4, 4, 4, 0, 4])  # the first is the warm-up
    monkeypatch.setattr(Search, "function", lambda search: lambda: next(answers))
    (timed,) = in_turns([Search("x", SOMERS.solver, 5, n=8, loops=1)], 1.0, lambda text: None)
    assert (timed.found, len(timed.samples), timed.fault) == (4, 5, "round 4 found 0, not 4")


def test_what_is_known_is_compared_too(monkeypatch):
    monkeypatch.setattr(Search, "function", lambda search: lambda: 4)
    known = [Search("x", SOMERS.solver, 2, n=8, loops=1, expected=total) for total in (4, 46)]
    assert Point(SOMERS.solver.find(), 8, 0.0, found=46).search(2, 5.0).expected == 46
    right, wrong = in_turns(known, 1.0, lambda text: None)
    assert (right.fault, wrong.fault) == ("", "round 1 found 4, not 46")


def test_fewer_rounds_end_sooner():
    once, twice = in_turns([Search("once", SolverKey("somers", "cython"), 1, n=4), SOMERS], 0.0001,
                           lambda text: None)
    assert (len(once.samples), len(twice.samples)) == (1, 2)


def test_a_bug_is_shown_with_its_traceback(measuring):
    broken = Search("broken", SOMERS.solver, 1, n="8")
    with pytest.raises(RuntimeError, match=r"(?s)in a child process.*Traceback"):
        measuring.measure([broken], 0.001, lambda text: None)
    assert len(measuring.measure([SOMERS], 0.001, lambda text: None)) == 1


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")
def test_ctrl_c_stops_a_long_search_within_a_second():
    """The signal reaches the whole group, as from a keyboard; the process that measures is killed
    by the one that started it.
    """
    code = ("import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "from nqbench.study.worker import Search, SolverKey, Worker\nmeasuring = Worker()\n"
            "def say(text):\n    print(measuring.child.process.pid, flush=True)\n"
            "search = Search('', SolverKey('somers', 'cython'), 1, n=20)\n"
            "try:\n    measuring.measure([search], 1, say)\n"
            "finally:\n    measuring.stop()\n")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, start_new_session=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}) as process:
        child = int(process.stdout.readline())
        time.sleep(0.1)
        with within_a_second(process):
            os.killpg(process.pid, signal.SIGINT)
            errors = process.communicate(timeout=PATIENCE)[1]
    assert errors.count("KeyboardInterrupt") == 1  # none from the child
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
