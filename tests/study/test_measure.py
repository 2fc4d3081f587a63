"""Samples are long enough to be timed, and the collector is off meanwhile."""

import gc
import time

from nqbench.study.measure import SHORTEST, calibrate, quiet, sample


def test_short_searches_are_repeated():
    seconds, loops, _ = calibrate(lambda: None)
    assert loops > 1000
    assert seconds * loops >= SHORTEST


def test_long_ones_are_not():
    assert calibrate(lambda: time.sleep(SHORTEST) or 92)[1:] == (1, 92)


def test_the_collector_is_off_and_comes_back():
    with quiet():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_sample_runs_its_loops():
    calls = []
    sample(lambda: calls.append(1), 7)
    assert len(calls) == 7
