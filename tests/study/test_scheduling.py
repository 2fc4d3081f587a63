"""The simulated schedule, in cases that can be computed by hand."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nqbench.study.scheduling import Site, simulate


def test_one_worker_does_one_task_after_the_other():
    outcome = simulate(Site(1, dispatch=0.0, failures=0.0), 10, 60.0, [1.0])
    assert (outcome.efficiency, outcome.wall, outcome.failed) == (1.0, 600.0, 0)


def test_what_does_not_divide_evenly_is_waited_for():
    outcome = simulate(Site(4, dispatch=0.0, failures=0.0), 6, 10.0, [1.0])
    assert outcome.wall == 20.0
    assert outcome.efficiency == 6 / 8


def test_a_slow_scheduler_sets_the_pace():
    outcome = simulate(Site(1000, dispatch=0.1, failures=0.0), 5000, 1.0, [1.0])
    assert outcome.wall == pytest.approx(5000 * 0.1 + 1)
    assert outcome.efficiency < 0.011


def test_tasks_on_the_way_hide_a_quick_scheduler():
    outcome = simulate(Site(10, dispatch=0.05, failures=0.0), 1000, 1.0, [1.0])
    assert outcome.efficiency > 0.99


def test_the_same_seed_gives_the_same_run():
    site = Site(50, dispatch=0.01, failures=1.0)
    first, second, other = (simulate(site, 2000, 30.0, [0.5, 1.0, 1.5], seed)
                            for seed in (1, 1, 2))
    assert first == second != other


def test_failures_cost_what_they_cost():
    """A task of 100 s that fails at random loses 50 s and the time of the repair."""
    site = Site(200, dispatch=0.0, failures=1.0, noticed=10.0, repaired=20.0)
    outcome = simulate(site, 200 * 360, 100.0, [1.0])
    hours = outcome.wall / 3600 * 200
    assert outcome.failed == pytest.approx(hours, rel=0.05)
    lost = outcome.failed * (50 + 20) / (hours * 3600)
    assert outcome.efficiency == pytest.approx(1 - lost, abs=0.01)


def test_what_was_lost_is_done_by_whoever_is_free_once_that_is_noticed(monkeypatch):
    """Two tasks of 100 s; one worker fails at 50 s for good, which is noticed at 350 s."""
    lives = iter([50.0, inf, inf])
    monkeypatch.setattr("nqbench.study.scheduling._Run.lifetime", lambda run: next(lives))
    site = Site(2, dispatch=0.0, failures=1.0, noticed=300.0, repaired=1e6)
    assert simulate(site, 2, 100.0, [1.0]).wall == 450.0


@given(workers=st.integers(1, 20), tasks=st.integers(1, 200), failures=st.floats(0, 20),
       dispatch=st.floats(0, 1), seed=st.integers(0, 9))
def test_every_task_is_done_whatever_fails(workers, tasks, failures, dispatch, seed):
    site = Site(workers, dispatch, failures, noticed=5.0, repaired=7.0)
    outcome = simulate(site, tasks, 20.0, [1.0], seed)
    work = outcome.efficiency * outcome.wall * workers
    assert work == pytest.approx(tasks * 20.0)
    assert outcome.wall >= tasks * 20.0 / workers * (1 - 1e-9)
