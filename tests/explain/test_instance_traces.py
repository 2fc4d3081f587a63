"""Traces, trees and recordings of searches in instances show what the search has placed."""

import pytest
from replaying import replay
from test_tree import totals

from nqbench.explain.recordings import Recording, is_sound, pack, record
from nqbench.explain.trace import collect_events
from nqbench.explain.tree import grow
from nqbench.problems.instances import Board, find

UNSOLVABLE = Board(8, torus=True)  # what a search with restarts leaves and begins again
RESTARTING = "restarts_luby"


def test_a_restart_removes_all_queens():
    events = collect_events(UNSOLVABLE, RESTARTING)
    places = [number for number, event in enumerate(events) if event.kind == "restart"]
    assert len(places) > 2
    for place in places:
        assert (events[place].queens, events[place - 1].kind) == ((), "back")
        assert len(events[place + 1].queens) <= 1


def test_a_recording_has_the_restarts_and_the_counts_of_the_search():
    recorded, known = record(UNSOLVABLE, RESTARTING), find(RESTARTING).profile(UNSOLVABLE)
    moments = list(replay(recorded))
    assert [moment.event for moment in moments] == collect_events(UNSOLVABLE, RESTARTING)
    last = moments[-1]
    assert (last.tests, last.nodes, last.backtracks, last.solutions) == (
        known.tests, known.nodes, known.exhaustions, 0)
    assert (last.nodes - sum(moment.event.kind == "place" for moment in moments)
            ) == known.levels[0] > 2


def test_a_packed_recording_says_which_instance_it_is_of():
    packed = pack(record(Board(10, placed=((0, 1),)), RESTARTING))
    assert (packed["instance"], packed["n"]) == ({"n": 10, "placed": [[0, 1]]}, 10)
    assert is_sound(packed)
    assert is_sound(pack(Recording(10, bytes([214]), True)))
    assert not is_sound(pack(Recording(10, bytes([215]), True)))


@pytest.mark.parametrize("depth", [None, 0, 3])
def test_the_runs_of_a_search_with_restarts_share_the_root(depth):
    known = find(RESTARTING).profile(UNSOLVABLE)
    nodes, solutions, dead_ends = totals(grow(UNSOLVABLE, RESTARTING, depth))
    assert (nodes, solutions) == (known.nodes - known.levels[0] + 1, 0)
    assert dead_ends == known.dead_ends


def test_a_tree_that_was_not_searched_to_its_end_says_so():
    root = grow(Board(8), "bitmask", None, nodes_allowed=3)
    assert root.gave_up.startswith("gave up after 3 nodes")
    assert [node.label for node in root.walk()][-1] == "(1 3 * * * * * *)"
    assert not any(node.dead_end for node in root.walk())
