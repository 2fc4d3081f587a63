"""A plan is a multiplied sample: if everything is known, it must be exact."""

import json
from dataclasses import asdict

import pytest

from nqbench import engine
from nqbench.engine import division as dividing
from nqbench.engine import plans, processor
from nqbench.engine.plans import Draw, Prediction, Survey, plan, sample
from nqbench.problems.published import published

NORMAL = 1.96  # standard errors

pytestmark = pytest.mark.skipif(not engine.available(), reason="there is no compiled engine")


def made(parts, seconds, **changes):
    """A sample whose draws take these seconds, two from each range."""
    fields = {"n": 20, "parts": parts, "slices": 1, "kernel": "portable", "seed": 0, "shrunk": 1,
              "drawn": tuple(tuple(Draw(0, s, 5, 8) for s in row) for row in seconds)}
    return Survey(**{**fields, **changes})


@pytest.mark.parametrize(("n", "parts"), [
    (0, "only 1 part$"), (4, "only 1 part$"), (3, "only 0 parts$"), (12, "only 45 parts$")])
def test_too_few_parts_are_refused(n, parts):
    with pytest.raises(ValueError, match=parts):
        sample(n)


def test_the_sample_promises_about_what_there_is():
    taken = sample(17, 1)
    estimate, low, high = taken.solutions
    assert low < estimate < high
    # Five standard errors of 95 % intervals: chance does not reach them.
    assert abs(estimate - 95815104) < 5 * (high - low) / 2 / NORMAL
    assert (len(taken.drawn), len(taken.draws)) == (30, 120)
    assert (taken.n, taken.parts) == (17, 647)


@pytest.mark.parametrize(("algorithm", "shrunk"), [("cross", 64), ("join", 8 * 9)])
def test_slices_promise_what_the_whole_has(monkeypatch, algorithm, shrunk):
    """Where any trial is long enough, the finest slices are taken that have jobs at all: also of a
    count by the join that has slices already.
    """
    monkeypatch.setattr(plans, "TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(dividing, "MOST_SLICES", 64)
    monkeypatch.setattr(plans, "JOIN_ENOUGH", 0.0)
    monkeypatch.setattr(plans, "JOIN_FINER", 9)
    monkeypatch.setitem(dividing.JOIN_SLICES, 18, 3)
    taken = sample(18, 1, algorithm=algorithm)
    estimate, low, high = taken.solutions
    assert abs(estimate - 666090624) < 5 * (high - low) / 2 / NORMAL
    assert (taken.shrunk, taken.slices) == (shrunk, 3 if algorithm == "join" else 1)


@pytest.mark.parametrize(("limit", "drawn"), [(1e9, 120), (70.0, 60), (0.0, 4)])
def test_a_limit_draws_fewer_parts_if_they_take_longer(monkeypatch, limit, drawn):
    """Each part takes a second or two: 30, 15, 7, 3 or 1 ranges of four parts are drawn."""
    monkeypatch.setattr(plans, "draw_slices", lambda *rest: (
        lambda part: Draw(part, 1.0 + part % 2, 10, 4), 1))
    taken = sample(20, algorithm="join", limit=limit)
    assert len(taken.draws) <= drawn
    assert len(taken.draws) > 0.4 * drawn
    low, high = taken.seconds[1:]
    assert low <= 1.5 * taken.parts <= high


def test_an_interval_is_as_wide_as_the_ranges_that_vary_most_require():
    """Of two ranges of 3,000 parts one never varies: there are 3 degrees of freedom, not 6."""
    total, low, high = made(6000, [[1.0] * 4, [1.0, 2.0, 3.0, 4.0]]).seconds
    error = 3000 * (5 / 3 / 4) ** 0.5
    assert (total, (high - total) / error) == (10_500, pytest.approx(3.18245, rel=1e-5))
    assert total - low == pytest.approx(high - total)


def test_95_of_100_plans_hold_the_known_solutions(monkeypatch):
    """Their parts are few and differ much. Three standard errors of 600 plans are 2.7 %."""
    n = 14
    division = dividing.Division.new(n, "portable")
    memory = division.start_kernel("portable")
    ways = [processor.count_part(memory, division.engine, part, bytearray(1))
            for part in range(division.parts)]
    monkeypatch.setattr(plans, "draw_slices", lambda division, *rest: (
        lambda part: Draw(part, 1.0, ways[part], division.engine.images(part)), 1))
    held = 0
    for seed in range(600):
        _, low, high = sample(n, seed, kernel="portable").solutions
        held += low <= published("A000170")[n] <= high
    assert 0.92 < held / 600 < 0.98


@pytest.mark.parametrize(("n", "algorithm", "least", "most"), [
    (22, "join", 10**6, 10**9),  # its lists have some hundred thousand halves
    (18, "cross", 10**6, 10**7)])
def test_a_sample_tells_the_memory_of_a_thread(n, algorithm, least, most):
    assert least < sample(n, algorithm=algorithm, limit=0.0).memory < most


def test_each_job_of_the_join_is_in_one_part():
    for n in (0, 1, 9, 12):
        parts, single = (processor.find_core("join").Engine(n, jobs) for jobs in (5, 1))
        found = [parts.find_job(part, place)[0] for part in range(parts.parts)
                 for place in range(parts.find_job(part, 0)[1])]
        assert found == list(range(single.parts))
        for part in range(parts.parts):
            assert parts.jobs(part) == [job for place in range(parts.find_job(part, 0)[1])
                                        for job in single.jobs(parts.find_job(part, place)[0])]


def test_the_same_seed_draws_the_same_parts():
    first, second, other = (
        [(draw.part, draw.completions) for draw in sample(15, seed).draws] for seed in (1, 1, 2))
    assert first == second != other


def test_a_plan_is_arithmetic_and_never_shorter_than_a_part():
    taken = made(1_000_000, [[20.0, 20.0]] * 60)
    assert taken.seconds == (2e7, 2e7, 2e7)
    assert plan(taken, 100, 2) == Prediction(1_000_000, (1e5, 1e5, 1e5), 10.0)
    assert plan(made(1_000_000, [[1.0, 1.0]] * 60), 10).tasks == 33_334
    assert plan(made(1000, [[20.0, 20.0]] * 60), 10**6).wall[0] == 20
    # The load is not that of the ends of the interval: 2,000 tasks of 50 parts in 50,000 seconds.
    planned = plan(made(100_000, [[0.4, 0.6]] * 60), 1)
    assert planned.wall[1] < 49_999 < planned.wall[0] < 50_001 < planned.wall[2]
    assert (planned.tasks, planned.load) == (2_000, pytest.approx(2_000 / 50_000))


def test_a_sample_goes_through_json():
    taken = made(1000, [[1.5, 2.5]] * 3)
    assert Survey.of(json.loads(json.dumps(asdict(taken)))) == taken


@pytest.mark.parametrize("choices", [(0,), (1, 0)])
def test_no_workers_make_no_plan(choices):
    with pytest.raises(ValueError, match="must be 1 or more, not 0"):
        plan(made(1000, [[1.0, 1.0]] * 60), *choices)
