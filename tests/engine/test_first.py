"""The first solution, by the plain search, by counting subtrees and by rejecting prefixes."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from threading import Timer

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nqbench
from nqbench import _first
from nqbench.engine import audit, count_levels, first_search, kernels, read_checkpoint
from nqbench.engine.checkpoint import is_possible
from nqbench.engine.division import Division
from nqbench.engine.first_search import find_first, rejecting
from nqbench.engine.first_solution import (
    Progress,
    counting_dead,
    free_columns,
    search,
    squares_tried,
)
from nqbench.errors import InvalidValueError, LostError, MiscountError
from nqbench.problems.instances import Board
from nqbench.problems.published import published
from nqbench.problems.published.first_solutions import FIRST_SOLUTIONS

SQUARES = published("A140450")


@pytest.mark.parametrize("n", range(1, 13))
def test_all_searches_agree(n):
    found = find_first(n)
    assert (found.columns, found.tried) == search(n)
    assert found.tried == SQUARES[n]


@pytest.mark.parametrize("n", [20, 29])
def test_larger_boards_agree_with_the_published_squares(n):
    found = find_first(n)
    assert found.tried == SQUARES[n]
    assert Board(n).is_solution(found.columns)
    assert found.pruned_nodes < found.dead


def test_the_first_solution_on_27_is_found_without_counting():
    found = find_first(27, count=False)
    assert found.columns[:12] == (0, 2, 4, 1, 3, 8, 10, 12, 14, 16, 18, 22)
    assert (found.tried, found.parts) == (None, 0)


@pytest.mark.parametrize(("limit", "threads"), [(1, 3), (30, 1), (10**6, 3)])
def test_effort_and_threads_do_not_change_the_solution(limit, threads):
    progress = Progress(16)
    with ThreadPoolExecutor(threads) as pool:
        for _ in rejecting(progress, pool, lambda: threads, limit):
            pass
    assert tuple(progress.path) == search(16)[0]


@given(st.sampled_from([n for n in range(13, 65) if n % 6 not in (2, 3)]), st.data())
def test_no_prefix_of_a_solution_of_a_wide_board_is_rejected(n, data):
    columns = [*range(1, n, 2), *range(0, n, 2)]
    if data.draw(st.booleans()):
        columns.reverse()
    if data.draw(st.booleans()):
        columns = [columns.index(column) for column in range(n)]
    assert Board(n).is_solution(tuple(columns))
    prefixes = [tuple(columns[:rows]) for rows in range(1, n + 1)]
    kernel = data.draw(st.sampled_from(_first.kernels()))
    for prefix in prefixes:
        assert _first.decide(n, [prefix], 20, 1, kernel)[0][0] is False


@given(st.integers(1, 64), st.data())
def test_all_kernels_decide_alike_in_the_same_nodes(n, data):
    prefix = ()
    for _ in range(data.draw(st.integers(0, min(n, 24)))):
        free = list(free_columns(n, prefix))
        if free:
            prefix += (data.draw(st.sampled_from(free)),)
    found = {kernel: _first.decide(n, [prefix], 200, 200, kernel) for kernel in _first.kernels()}
    assert all(decision == found["portable"] for decision in found.values())
    assert _first.decide(n, [prefix], 200, 200) == found["portable"]


def test_a_task_holds_prefixes_and_ends_with_what_is_not_rejected_or_with_its_nodes():
    prefixes = [(0, 2), (0, 3), (1, 3), (2, 0), (2, 5)]  # 6 queens: only 1 3 ... has a solution
    assert [rejected for rejected, _ in _first.decide(6, prefixes, 100, 100)] == [True, True, False]
    assert len(_first.decide(6, prefixes, 100, 1)) == 1
    with pytest.raises(ValueError, match="attack"):
        _first.decide(6, [(0, 1)], 10, 10)
    with pytest.raises(ValueError, match="board"):
        _first.decide(6, [(0, 6)], 10, 10)


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("rows", range(1, 7))
def test_the_parts_hold_all_placements(kernel, rows):
    """Of n = 3, 6 and 7 the whole tree, as no placement is to the right of no solution."""
    for n in (3, 6, 7):
        parts = _first.Engine(n, min(rows, n), ())
        counts = _first.Kernel(kernel).complete(parts, range(parts.parts))
        profile = count_levels(n)
        assert parts.inner + sum(count[0] for count in counts) == sum(profile[:n])
        assert sum(count[1] for count in counts) == profile[n]
        assert all(is_possible(count, 2) for count in counts)


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("capacity", [128, 1024])
def test_every_kernel_counts_the_same_squares(kernel, capacity):
    for n, least in ((24, 12), (26, 1)):
        parts = _first.Engine(n, least, find_first(n, count=False).columns)
        counts = _first.Kernel(kernel, capacity).complete(parts, range(parts.parts))
        dead = parts.inner + sum(count[0] for count in counts)
        assert squares_tried(n, (0,), dead) == SQUARES[n]
        assert all(is_possible(count, 2) and count[1] == 0 for count in counts)


def count_below(n, columns, left, right, row):
    """Count the placements, for which the masks say what the queens above this row attack."""
    free, many = (1 << n) - 1 & ~(columns | left | right) if row < n else 0, 1
    while free:
        bit = free & -free
        free ^= bit
        many += count_below(n, columns | bit, (left | bit) << 1, (right | bit) >> 1, row + 1)
    return many


@cache
def choose_path(n):
    """Return a path that is greedy, and leaves its last rows to others; and how long that is."""
    greedy = []
    while free := free_columns(n, greedy):
        greedy.append(free[0])
    path = greedy[:-7]
    path.append(free_columns(n, path)[-1])
    return (*path, *(column for column in range(n) if column not in path)), len(path)


@cache
def count_to_the_left(n):
    path, _ = choose_path(n)
    columns = left = right = dead = 0
    for row, chosen in enumerate(path):
        for column in free_columns(n, path[:row]):
            if column < chosen:
                bit = 1 << column
                dead += count_below(n, columns | bit, (left | bit) << 1, (right | bit) >> 1,
                                    row + 1)
        bit = 1 << chosen
        columns, left, right = columns | bit, (left | bit) << 1, (right | bit) >> 1
    return dead


@pytest.mark.parametrize("kernel", kernels())
@pytest.mark.parametrize("n", [33, 43, 49, 64])
def test_wide_boards_are_counted_as_in_python(kernel, n):
    """Above some row, or in all rows, more than 32 adjacent columns are open. On 49 columns a queen
    to the right of a window attacks squares in it."""
    path, rows = choose_path(n)
    for begun in (rows - 3, rows, rows + 2):
        parts = _first.Engine(n, begun, path)
        counts = _first.Kernel(kernel, 128).complete(parts, range(parts.parts))
        assert all(is_possible(count, 2) for count in counts)
        assert parts.inner + sum(sum(found[:2]) for found in counts) == count_to_the_left(n) > 1000


@pytest.mark.parametrize("kernel", kernels())
def test_a_part_is_counted_as_without_windows(kernel):
    """Its number was counted with words of 64 bits alone."""
    parts = _first.Engine(42, 17, [column - 1 for column in FIRST_SOLUTIONS[42].solution])
    assert _first.Kernel(kernel, 128).complete(parts, [5]) == [(88_917_168, 0, 2, 3)]


def test_full_buffers_of_a_window_are_visited():
    """Once, 855,577 false solutions came from a buffer that was exactly full."""
    parts = _first.Engine(42, 17, [column - 1 for column in FIRST_SOLUTIONS[42].solution])
    assert _first.Kernel(kernels()[0]).complete(parts, [26_902]) == [(669_184_625, 0, 5, 5)]


def test_a_solution_to_the_left_is_reported():
    last = max(nqbench.solutions(6))
    with pytest.raises(MiscountError, match="to the left"):
        list(counting_dead(6, last))


def test_an_interrupted_search_is_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr("nqbench.engine.first_search.NODES", 1_000)
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
    assert (found.progress.nodes, found.progress.rejected) == (
        at_once.progress.nodes, at_once.progress.rejected)
    assert read_checkpoint(f"{path}.squares").done == found.parts
    # Nothing is left to count.
    monkeypatch.setattr(Division, "start_kernel", lambda *rest, **choices: None)
    monkeypatch.setattr("nqbench.engine.first_search.decide", None)
    assert find_first(24, checkpoint=path, jobs=1).tried == found.tried


def test_an_interrupted_count_is_resumed(tmp_path):
    path = tmp_path / "30.squares"
    columns = find_first(30, count=False).columns
    with closing(counting_dead(30, columns, "portable", 1, path)) as begun:
        assert 0 < next(begun).share < 1
    *_, ledger = counting_dead(30, columns, None, 2, path)
    assert squares_tried(30, columns, ledger.count_dead()) == SQUARES[30]
    assert all(recount.ok for recount in audit(path))


def test_an_executor_finds_the_same(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        found = find_first(22, workers=(pool, lambda: 2), checkpoint=tmp_path / "22")
    alone = find_first(22)
    assert (found.columns, found.tried) == (alone.columns, SQUARES[22])
    assert found.progress.nodes == alone.progress.nodes


def test_a_worker_that_fails_loses_nothing(tmp_path, monkeypatch):
    def decide(*task):
        raise OSError("no space left")

    path = tmp_path / "22"
    find_first(22, budget=0.001, checkpoint=path)
    before = Progress.load(path, 22)
    monkeypatch.setattr("nqbench.engine.first_search.decide", decide)
    with pytest.raises(LostError, match="no space left"):
        find_first(22, checkpoint=path)
    assert Progress.load(path, 22).path == before.path


def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path):
    path = tmp_path / "n.checkpoint"
    Progress(12, [0, 2]).save(path)
    with pytest.raises(InvalidValueError, match="checkpoint of 12 queens, not 13"):
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


@pytest.mark.parametrize("changes", [
    {"seconds": -1.0}, {"seconds": "long"}, {"next": -1}, {"next": 13}, {"path": [12]},
    {"path": "none"}, {"nodes": [-1] * 12}, {"nodes": [1] * 11}, {"nodes": 5},
    {"rejected": [0] * 11 + [1]}, {"finished": 2}])
def test_a_checkpoint_with_impossible_numbers_is_refused(tmp_path, changes):
    path = tmp_path / "n.checkpoint"
    progress = Progress(12)
    vars(progress).update(changes)
    progress.save(path)
    with pytest.raises(InvalidValueError, match="holds numbers that no search has"):
        find_first(12, checkpoint=path)


@given(st.integers(1, 16), st.integers(1, 30))
@settings(max_examples=30)
def test_every_state_of_a_search_is_possible(n, limit):
    progress = Progress(n)
    with ThreadPoolExecutor(1) as pool:
        for _ in rejecting(progress, pool, lambda: 1, limit):
            assert progress.is_possible


def test_the_plain_count_can_be_interrupted():
    stop, parts = bytearray(1), _first.Engine(40, 1, ())
    Timer(0.05, stop.__setitem__, (0, 1)).start()
    assert _first.Kernel("portable").complete(parts, [0], stop) == []


@pytest.mark.parametrize("n", [0, 65])
def test_other_sizes_are_refused(n):
    with pytest.raises(InvalidValueError, match="n must be"):
        find_first(n)


def test_64_columns_fill_a_word():
    assert free_columns(64, (63,)) == list(range(62))
    progress = Progress(64)
    with ThreadPoolExecutor(1) as pool, closing(rejecting(progress, pool, lambda: 1)) as steps:
        for _ in steps:
            if len(progress.path) > 8:
                break
    assert progress.path == [0, 2, 4, 1, 3, 8, 10, 12, 14]


def test_its_checkpoint_is_no_checkpoint_of_a_count(tmp_path):
    path = tmp_path / "9.first"
    find_first(9, checkpoint=path)
    with pytest.raises(ValueError, match=r"nqbench first, not of a count; .* are in .*\.squares"):
        read_checkpoint(path)


def test_a_checkpoint_that_another_process_wrote_meanwhile_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "20.first"
    monkeypatch.setattr(first_search, "SAVE", 0.0)

    def report(what, share):
        if path.exists() and not report.others:
            Progress(20, nodes=[7] * 20).save(path)
            report.others = path.read_bytes()

    report.others = b""
    with pytest.raises(InvalidValueError, match=r"20\.first: was written by another process"):
        find_first(20, checkpoint=path, count=False, report=report)
    assert path.read_bytes() == report.others
