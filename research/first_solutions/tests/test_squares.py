"""The plain count: parts and files."""

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from first import count_below
from search import free_columns, search
from squares import Counts, count_dead, divide, recount, squares_tried

import nqbench
from nqbench.problems.published import published
from nqbench.problems.published.computed import FIRST_SOLUTIONS

HOME = Path(__file__).parents[1]
SQUARES = published("A140450")
# By n: the solutions that begin with five queens on the five diagonals in the middle.
BELOW_CORNER = {18: 0, 19: 16, 20: 28, 21: 840}
CORNER = (0, 2, 4, 1, 3)
SOLUTION_42 = tuple(column - 1 for column in FIRST_SOLUTIONS[42].solution)


@pytest.mark.parametrize("n", range(1, 13))
def test_the_squares_are_those_of_the_plain_search_and_published(n):
    columns, tried = search(n)
    assert squares_tried(n, columns, count_dead(n, columns)) == tried == SQUARES[n]


def test_placements_follow_from_the_squares():
    for n in (*range(1, 19), 29):
        columns = [column - 1 for column in FIRST_SOLUTIONS[n].solution or ()]
        assert FIRST_SOLUTIONS[n].placements == count_dead(n, columns), n


@pytest.mark.parametrize("rows", range(1, 7))
def test_the_parts_hold_all_placements(rows):
    """Of n = 3, 6 and 7 the whole tree, as no placement is to the right of no solution."""
    for n in (3, 6, 7):
        parts, inner = divide(n, None, min(rows, n))
        counts = [count_below(n, part) for part in parts]
        profile = nqbench.profile(n).levels
        assert inner + sum(nodes for nodes, _ in counts) == sum(profile[:n])
        assert sum(solutions for _, solutions in counts) == profile[n]


def test_a_solution_to_the_left_is_reported():
    assert count_dead(7, (0, 2, 4, 6, 1, 3, 5)) == (42 - 28) // 7
    with pytest.raises(ValueError, match="to the left"):
        count_dead(7, (0, 3, 6, 2, 5, 1, 4))


def test_a_file_is_resumed_and_keeps_its_lines(tmp_path):
    file = tmp_path / "18.squares"

    def call():
        return subprocess.run([sys.executable, str(HOME / "squares.py"), "18", str(file)],
                              capture_output=True, text=True, check=True).stdout

    said = call()
    assert said.startswith(f"18 queens: {SQUARES[18]:,} squares")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:5]) + lines[5].replace(" ", "  ", 1))
    assert call() == said
    assert {*lines} <= {*file.read_text().splitlines(keepends=True)}
    with pytest.raises(ValueError, match="counts for n = 18, not 12"):
        count_dead(12, (), file)


def test_a_file_that_contradicts_itself_is_refused(tmp_path):
    file = tmp_path / "8.squares"
    counts = Counts(8, None, file)
    counts.add({0: (5, 0)})
    counts.add({0: (6, 0)})
    with pytest.raises(ValueError, match="contradicts itself in part 0"):
        Counts(8, None, file)


def test_the_parts_of_42_are_all_and_sum_to_the_published_squares():
    counts = Counts(42, SOLUTION_42, HOME / "results/42.squares")
    assert len(counts.counts) == len(counts.parts) == 70_009
    assert squares_tried(42, SOLUTION_42, counts.dead()) == SQUARES[42]


def test_a_part_of_42_is_recounted():
    assert count_below(42, divide(42, SOLUTION_42, 17)[0][5]) == (88_917_168, 0)


@pytest.mark.thorough
def test_other_parts_of_42_are_recounted():
    found = recount(42, SOLUTION_42, HOME / "results/42.squares", 10)
    assert all(old == new for _, old, new in found)


@pytest.mark.parametrize("n", [33, 49, 64])
def test_wide_boards_are_counted_as_in_python(n):
    """Prefixes that are greedy, and leave their last rows to the count."""
    path = ()
    while free := free_columns(n, path):
        path += (free[0],)
    for rows in range(len(path) - 5, len(path)):
        prefix = (*path[:rows], free_columns(n, path[:rows])[-1])
        level, nodes = [prefix], 0
        while level:
            nodes += len(level)
            level = [(*each, column) for each in level for column in free_columns(n, each)]
        assert count_below(n, prefix) == (nodes, 0)


@pytest.mark.parametrize("n", [
    pytest.param(n, marks=pytest.mark.thorough) if n == max(BELOW_CORNER) else n
    for n in BELOW_CORNER])
def test_solutions_that_begin_in_the_corner(n):
    assert count_below(n, CORNER)[1] == BELOW_CORNER[n]


def test_the_readme_has_them():
    text = (HOME / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| \d+ \| (\d+) \| ", text, re.MULTILINE)
    assert {int(n): int(many) for n, many in rows} == BELOW_CORNER


def test_the_published_squares_are_counted_again():
    counted = ((n, row) for n, row in FIRST_SOLUTIONS.items() if row.tried and n >= 20)
    for n, row in islice(counted, 8):
        columns = [column - 1 for column in row.solution]
        assert squares_tried(n, columns, count_dead(n, columns)) == row.tried
