"""Two clocks time a search; samples are long enough, and what disturbs them is seen."""

import os
import shlex
import subprocess
import sys
import threading
import time

import pytest

from nqbench.errors import MiscountError
from nqbench.problems.plugins.programs import Counted, Program
from nqbench.util import clocks
from nqbench.util.clocks import (
    SHORTEST,
    Calibration,
    Reading,
    Sample,
    calibrate,
    choose_loops,
    orders,
    sample,
)

LINUX = pytest.mark.skipif(not clocks.SCHEDULED.is_file(), reason="no schedstat")


def work(seconds=0.02):
    """Keep the processor busy."""
    start = time.thread_time()
    while time.thread_time() < start + seconds:
        pass


def loops_of(search):
    return choose_loops([calibrate(search)])[0]


def test_only_short_searches_are_repeated():
    made = calibrate(lambda: None)
    assert made.least * choose_loops([made])[0] >= SHORTEST
    assert loops_of(lambda: None) > 1000
    assert loops_of(lambda: work(SHORTEST)) == 1


def test_what_the_first_search_builds_does_not_make_it_a_long_one():
    calls = []
    assert loops_of(lambda: calls.append(1) or len(calls) > 1 or work(0.01)) > 100


def test_one_interrupted_run_decides_no_loops(monkeypatch):
    """The first run, and two of each three that follow, are interrupted for a second."""
    taken = iter([1.0] + [1.0, 0.001, 1.0] * 9)
    monkeypatch.setattr(clocks, "sample", lambda search, loops=1: Sample(
        1.0, next(taken), 0.0, 0, 92))
    monkeypatch.setattr(clocks, "LONG", 1000)
    assert choose_loops([calibrate(None)]) == [5]


def test_the_first_search_is_timed_in_all_threads():
    took = []

    def search():
        thread = threading.Thread(target=lambda: took.append(work() or time.thread_time()))
        thread.start()
        thread.join()

    assert calibrate(search).first >= took[0] > 0


def test_threads_at_the_same_time_count_as_the_time_that_passes(monkeypatch):
    monkeypatch.setattr(clocks, "sample", lambda search: Sample(2.0, 5.0, 0.0, 0, Counted(92)))
    assert calibrate(None) == Calibration(2.0, 2.0, 92, 2.0, True)


def test_searches_that_take_about_as_long_are_repeated_as_often():
    """A boundary between two numbers of loops lies between no two of them."""
    made = [Calibration(each, each, 92, each, False) for each in (0.00499, 0.00501, 0.02, 1e-5)]
    assert choose_loops(made) == [2, 2, 1, 500]
    assert choose_loops([made[0]._replace(is_program=True), made[3]]) == [1, 500]


@pytest.mark.parametrize(("many", "rounds"), [(1, 5), (2, 6), (3, 7), (7, 3), (0, 2)])
def test_the_order_is_shuffled_by_the_seed_and_each_search_has_each_place_as_often(many, rounds):
    found = orders(many, rounds, "seed")
    assert [sorted(order) for order in found] == [[*range(many)]] * rounds
    assert found == orders(many, rounds, "seed")
    for first in range(0, rounds - many + 1, many or rounds):
        square = found[first:first + many]
        assert all(len(set(column)) == many for column in zip(*square, strict=True))
    assert len({str(orders(7, 3, str(seed))) for seed in range(9)}) == 9


def test_a_sample_has_both_clocks():
    calls = []
    taken = sample(lambda: calls.append(1) or work(0.01) or len(calls), 3)
    assert (taken.found, len(calls)) == (3, 3)
    assert 0.01 <= taken.processor < 0.02
    assert taken.wall > 0
    assert taken.seconds() == taken.processor != taken.seconds("wall") == taken.wall


@LINUX
def test_waiting_for_a_processor_is_seen_and_moves_no_processor_time():
    """A busy loop shares the core."""
    core, allowed = min(os.sched_getaffinity(0)), os.sched_getaffinity(0)
    with subprocess.Popen([sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{core}}})\n"
                           "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE) as other:
        try:
            other.stdout.readline()
            os.sched_setaffinity(0, {core})
            taken = sample(lambda: work(0.2))
        finally:
            os.sched_setaffinity(0, allowed)
            other.kill()
    assert taken.disturbed
    assert taken.waited > 0.2
    assert taken.losses > 0
    assert taken.wall > 1.2 * taken.processor


@LINUX
def test_a_search_that_sleeps_does_not_wait_for_a_processor():
    """On a busy machine it may wait before it sleeps, and when it wakes."""
    taken = min((sample(lambda: time.sleep(0.1)) for _ in range(5)), key=lambda one: one.waited)
    assert taken.wall > 0.1 > 0.05 > taken.processor
    assert taken.waited < 0.1


@pytest.mark.parametrize(("threads", "losses", "waited"), [
    (1, 0, 0.0), (1, None, None), (1, 2, 0.2), (1, 99, 0.6), (2, 99, 0.8)])
def test_where_the_system_does_not_say_lost_processors_tell(monkeypatch, threads, losses, waited):
    """Of one second, 0.4 were on a processor. Nobody knows whether a search that lost none slept.
    """
    readings = iter([Reading(0.0, 0.0, 0.0, None, None if losses is None else 0),
                     Reading(1.0, 0.4, 0.0, None, losses)])
    monkeypatch.setattr(Reading, "take", lambda last: next(readings))
    taken = sample(lambda: 92, threads=threads)
    assert taken.waited == waited
    assert taken.disturbed == (waited != 0.0)


@pytest.mark.parametrize("ends", [(-1.0, 0.4, 0.0), (1.0, -0.4, 0.0)])
def test_a_clock_that_goes_back_gives_no_time(monkeypatch, ends):
    readings = iter([Reading(0.0, 0.0, 0.0, 0.0, 0), Reading(*ends, 0.0, 0)])
    monkeypatch.setattr(Reading, "take", lambda last: next(readings))
    with pytest.raises(MiscountError, match="went back"):
        sample(lambda: 92)


def test_clocks_that_stand_still_are_noticed(monkeypatch):
    monkeypatch.setattr(Reading, "take", lambda last: Reading(5.0, 1.0, 0.0, None, None))
    assert sample(lambda: 92)[:4] == (0.0, None, None, None)
    with pytest.raises(MiscountError, match=r"stand still: [0-9,]+ searches take no time"):
        calibrate(lambda: 92)


def test_without_processor_time_the_time_that_passes_counts(monkeypatch):
    monkeypatch.setattr(clocks, "spent", lambda: 1.0)
    taken = sample(work)
    assert taken.processor is None
    assert taken.seconds() == taken.wall >= 0.02


def test_what_the_system_does_not_have_is_not_read(monkeypatch, tmp_path):
    monkeypatch.setattr(clocks, "SCHEDULED", tmp_path)
    monkeypatch.setitem(sys.modules, "resource", None)
    reading = Reading.take(last=True)
    assert (reading.children, reading.waited, reading.losses) == (0.0, None, None)


def test_a_program_is_timed_by_its_own_processes():
    """It starts another one, which does the work."""
    busy = "import time\nwhile time.process_time() < 0.2: pass"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}]); print(92)"
    program = Program(name="mine", command=shlex.join([sys.executable, "-c", code]),
                      count=r"(\d+)")
    taken = sample(lambda: program.run(8))
    assert taken.found == 92
    assert 0.2 < taken.processor <= taken.wall * 1.1
