"""A recording is the trace, step by step and count by count."""

import pytest
from test_tracing import TREES

import nqbench
from nqbench.explain.recordings import record, replay
from nqbench.explain.trace import Trace, collect_events, follow

FOUND = {"solution", "reached"}


@pytest.mark.parametrize("n", [1, 4, 5, 6, 7])
@pytest.mark.parametrize("name", TREES)
def test_a_recording_replays_the_trace(name, n):
    recorded = record(n, name)
    assert recorded.complete
    assert [moment.event for moment in replay(recorded)] == collect_events(n, name)


@pytest.mark.parametrize("name", ["iterative", "somers", "forward_checking", "fewest_first"])
def test_every_moment_has_the_counts_of_the_trace(name):
    heard = []

    def hear(step):
        # A refusal is told when the next test has been counted, or at the end of the line.
        heard.append((step.kind, trace.tests, trace.nodes, trace.exhaustions, trace.visits))

    trace = Trace(7, hear)
    follow(7, name, trace)
    for moment, (kind, tests, *others) in zip(replay(record(7, name)), heard, strict=True):
        assert [moment.nodes, moment.backtracks, moment.solutions] == others
        assert moment.tests == tests or (kind == "conflict" and moment.tests == tests - 1)


@pytest.mark.parametrize("name", TREES)
def test_the_last_moment_has_the_counters_of_the_profile(name):
    *_, last = replay(record(6, name))
    known = nqbench.profile(6, name, "python")
    assert (last.tests, last.nodes, last.backtracks, last.solutions) == (
        known.tests, known.nodes, known.exhaustions, known.visits)


def test_a_limit_ends_the_recording_and_is_said():
    part, all_of_it = record(6, limit=1000), record(6)
    assert (len(part.codes), part.complete) == (1000, False)
    assert all_of_it.codes.startswith(part.codes)
    assert record(6, limit=len(all_of_it.codes)) == all_of_it


def test_a_board_whose_codes_fill_no_byte_is_refused():
    assert max(record(10, limit=20_000).codes) < 256
    with pytest.raises(ValueError, match="n must be at most 10 to be recorded, not 11"):
        record(11)
    with pytest.raises(ValueError, match="does not backtrack"):
        record(4, "brute_force")
