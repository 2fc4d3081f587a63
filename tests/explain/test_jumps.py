"""The recording of a search without a tree holds the placements that it goes through."""

import pytest

from nqbench.errors import InvalidValueError
from nqbench.explain.jumps import (
    CONFLICT,
    MOVE,
    PUT,
    PUT_TESTED,
    QUEUE,
    SOLUTION,
    TAKE,
    record_jumps,
)
from nqbench.problems.queens import find
from nqbench.search.board import Placement


def events(n, codes):
    """Each kind with its columns (of a placement), or its row and column."""
    at = 0
    while at < len(codes):
        kind = codes[at]
        if kind == TAKE:
            k = codes[at + 1]
            yield kind, tuple(codes[at + 2:at + 2 + k])
            at += 2 + k
        else:
            yield kind, None if kind == SOLUTION else divmod(codes[at + 1], n)
            at += 1 if kind == SOLUTION else 2


@pytest.mark.parametrize("n", [1, 4, 6, 8, 10])
def test_a_star_takes_only_what_waits_in_the_queue(n):
    recording = record_jumps(n, find("a_star"))
    assert recording.complete
    waiting, columns, tests, taken = {()}, (), 0, 0
    for kind, what in events(n, recording.codes):
        if kind == TAKE:
            waiting.remove(what)
            columns, taken = what, taken + 1
        elif kind in (QUEUE, CONFLICT):
            tests += 1
            assert what[0] == len(columns)
            if kind == QUEUE:
                waiting.add((*columns, what[1]))
    tally = find("a_star").profile(n)
    assert (tests, taken) == (tally.tests, tally.nodes)
    assert columns == next(find("a_star").solutions(n))


@pytest.mark.parametrize("n", [1, 4, 5, 6, 8, 10])
@pytest.mark.parametrize("seed", range(5))
def test_min_conflicts_moves_to_its_solution(n, seed):
    search = find(f"min_conflicts:{seed}")
    recording = record_jumps(n, search)
    placed, tests = [], 0
    for kind, what in events(n, recording.codes):
        tests += {CONFLICT: 1, PUT_TESTED: 1, MOVE: n}.get(kind, 0)
        if kind in (PUT, PUT_TESTED):
            placed[what[0]:] = [what[1]]
        elif kind == MOVE:
            placed[what[0]] = what[1]
    assert kind == SOLUTION
    assert tests == search.profile(n).tests
    assert tuple(placed) == next(search.solutions(n))
    assert Placement(placed).is_solution


def test_a_recording_can_be_cut_and_others_are_refused():
    assert not record_jumps(8, find("a_star"), 5).complete
    assert len(list(events(8, record_jumps(8, find("a_star"), 5).codes))) == 5
    with pytest.raises(InvalidValueError, match="n must be at most 10 to be recorded, not 11"):
        record_jumps(11, find("a_star"))
    with pytest.raises(InvalidValueError, match="brute_force does not report its placements"):
        record_jumps(4, find("brute_force"))
