"""The trace is what the running algorithm does, event by event."""

import pytest
from conftest import SEARCHES

import nqbench
from nqbench.explain.trace import Trace, collect_events, find_emptied_row, follow
from nqbench.problems import instances
from nqbench.problems.instances import Board
from nqbench.problems.queens import find
from nqbench.search.board import Placement

TREES = [name for name in SEARCHES if find(name).tree != "none"]
BOARDS = [*instances.find("bitmask").small_instances().values(),
          Board(6, placed=((4, 2), (1, 1))), Board(3), Board(4, torus=True)]
# The searches that have a tree, each with what it is followed in.
FOLLOWED = [
    *(pytest.param(find(name), range(7), id=name) for name in TREES),
    *(pytest.param(search, BOARDS, id=f"instances::{name}")
      for name, search in instances.catalogue().items() if search.tree != "none")]

UNSOLVABLE = Board(8, torus=True)  # what a search with restarts leaves and begins again
RESTARTING = "restarts_luby"


def test_a_limit_is_the_number_of_placements_reached():
    def reached(limit):
        return [event.kind for event in collect_events(4, limit=limit)].count("solution")

    assert collect_events(4, limit=0) == []
    assert [reached(limit) for limit in (1, 2, 3, None)] == [1, 2, 2, 2]
    for limit, error in ((-1, ValueError), (1.5, TypeError), ("1", TypeError)):
        with pytest.raises(error, match="limit must be a whole number, 0 or more"):
            collect_events(4, limit=limit)


@pytest.mark.parametrize("name", ["forward_checking", "ida_star"])
def test_a_square_is_refused_without_an_attack_if_it_empties_a_row(name):
    events = collect_events(8, name)
    empties = {kind: {find_emptied_row(8, [at for at in event.queens if at != event.square],
                                       event.square) is not None
                      for event in events if event.kind == kind and not event.attackers}
               for kind in ("conflict", "place")}
    assert empties == {"conflict": {True}, "place": {False}}


@pytest.mark.parametrize("name", TREES)
def test_a_trace_counts_what_the_tally_counts(name):
    for n in range(7):
        trace = Trace(n, lambda event: None)
        follow(n, name, trace)
        known = nqbench.profile(n, name, "python")
        trace.solutions = known.solutions
        assert trace == known, n


@pytest.mark.parametrize(("search", "searched"), FOLLOWED)
def test_events_are_legal_and_their_number_is_that_of_the_counters(search, searched):
    for instance in filter(None, searched):
        board = instance if isinstance(instance, Board) else Board(instance)
        events, known = collect_events(instance, search), search.profile(instance)
        kinds = [event.kind for event in events]
        assert (kinds.count("place"), kinds.count("back"), kinds.count("solution")) == (
            known.nodes - 1, known.exhaustions, known.visits)
        for event in events:
            assert event.kind != "place" or event.square == event.queens[-1]
            queens = [*board.placed, *event.queens]
            assert len({line for square in queens for line in board.lines(*square)}) == (
                4 * len(queens))
            if event.kind == "solution":
                assert board.is_solution(Placement(column for _, column in sorted(queens)))


def test_a_candidate_left_out_for_its_mirror_image_has_no_attacker():
    left_out = [event for event in collect_events(6, "bitmask_even_mirror")
                if event.kind == "conflict" and not event.attackers]
    assert [event.square for event in left_out] == [(0, 3), (0, 4), (0, 5)]


def test_the_middle_queen_that_somers_gives_is_placed_without_a_test():
    trace = Trace(5, lambda event: None)
    follow(5, "somers", trace)
    middle = [event for event in collect_events(5, "somers") if event.square == (0, 2)]
    assert [event.kind for event in middle] == ["place"]


def test_a_restart_removes_all_queens():
    events = collect_events(UNSOLVABLE, RESTARTING)
    places = [number for number, event in enumerate(events) if event.kind == "restart"]
    assert len(places) > 2
    for place in places:
        assert (events[place].queens, events[place - 1].kind) == ((), "back")
        assert len(events[place + 1].queens) <= 1
