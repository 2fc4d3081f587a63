"""The first solution, by rejecting prefixes."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
import search as module
from first import KERNELS, decide
from hypothesis import given
from hypothesis import strategies as st
from search import Progress, find_first, free_columns, rejecting, search

from nqbench.problems.instances import Board
from nqbench.problems.published.computed import FIRST_SOLUTIONS

HOME = Path(__file__).parents[1]
LONG = {42, 45, 47, 58, 59, 61, 63}  # the others but 48 take less than 0.1 s


@pytest.mark.parametrize("n", range(1, 13))
def test_the_plain_search_finds_the_same(n):
    assert find_first(n).columns == search(n)[0]


@pytest.mark.parametrize("n", [
    pytest.param(n, marks=pytest.mark.thorough) if n in LONG else n
    for n in FIRST_SOLUTIONS if n != 48])
def test_the_published_rows_are_found_in_the_same_nodes(n):
    row, found = FIRST_SOLUTIONS[n], find_first(n)
    assert (sum(found.nodes), sum(found.rejected)) == (row.nodes, row.rejected)
    assert found.columns == (row.solution and tuple(column - 1 for column in row.solution))


def test_no_prefix_of_a_published_row_is_rejected():
    for n, row in FIRST_SOLUTIONS.items():
        columns = tuple(column - 1 for column in row.solution or ())
        for rows in range(1, len(columns) + 1):
            assert decide(n, [columns[:rows]], 100, 1)[0][0] is False, (n, rows)


@pytest.mark.parametrize("kernel", KERNELS)
def test_some_searches_are_the_same_as_ever(kernel):
    """Their results have not changed since the core was part of the package."""
    found = [decide(n, prefixes, limit, 600_000, kernel) for n, prefixes, limit in (
        (20, [(0, 2, 4, 1, 3, last) for last in (8, 9, 10)], 100_000),
        (22, [(0, 2, 4, 1, 3, 9, last) for last in (11, 12)], 100_000),
        (24, [(0, 2, 4, 1, 3)], 100_000),
        (30, [(0, 2, 4, 1, 3, 8, 10, 12, 14, 5)], 50_000))]
    assert sha256(repr(found).encode()).hexdigest()[:8] == "bddf180e"


@pytest.mark.parametrize(("limit", "threads"), [(1, 3), (30, 1), (10**6, 3)])
def test_effort_and_threads_do_not_change_the_solution(limit, threads):
    progress = Progress(16)
    with ThreadPoolExecutor(threads) as pool:
        for _ in rejecting(progress, pool, threads, limit):
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
    kernel = data.draw(st.sampled_from(KERNELS))
    for prefix in prefixes:
        assert decide(n, [prefix], 20, 1, kernel)[0][0] is False


@given(st.integers(1, 64), st.data())
def test_all_kernels_decide_alike_in_the_same_nodes(n, data):
    prefix = ()
    for _ in range(data.draw(st.integers(0, min(n, 24)))):
        free = list(free_columns(n, prefix))
        if free:
            prefix += (data.draw(st.sampled_from(free)),)
    found = {kernel: decide(n, [prefix], 200, 200, kernel) for kernel in KERNELS}
    assert all(decision == found["scalar"] for decision in found.values())
    assert decide(n, [prefix], 200, 200) == found["scalar"]


def test_a_task_holds_prefixes_and_ends_with_what_is_not_rejected_or_with_its_nodes():
    prefixes = [(0, 2), (0, 3), (1, 3), (2, 0), (2, 5)]  # 6 queens: only 1 3 ... has a solution
    assert [rejected for rejected, _ in decide(6, prefixes, 100, 100)] == [True, True, False]
    assert len(decide(6, prefixes, 100, 1)) == 1
    with pytest.raises(ValueError, match="attack"):
        decide(6, [(0, 1)], 10, 10)
    with pytest.raises(ValueError, match="board"):
        decide(6, [(0, 6)], 10, 10)


def test_a_search_is_resumed_from_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "NODES", 1_000)
    file, at_once = tmp_path / "24.first", find_first(24)
    for _ in range(3):
        progress = Progress.load(file, 24)
        place = [*progress.path], progress.next
        with ThreadPoolExecutor(2) as pool, closing(rejecting(progress, pool, 2)) as steps:
            while (progress.path, progress.next) == place:  # the second task may end first
                next(steps)
        progress.save(file)
        assert progress.finished is None
    found = find_first(24, file)
    assert (found.columns, found.nodes, found.rejected) == (
        at_once.columns, at_once.nodes, at_once.rejected)
    monkeypatch.setattr(module, "decide", None)  # nothing is left to search
    assert find_first(24, file) == found


def test_a_file_of_another_search_or_of_attacking_queens_is_refused(tmp_path):
    file = tmp_path / "12.first"
    Progress(12, [0, 2]).save(file)
    with pytest.raises(ValueError, match="checkpoint of 12 queens, not 13"):
        find_first(13, file)
    Progress(12, [0, 1]).save(file)
    with pytest.raises(ValueError, match="attack"):
        find_first(12, file)


@pytest.mark.parametrize("n", [0, 65])
def test_other_sizes_are_refused(n):
    with pytest.raises(ValueError, match="n must be"):
        find_first(n)


def test_64_columns_fill_a_word():
    assert free_columns(64, (63,)) == list(range(62))
    progress = Progress(64)
    with ThreadPoolExecutor(1) as pool, closing(rejecting(progress, pool, 1)) as steps:
        for _ in steps:
            if len(progress.path) > 8:
                break
    assert progress.path == [0, 2, 4, 1, 3, 8, 10, 12, 14]


def test_the_command_compares_with_what_is_published():
    done = subprocess.run([sys.executable, str(HOME / "search.py"), "3", "8", "30", "--count"],
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 queens: none; 7 nodes, 3 prefixes rejected" in done.stdout
    assert "8 queens: 876 squares\n" in done.stdout
