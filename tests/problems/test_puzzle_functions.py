"""Functions that take a puzzle of Sudoku, in any form, are checked as solvers of puzzles."""

import signal
from pathlib import Path
from textwrap import indent

import pytest
from conftest import refused

from nqbench.checking import examination
from nqbench.problems.plugins import puzzles
from nqbench.problems.plugins.puzzles import EASY, adapt, takes_puzzle
from nqbench.problems.sudoku import PROBLEM, Grid, solve

SOURCE = '''
import time
from nqbench.problems import sudoku

def solved(cells):
    digits = tuple(int(c) if str(c) in "123456789" else 0 for c in cells)
    return sudoku.solve(digits).solutions[0]

def fill(board):
    assert all(type(c) is int for row in board for c in row)
    answer = solved(sum(board, []))
    for k, digit in enumerate(answer):
        board[k // 9][k % 9] = digit
    return True

class Solution:
    def solveSudoku(self, board):
        for r in range(9):
            assert board[r].count("0") == 0
        answer = solved("".join(map("".join, board)))
        for k, digit in enumerate(answer):
            board[k // 9][k % 9] = str(digit)

def dotted(text):
    assert "0" not in text
    return "".join(map(str, solved(text)))

def zeros(s):
    return int(s) and list(solved(s))

def flat(cells):
    assert type(cells[80]) is int
    return solved(cells)

def drawn(grid):
    answer = solved(sum(grid, []))
    return "\\n".join(" ".join(map(str, answer[k:k + 9])) for k in range(0, 81, 9))

def squares(grid):
    names = [r + c for r in "ABCDEFGHI" for c in "123456789"]
    return dict(zip(names, map(str, solved(grid))))

def every(puzzle):
    yield [list(solved(sum(puzzle, [])))[k:k + 9] for k in range(0, 81, 9)]

def flagged(x):
    return True, [list(solved(sum(x, [])))[k:k + 9] for k in range(0, 81, 9)]

def array(board):
    board[:, :] = __import__("numpy").array(solved(board.ravel())).reshape(9, 9)

def characters(cells):
    assert {*map(type, cells)} == {str}
    assert "0" in cells
    cells[:] = "".join(map(str, solved(cells)))

def dots(cells):
    assert type(cells) is list
    assert "." in cells
    return list(solved(cells))

def zero_rows(board):
    assert any("0" in row for row in board)
    return [solved(sum(board, []))]

def empty(board):
    assert any(None in row for row in board)
    return solved([c or 0 for row in board for c in row])

def leaves(text):
    return "".join(map(str, solved(text))) if text.isdigit() else exit("no zeros")

class Held:
    def __init__(self, board):
        self.board = board

    def solve(self):
        return fill(self.board)

    def complete(self, board):
        return fill(board)

def wrong(grid):
    return [[1] * 9] * 9

def lost(grid):
    return fill(grid) if grid[0] == [0, 0, 3, 0, 2, 0, 6, 0, 0] else None

def slow(grid):
    if grid[0] != [0, 0, 3, 0, 2, 0, 6, 0, 0]:
        time.sleep(60)
    fill(grid)

def nothing(board):
    return False

def raises(sudoku):
    return sudoku[100]

def raises_later(sudoku):
    return fill(sudoku) if sudoku[0] == [0, 0, 3, 0, 2, 0, 6, 0, 0] else sudoku[100]

def queens(board_size):
    return [[1, 0, 0, 2, 10, 4][board_size - 1]][0]

def neither(x):
    return "hello"
'''


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, no_plugins):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(SOURCE)


def check(name):
    return examination.check(f"mine.py::{name}")


@pytest.mark.parametrize(("name", "form"), [
    ("fill", "takes lists of numbers, and changes the puzzle"),
    ("Solution.solveSudoku", "takes lists of characters, and changes the puzzle"),
    ("dotted", "takes a text, and returns the solution"),
    ("zeros", "takes a text with zeros, and returns the solution"),
    ("flat", "takes 81 numbers, and returns the solution"),
    ("drawn", "takes lists of numbers, and returns the solution"),
    ("squares", "takes a text, and returns the solution"),
    ("every", "takes lists of numbers, and returns the solution"),
    ("flagged", "takes lists of numbers, and returns the solution"),
    ("array", "takes an array, and changes the puzzle"),
    ("characters", "takes 81 characters with zeros, and changes the puzzle"),
    ("dots", "takes 81 characters, and returns the solution"),
    ("zero_rows", "takes lists of characters with zeros, and returns the solution"),
    ("empty", "takes lists of numbers and None, and returns the solution"),
    ("leaves", "takes a text with zeros, and returns the solution"),
    ("Held.solve", "takes lists of numbers, and changes the puzzle"),
    ("Held.complete", "takes lists of numbers, and changes the puzzle")])
def test_the_form_is_found_and_puzzles_of_each_set_are_solved(monkeypatch, name, form):
    for family, read in PROBLEM.data_sets.items():
        monkeypatch.setitem(PROBLEM.data_sets, family, lambda read=read: read()[:5])
    found = check(name)
    assert (found.form, found.verdict) == (form, "right")
    assert [(each.family, each.solutions, each.many) for each in found.instances] == [
        (family, 5, 5) for family in ("easy50", "top95", "hardest", "diabolical")]


@pytest.mark.parametrize(("name", "says"), [
    ("wrong", f"puzzle 1, {Grid(EASY)}: it gives {'1' * 81}, which is no solution"),
    ("lost", "easy50: 49 of 50 puzzles are not solved, the first is number 2")])
def test_a_function_that_does_not_solve_is_wrong(name, says):
    assert says in check(name).worst


def test_a_function_that_raises_gives_no_wrong_solution():
    assert [fault.kind for fault in check("raises_later").faults] == ["raises"]
    assert [fault.kind for fault in check("wrong").faults] == ["wrong"]


STOPS = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signal ends a function")


@STOPS
def test_a_puzzle_that_takes_too_long_is_not_counted(monkeypatch):
    monkeypatch.setattr(examination, "PUZZLES", 0.3)
    found = check("slow")
    assert found.ok
    assert found.warnings[0] == "easy50: only 1 of 50 puzzles were tried, in 0.3 s"


@pytest.mark.parametrize(("name", "says"), [
    ("nothing", "it solves an easy puzzle in no form; given lists of numbers, it returns False"),
    ("raises", "given lists of numbers, it fails: mine.py, line 98: IndexError: list index out of"),
    ("neither", "neither cannot be used: it returns 'hello' at n = 4, which is not a number of")])
def test_what_solves_nothing_is_refused_with_the_reason(run, name, says):
    assert says in refused(run("check", f"mine.py::{name}"))


def test_what_works_decides_between_a_puzzle_and_a_number_of_queens(run):
    assert run("count", 4, "-a", "mine.py::queens")[1] == "2\n"
    assert run("solve", Grid(EASY), "-a", "mine.py::flagged")[1] == (
        "".join(map(str, solve(Grid(EASY)).solutions[0])) + "\n")
    assert "is an algorithm of sudoku, not of queens" in refused(
        run("count", 8, "-a", "mine.py::fill"))


def test_a_puzzle_is_told_by_names():
    def solve_sudoku(x): ...
    assert takes_puzzle(solve_sudoku)
    def queens(board, row): ...
    assert not takes_puzzle(lambda board_size: 0)
    assert not takes_puzzle(queens)


@pytest.mark.parametrize("others", [
    "def find_empty(board): ...\n\ndef show(board): ...\n\n",
    "class Solution:\n    def isOk(self, board, row): ...\n\n    def step(self, board): ...\n\n"])
def test_the_only_solver_of_a_file_stands_for_it(others):
    inside = others.startswith("class")
    solver = (f"def solveSudoku({'self, ' * inside}board):\n"
              "    return sudoku.solve(tuple(sum(board, []))).solutions[0]\n")
    Path("one.py").write_text("from nqbench.problems import sudoku\n\n" + others
                              + indent(solver, "    " * inside))
    found = examination.check("one.py")
    assert (found.algorithm, found.form, found.verdict) == (
        "solveSudoku", "takes lists of numbers, and returns the solution", "right")


@pytest.mark.parametrize(("read", "says"), [
    ("input()", "; if it is a program, run it as a command: python3 asks.py < {puzzles}"),
    ("0", "asks.py has no algorithm; decorate a generator with @nqbench.algorithm, write a "
          "function of n or a puzzle alone, or run it as a command: python3 asks.py < {puzzles}")])
def test_a_program_that_solves_sudoku_is_run_for_puzzles(run, read, says):
    Path("asks.py").write_text(f"# Solve a Sudoku.\nrow = {read}\n\ndef fill(row, column): ...\n")
    assert says in refused(run("check", "asks.py"))


@STOPS
def test_a_function_that_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr(puzzles, "TRIED", 0.01)

    def endless(board):
        while True:
            pass
    with pytest.raises(ValueError, match=r"given lists of numbers, it takes more than 0\.01 s"):
        adapt(endless, "endless", "here.py::endless")
