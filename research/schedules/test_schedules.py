"""The simulation of a cluster, which says how long its tasks should be."""

from math import inf

import pytest
import schedules
from hypothesis import given
from hypothesis import strategies as st
from schedules import Site, simulate


@pytest.mark.parametrize(("workers", "dispatch", "tasks", "length", "wall"), [
    (1, 0.0, 10, 60.0, 600.0), (4, 0.0, 6, 10.0, 20.0),  # two wait for the others
    (1000, 0.1, 5000, 1.0, 501.0),  # a slow scheduler sets the pace
    (10, 0.05, 1000, 1.0, 100.5)])  # tasks on the way hide a quick one
def test_without_failures_workers_wait_for_tasks_and_for_each_other(
        workers, dispatch, tasks, length, wall):
    outcome = simulate(Site(workers, dispatch, failures=0.0), tasks, length, [1.0])
    assert (outcome.wall, outcome.failed) == (pytest.approx(wall, rel=1e-3), 0)
    assert outcome.efficiency == pytest.approx(tasks * length / outcome.wall / workers)


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
    monkeypatch.setattr(schedules._Run, "lifetime", lambda run: next(lives))
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
