"""The ladder of pruning: whose nodes contain whose, what is known by hand, and what is counted."""

from random import Random

import pytest
from boards import MAKERS
from hypothesis import given
from hypothesis import strategies as st

from nqbench.explain.tree import compare_visits, visit
from nqbench.problems import instances, queens
from nqbench.problems.instances import Board, catalogue, find
from nqbench.search.tally import GaveUpError

WITHIN = [(search.name, larger) for search in catalogue().values() for larger, _ in search.within]
# Searches of the same tree, whatever they test.
SAME = (("backmarking", "row_by_row"), ("bitmask", "row_by_row"),
        ("least_constraining", "forward_checking"))
LADDER = sorted({name for pair in WITHIN for name in pair})
BOARDS = [*map(Board, range(1, 7)), *(Board(n, torus=True) for n in (5, 6, 7)),
          *(make(7, Random(0)) for make in MAKERS[1:])]
MORE = [Board(7), *(make(7, Random(seed)) for make in MAKERS[1:] for seed in (1, 2))]


def visits(board):
    return {name: visit(board, find(name)) for name in {*LADDER, *(one for one, _ in SAME)}}


@pytest.mark.parametrize("board", [
    *BOARDS, *(pytest.param(board, marks=pytest.mark.thorough) for board in MORE)],
    ids=instances.write)
def test_the_published_hierarchy_holds_node_by_node(board):
    found = visits(board)
    for smaller, larger in WITHIN:
        both = compare_visits(found[smaller], found[larger])
        assert both.accepted in ("same", "within"), (smaller, larger)
        assert both.tried in ("same", "within") or 0 in board.free, (smaller, larger)
    for one, other in SAME:
        assert compare_visits(found[one], found[other]).accepted == "same"


@pytest.mark.parametrize(("name", "parts"), [
    ("forward_checking", "ahead=fc"), ("fewest_first", "order=dom,ahead=marks"),
    ("fewest_lines", "order=dom,lines=both,ahead=marks"),
    ("middle_first", "order=middle,ahead=marks")])
def test_an_idea_for_queens_searches_the_tree_of_its_parts(name, parts):
    idea, composed = queens.find(name), find(f"search:{parts}")
    for n in range(8):
        assert [*idea.solutions(n)] == [*composed.solutions(Board(n))]
        mine, theirs = idea.profile(n).counters(), composed.profile(Board(n)).counters()
        for counter in mine.keys() - {"scans", "comparisons"}:  # which depend on what is stored
            assert mine[counter] == theirs[counter], (n, counter)


@given(st.integers(3, 6), st.sampled_from(MAKERS), st.integers(0, 10**6))
def test_look_back_takes_nodes_from_look_ahead_and_both_from_plain_backtracking(n, make, seed):
    board = make(n, Random(seed))
    both, ahead, back, plain = (visit(board, find(name)).accepted.keys() for name in (
        "forward_conflicts", "forward_checking", "conflict_backjumping", "row_by_row"))
    assert both <= ahead
    assert ahead | back <= plain


@pytest.mark.parametrize(("name", "text"), [
    ("nogoods", "n=7 differences=0"), ("forward_conflicts", "n=7 differences=-5,-3,3,5")])
def test_another_conflict_set_may_lead_to_a_shorter_jump(name, text):
    board = instances.parse(text)
    both = compare_visits(visit(board, find(name)), visit(board, find("conflict_backjumping")))
    assert both.first[0] is not None


BY_HAND = {  # of four queens: the columns of each accepted placement, in the order of the rows
    "row_by_row": "0 02 03 031 1 13 130 1302 2 20 203 2031 3 30 302 31",
    "backmarking": "0 02 03 031 1 13 130 1302 2 20 203 2031 3 30 302 31",
    "backjumping": "0 02 03 031 1 13 130 1302 2 20 203 2031 3 30 302 31",
    "conflict_backjumping": "0 02 03 031 1 13 130 1302 2 20 203 2031 3 30 302 31",
    "forward_checking": "0 03 1 13 130 1302 2 20 203 2031 3 30",
    "forward_conflicts": "0 03 1 13 130 1302 2 20 203 2031 3 30",
    "hall_intervals": "0 1 13 130 1302 2 20 203 2031 3",
    "matchings": "0 1 13 130 1302 2 20 203 2031 3",
    "maintained_arcs": "1 13 130 1302 2 20 203 2031",
    "singletons": "1 13 130 1302 2 20 203 2031",
    "symmetry_breaking": "0 02 03 1 13 130 1302"}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_nodes_for_four_queens_are_those_that_were_found_by_hand(name):
    nodes = visit(Board(4), find(name)).accepted
    assert [*nodes.values()] == [(), *(
        tuple(enumerate(map(int, columns))) for columns in BY_HAND[name].split())]


def test_backjumping_leaves_out_the_queen_that_has_no_part_in_the_first_dead_end():
    """Queens in columns 0, 2, 4, 1 and 3 of 8 attack all of row 5, each square by one of the first
    four: so the fifth is not moved.
    """
    both = compare_visits(visit(Board(8), find("row_by_row")), visit(Board(8), find("backjumping")))
    assert both.first == (((0, 0), (1, 2), (2, 4), (3, 1), (4, 7)), None)


def test_a_graph_tells_what_a_board_without_some_attacks_allows():
    board = instances.parse("n=5 placed=1:0,3:3")
    assert (find("graph_backjumping").profile(board).nodes,
            find("row_by_row").profile(board).nodes) == (2, 3)
    assert find("graph_backjumping").profile(Board(6)).jumps == 0


COUNTERS = {
    "backjumping": {"checks": 1864, "jumps": 20, "jumped": 20},
    "conflict_backjumping": {"checks": 1828, "jumps": 21, "jumped": 21},
    "dynamic_backtracking": {"jumps": 80, "jumped": 83, "nogoods": 197},
    "forward_conflicts": {
        "checks": 962, "jumps": 2, "jumped": 2, "revisions": 312, "removals": 409},
    "maintained_arcs": {"checks": 1713, "revisions": 512, "removals": 306},
    "nogoods": {"checks": 1828, "jumps": 21, "jumped": 21, "nogoods": 62}}


@pytest.mark.parametrize("name", COUNTERS)
def test_a_search_counts_what_it_declares_and_nothing_else(name):
    found = find(name).profile(Board(6)).counters()
    own = {counter.name for counter in find(name).counters}
    assert own == COUNTERS[name].keys()
    assert {each: found[each] for each in own} == COUNTERS[name]
    plain = find("row_by_row").profile(Board(6)).counters()
    assert not {"jumps", "nogoods", "removals"} & plain.keys()


def test_backmarking_tests_less_in_the_same_tree():
    plain, marking = (find(name).profile(Board(8)) for name in ("row_by_row", "backmarking"))
    assert plain.levels == marking.levels
    assert marking.scans < plain.scans / 2


def test_the_orders_of_squares_find_the_first_solution_sooner():
    nodes = {name: find(name).solve(Board(16)).counters["nodes"]
             for name in ("forward_checking", "least_constraining", "last_conflict")}
    assert nodes["last_conflict"] < nodes["forward_checking"]


def test_symmetry_is_that_of_the_board():
    for text, times in (("n=6", 4), ("n=6 blocked=0:1", 1), ("n=6 blocked=0:0,0:5,5:0,5:5", 4)):
        board = instances.parse(text)
        tally = find("symmetry_breaking").profile(board)
        assert tally.solutions == find("row_by_row").profile(board).solutions
        assert tally.solutions in (tally.visits * times, tally.solutions)
    assert find("symmetry_breaking").profile(Board(8)).visits == 12  # OEIS A002562


def test_a_long_step_ends_at_its_limit():
    tally = find("singletons").tally(Board(60), seconds=0.05)
    with pytest.raises(GaveUpError):
        next(find("singletons").python.follow(Board(60), tally))
