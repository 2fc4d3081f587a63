"""The searches in instances agree with brute force, and with each other."""

from itertools import permutations
from random import Random

import pytest
from boards import MAKERS

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.problems import instances
from nqbench.problems.instances import Board, catalogue, find
from nqbench.problems.instances import composed_family as composed

ALL = [name for name, search in catalogue().items() if search.exhaustive]
COMPLETE = [name for name, search in catalogue().items() if search.complete]
EVEN_TORUS = Board(8, torus=True)  # has no solution, as no torus of even n has one


@pytest.mark.parametrize("number", [
    *range(6), *(pytest.param(k, marks=pytest.mark.thorough) for k in range(6, 40))])
def test_every_search_counts_like_brute_force(number):
    random = Random(number)
    board = MAKERS[1 + number % 4](random.randrange(1, 8), random)
    expected = sum(map(board.is_solution, permutations(range(board.n))))
    assert {find(name).count(board) for name in ALL} == {expected}
    assert all(find(name).profile(board).solutions == expected for name in ALL)
    for name in ALL:
        found = [*find(name).solutions(board)]
        assert len({*found}) == len(found)
        assert all(map(board.is_solution, found))
    for name in COMPLETE:
        outcome = find(name).solve(board, nodes=100_000)
        assert outcome.answer == ("found" if expected else "none"), name
        assert all(map(board.is_solution, outcome.solutions))


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.thorough) if name == "min_conflicts" else name
    for name in catalogue()])
def test_the_builds_of_a_search_reach_the_same(name):
    find(name).compare_builds()


def test_the_example_of_gent_jefferson_and_nightingale_has_no_solution():
    """CSPLib 079 publishes it (seed 1, n = 10, of 14 diagonals the first 9), and the answer."""
    board = Board(10, sums=(2, 3, 4, 8, 12), differences=(-2, -1, 5, 9))
    assert {find(name).solve(board).answer for name in COMPLETE} == {"none"}


@pytest.mark.parametrize("name", ALL)
def test_the_torus_has_the_published_solutions(name):
    assert [find(name).count(Board(n, torus=True)) for n in range(1, 8)] == [
        1, 0, 0, 0, 10, 0, 28]  # OEIS A007705 for odd n


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_search_proves_that_there_is_no_solution(name):
    nodes = 2_000 if name == "restarts_fixed" else 100_000  # which may not end
    assert find(name).solve(EVEN_TORUS, nodes=nodes).answer == (
        "gave up" if name == "restarts_fixed" else "none")
    assert find(name).solve(Board(3), nodes=nodes).answer == "none"


def test_min_conflicts_proves_nothing():
    assert find("min_conflicts").solve(Board(3, blocked=((0, 0), (0, 1), (0, 2)))).answer == (
        "gave up")


@pytest.mark.parametrize("name", catalogue())
def test_a_search_gives_up_at_a_limit(name):
    outcome = find(name).solve(Board(30, torus=True), seconds=0.05)
    assert outcome.gave_up.startswith("gave up after ")
    if name == "singletons":  # which needs no queen to prove it
        assert find(name).solve(EVEN_TORUS, nodes=5).answer == "none"
        return
    outcome = find(name).solve(EVEN_TORUS, nodes=5)
    assert (outcome.answer, outcome.counters["nodes"]) == ("gave up", 5)
    if name in COMPLETE:
        outcome = find(name).solve(EVEN_TORUS, backtracks=4)
        assert (outcome.answer, outcome.counters["exhaustions"]) == ("gave up", 4)


@pytest.mark.parametrize("name", [
    name for name in catalogue() if [*find(name).defaults] == ["seed"]])
def test_a_seed_gives_the_same_search_each_time(name):
    one, again, other = (find(f"{name}:{seed}").solve(Board(15)) for seed in (3, 3, 4))
    assert one == again
    assert one.solutions != other.solutions


def test_a_search_with_restarts_begins_at_the_root_again_and_another_is_one_run(monkeypatch):
    monkeypatch.setitem(composed.RESTARTS, "fixed", lambda: [2, 2, 2, 10**6])
    outcome = find("restarts_fixed:1").solve(EVEN_TORUS)
    assert (outcome.answer, outcome.counters["levels"][0]) == ("none", 4)
    counters = find("random_order:1").solve(EVEN_TORUS).counters
    assert counters["levels"][0] == 1
    assert counters["exhaustions"] > 32


def test_a_limit_of_backtracks_is_refused_by_a_compiled_search():
    pytest.importorskip("nqbench._sudoku")
    from nqbench.problems import sudoku

    with pytest.raises(InvalidValueError, match="takes no limit of backtracks"):
        sudoku.find("fast").solve(sudoku.read("easy50")[0], "cython", backtracks=3)


@pytest.mark.parametrize(("board", "kind", "message"), [
    (8, InvalidTypeError, "an instance must be a Board, not 8"),
    (Board(4, placed=((0, 0), (1, 1))), InvalidValueError,
     "the queens of rows 0 and 1 attack each other")])
def test_what_is_no_instance_is_refused(board, kind, message):
    with pytest.raises(kind, match=message):
        instances.solve(board)
