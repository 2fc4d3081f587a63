"""The first solution, by the plain search, by counting subtrees and by rejecting prefixes."""

import json
from itertools import permutations
from threading import Timer, get_ident
from time import perf_counter

import pytest

from nqbench import _first
from nqbench.errors import DistrustError, InvalidValueError
from nqbench.first import Progress, find_first, search
from nqbench.first.plain import Division, count_parts, free_columns
from nqbench.instances import Board, solve
from nqbench.reference import published

SQUARES = published("A140450")


@pytest.mark.parametrize("n", range(1, 13))
def test_all_searches_agree(n):
    found = find_first(n)
    assert (found.columns, found.tried) == search(n)
    assert found.tried == SQUARES[n]


@pytest.mark.parametrize("n", range(4, 8))
def test_the_first_solution_is_the_least(n):
    solutions = [columns for columns in permutations(range(n)) if Board(n).is_solution(columns)]
    assert find_first(n).columns == min(solutions, default=None)


@pytest.mark.parametrize("n", [20, 25, 29])
def test_larger_boards_agree_with_the_published_squares(n):
    found = find_first(n)
    assert found.tried == SQUARES[n]
    assert Board(n).is_solution(found.columns)
    assert found.pruned_nodes < found.dead


def test_the_first_solution_on_27_is_found_without_counting():
    found = find_first(27, count=False)
    assert found.columns[:12] == (0, 2, 4, 1, 3, 8, 10, 12, 14, 16, 18, 22)
    assert (found.tried, found.parts) == (None, 0)


@pytest.mark.parametrize("n", [9, 14, 16])
def test_another_search_confirms_each_rejected_prefix(n):
    columns = find_first(n).columns
    for row in range(3, n):
        for column in free_columns(n, columns[:row]):
            if column < columns[row]:
                placed = tuple(enumerate((*columns[:row], column)))
                answer = solve(Board(n, placed=placed), "fewest_lines", seconds=None)
                assert (answer.found, answer.gave_up) == (0, None)


@pytest.mark.parametrize("limit", [1, 30, 10**6])
def test_the_effort_for_a_prefix_does_not_change_the_solution(limit):
    found = _first.Search(16)
    while not found.advance(1_000, limit):
        pass
    assert tuple(found.path) == search(16)[0]


@pytest.mark.parametrize("n", range(6, 13))
def test_a_refutation_never_contradicts_a_count(n):
    """Of every prefix of three queens: the search below it finds its first completion or none."""
    for prefix in [(a, b) for a in range(n) for b in free_columns(n, (a,))][::5]:
        _, solutions = _first.count_below(n, prefix, bytearray(1))
        below = _first.Search(n, prefix)
        while not below.advance(10**6, 50):
            pass
        assert (tuple(below.path[:2]) == prefix and below.finished) == (solutions > 0)


def test_the_subtrees_hold_all_placements():
    division = Division.of(6, None)
    below = sum(_first.count_below(6, part, bytearray(1))[0] + 1 for part in division.parts)
    assert division.inner + below == sum(published("A319284")[6][:6])


def test_a_solution_to_the_left_is_reported():
    last = max(columns for columns in permutations(range(6)) if Board(6).is_solution(columns))
    parts = enumerate(Division.of(6, last).parts)
    with pytest.raises(DistrustError, match="to the left"):
        count_parts(_first, 6, parts, 1, lambda part, nodes: None, lambda: True)


def test_parts_are_added_by_the_thread_that_saves_them():
    adding, saving = set(), set()
    parts = list(enumerate(Division.of(16, search(16)[0]).parts))
    counted = {}

    def add(part, nodes):
        adding.add(get_ident())
        counted[part] = nodes

    count_parts(_first, 16, parts, 3, add, lambda: saving.add(get_ident()) or True)
    assert adding == saving == {get_ident()}
    assert len(counted) == len(parts)


def test_an_interrupted_search_is_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr("nqbench.first.running.STEP", 1_000)
    path = tmp_path / "24.checkpoint"
    at_once = find_first(24)
    begun = find_first(24, budget=1e-9, checkpoint=path)
    assert begun.progress.finished is None
    assert begun.columns is begun.tried is None
    for _ in range(3):
        found = find_first(24, budget=1e-9, checkpoint=path)
    assert found.pruned_nodes > begun.pruned_nodes
    found = find_first(24, checkpoint=path, jobs=2)
    assert (found.columns, found.tried) == (at_once.columns, SQUARES[24])
    kept = json.loads(path.read_text())["progress"]
    assert len(kept["counted"]) == found.parts
    start = perf_counter()
    assert find_first(24, checkpoint=path).tried == found.tried
    assert perf_counter() - start < at_once.progress.seconds[1] + 5


def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path):
    path = tmp_path / "n.checkpoint"
    Progress(12, [0, 2]).save(path)
    with pytest.raises(InvalidValueError, match="checkpoint of n 12"):
        find_first(13, checkpoint=path)
    path.write_text(path.read_text().replace("[0, 2]", "[0, 3]"))
    with pytest.raises(InvalidValueError, match="checksum"):
        find_first(12, checkpoint=path)
    Progress(12, [0, 1]).save(path)
    with pytest.raises(InvalidValueError, match="attack"):
        find_first(12, checkpoint=path)
    path.write_text("n = 12")
    with pytest.raises(InvalidValueError, match="not a checkpoint"):
        find_first(12, checkpoint=path)


def test_the_plain_count_can_be_interrupted():
    stop = bytearray(1)
    Timer(0.05, stop.__setitem__, (0, 1)).start()
    assert _first.count_below(40, (), stop) is None


@pytest.mark.parametrize("n", [0, 65])
def test_other_sizes_are_refused(n):
    with pytest.raises(InvalidValueError, match="n must be"):
        find_first(n)


def test_64_columns_fill_a_word():
    assert free_columns(64, (63,)) == list(range(62))
    found = find_first(64, budget=0.01, count=False)
    assert found.progress.path[:9] == [0, 2, 4, 1, 3, 8, 10, 12, 14]
