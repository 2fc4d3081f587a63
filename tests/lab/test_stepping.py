"""Each line that a search runs, its placement, its calls and its masks."""

import json
from textwrap import indent

import pytest
from exercises import EXERCISES
from hypothesis import given
from hypothesis import strategies as st
from tracer.code import load, locate, open_listing
from tracer.session import (
    OPENED,
    RACED,
    SLOW,
    answer,
    check_search,
    count_calls,
    race_searches,
)
from tracer.watching import find_recursive, learn, watch

from lab import STARTER as SIX
from lab import exercises
from nqbench.problems.queens import find

APPENDED = """\
def queens(n):
    found, board = [], []
    def extend(row):
        if row == n:
            found.append(board[:])
            return
        for column in range(1, n + 1):
            if all(column != c and abs(column - c) != row - r for r, c in enumerate(board)):
                board.append(column)
                extend(row + 1)
                board.pop()
    extend(0)
    return found
"""
COUNTS = SIX.replace(
    "if len(columns) == n:\n        yield columns", "total = len(columns) == n").replace(
    "yield from", "total +=") + "    return total\n"
METHOD = "class Solution:\n" + indent(SIX.replace("queens(n", "queens(self, n").replace(
    "from queens(self, ", "from self.queens("), "    ")
HELPER = "def show(board):\n    for c in board:\n        print('.' * c + 'Q')\n"
LOSES = SIX.replace("len(columns) - r)", "len(columns) - r, r - 3)")
RECURSIVE = [name for name in OPENED if find_recursive(open_listing(name))]


def ask(name, *arguments):
    return json.loads(answer(json.dumps([name, arguments])))


@pytest.mark.parametrize("name", RACED)
def test_a_listing_runs_as_it_is_without_counting_and_types(name):
    text = open_listing(name)
    assert "tally" not in text and "->" not in text and "Placements" not in text
    solutions = [*load(text).algorithm.solutions(6)]
    assert len(solutions) == (2 if name == "somers" else 4)


@pytest.mark.parametrize("name", RACED)
def test_what_a_listing_places_is_read_from_its_variables(name):
    trace = watch(load(open_listing(name)), 4, 20_000)
    assert trace.whole
    shown = {tuple(step["queens"]) for step in trace.steps}
    assert set(trace.solutions) <= shown


@pytest.mark.parametrize("text", [SIX, APPENDED, COUNTS])
def test_what_plain_code_places_is_read_from_its_variables(text):
    trace = watch(load(text), 5)
    assert trace.whole
    assert {*find("bitmask").solutions(5)} <= {tuple(step["queens"]) for step in trace.steps}
    assert all(len(step["queens"]) <= len(step["path"]) for step in trace.steps)


@pytest.mark.parametrize("name", RECURSIVE)
def test_the_calls_by_level_are_the_nodes_of_the_search(name):
    levels = find(name).profile(5, "python").levels
    rows = count_calls(load(open_listing(name)), 5)
    assert [row["calls"] for row in rows] == levels
    trace = watch(load(open_listing(name)), 5, 20_000)
    assert [sum(level == k for _, level in trace.nodes) for k in range(6)] == levels


def test_a_step_goes_back_where_a_call_has_ended():
    trace = watch(load(SIX), 4)
    for before, step in zip(trace.steps, trace.steps[1:], strict=False):
        assert step["back"] == (len(step["path"]) < len(before["path"]))
    assert sum(step["back"] for step in trace.steps) >= 16 - 4


def test_a_step_has_its_line_its_calls_and_the_text_of_its_variables():
    steps = watch(load(SIX), 4).steps
    lines = SIX.splitlines()
    deep = next(step for step in steps if step["queens"] == [1, 3, 0, 2])
    assert lines[deep["line"] - 1].strip() == "if len(columns) == n:"
    assert [name for name, _ in deep["stack"]] == ["queens"] * 5
    assert ("columns", "(1, 3, 0, 2)", None) in deep["variables"]
    assert steps[-1]["solutions"] == 2


def test_masks_are_shown_as_such():
    step = watch(load(open_listing("bitmask")), 4).steps[10]
    assert {name: mask for name, _, mask in step["variables"]}["full"] == 15


def test_a_recording_ends_at_its_limit_and_says_so():
    trace = watch(load(SIX), 8, 500)
    assert (len(trace.steps), trace.whole) == (500, False)
    assert ask("watch_search", SIX, 4)["whole"]


def test_an_exception_handler_of_a_search_does_not_stop_the_limit():
    text = ("def f(n):\n    while n > 6:\n        try:\n            n = n\n"
            "        except Exception:\n            pass\n    return 0\n")
    assert len(watch(load(text), 7, 50).steps) == 50


def test_a_wrong_search_is_shown_with_the_placement_that_it_loses():
    found = check_search(LOSES)
    assert not found["ok"] and found["drawn"]["kind"] == "missing"
    lost = found["drawn"]["placement"]
    assert tuple(lost) in {*find("bitmask").solutions(len(lost))}
    assert found["faults"][0]["text"].endswith("the first is (0 2 4 6 1 3 5)")
    attacked = check_search("from itertools import islice, permutations\ndef f(n):\n"
                            "    return list(islice(permutations(range(n)), 24))\n")
    assert attacked["drawn"] == {"placement": (0, 1), "kind": "wrong"}
    assert attacked["faults"][0]["text"] == (
        "n = 2: solution 1, (0 1), is wrong: the queens of rows 0 and 1 attack each other")


@pytest.mark.usefixtures("no_plugins")
def test_the_text_of_a_fault_of_a_decorated_search_counts_from_0():
    found = check_search("""\
import nqbench
@nqbench.algorithm(technique="mine")
def decorated(n, tally):
    def place(columns):
        tally.node(len(columns))
        if len(columns) == n:
            tally.solution()
            yield columns
            return
        for c in range(n):
            tally.test(len(columns), c)
            if (n < 4 or c or columns) and all(
                    abs(c - d) not in (0, len(columns) - r) for r, d in enumerate(columns)):
                yield from place((*columns, c))
    yield from place(())
""")
    assert found["queens"] == 6
    assert found["faults"][0]["text"].endswith(
        "the first is (0 2 4 1 3); below (* * * * *), at level 0, row 0, column 0 is refused")


@pytest.mark.parametrize("name", [name for name in RACED if name != "somers"])
def test_a_returned_list_is_counted_on_the_boards_that_are_drawn(name):
    search = load(open_listing(name)).function.__name__
    trace = watch(load(f"{open_listing(name)}\n\ndef every(n):\n    return [*{search}(n)]\n"), 4)
    many = [step["solutions"] for step in trace.steps]
    assert not trace.yields and many == sorted(many)
    assert (many[0], many[-1]) == (0, len(trace.solutions))


def test_input_is_refused_in_one_sentence_with_its_line():
    said = "input() is not available here; write the value into the code"
    for text in ("x = 1\nm = input()\ndef f(n): return m",
                 "def f(n):\n    m = input('Queens? ')\n    return m"):
        found = ask("check_search", text)
        assert (found["error"], found["line"]) == (said, 2)


@pytest.mark.parametrize(("text", "called"), [
    (METHOD, "Solution.queens"),
    (SIX + HELPER, "queens"),
    (SIX + "def main(n=8):\n    print(len(list(queens(n))))\n", "queens"),
    (SIX.replace("queens", "find_queens") + HELPER, "find_queens"),
    (SIX.replace("queens", "n_queens") + "def solve(board):\n    return len(board)\n", "n_queens"),
    (HELPER + "def get_queens(board_size):\n    return 0\n" + SIX, "queens"),
    (SIX.replace("queens", "place") + "def get_all(board_size):\n"
     "    return list(place(board_size))\n" + HELPER, "place"),
    (SIX.replace("queens", "show") + HELPER.replace("show", "draw"), "show"),
    (SIX.replace("queens", "first") + SIX.replace("queens", "second"), "second"),
    (SIX.replace("queens", "place") + "class Queens:\n    def __init__(self, n):\n"
     "        self.n = n\n    def solve(self):\n        return list(place(self.n))\n",
     "Queens.solve"),
])
def test_the_function_or_method_that_can_be_meant_is_checked_and_named(text, called):
    found = check_search(text)
    assert (found["ok"], found["algorithm"]) == (True, called)


def test_the_calls_of_a_method_that_calls_itself_are_counted():
    assert count_calls(load(METHOD)) == count_calls(load(SIX))
    assert race_searches(METHOD, "brute_force", 5)["racers"][0]["nodes"] == 54
    assert max(len(step["queens"]) for step in watch(load(METHOD), 5).steps) == 5


def test_where_no_function_takes_n_alone_the_likeliest_is_named():
    helper = "def is_safe(board):\n    return board[0]\n"
    for text, named in (
            ("def queens(n, row, cols):\n    yield cols\n", "queens(n, row, cols)"),
            ("def solve():\n    return 92\n", "solve()"),
            ("def place(a, b, c): ...\ndef add(a, b): ...\n", "add(a, b)"),
            ("class Queens:\n    def solve(self, row, col):\n        ...\n", "solve(row, col)")):
        assert ask("check_search", helper + text)["error"] == (
            f"there is no search: {named} does not take n alone; write a function of n that calls "
            "it, and returns or yields all solutions")
    assert ask("check_search", helper)["error"] == (
        "there is no search: write a function of n that returns or yields all solutions, such as "
        "def queens(n): ...")


def test_an_error_names_the_function_that_was_called():
    found = ask("check_search", "def place(cols):\n    return len(cols)\n")
    assert (found["line"], found["called"]) == (2, "place")
    assert found["error"] == "TypeError: object of type 'int' has no len()"
    assert ask("check_search", "x = y")["called"] is None


def test_a_line_in_a_module_of_python_is_not_called_one_of_the_text():
    found = ask("check_search", "import random\ndef f(n):\n    return random.choice([])\n")
    assert (found["line"], found["error"]) == (
        3, "IndexError: Cannot choose from an empty sequence")


def test_the_line_of_a_mistake_is_marked():
    found = ask("check_search", APPENDED.replace("board[:]", "board"))
    assert found["line"] == 5 and "; line 5: board is one list, which changes" in found["error"]


def test_a_module_an_argument_or_an_exit_that_a_page_does_not_have_is_said(monkeypatch):
    monkeypatch.setattr("sys.argv", [""])
    for text, line, said in (
            ("import numpy_of_nobody as np", 1, "No module named 'numpy_of_nobody': the lab has "
             "only the modules of Python itself; write the search without it"),
            ("import sys\nn = int(sys.argv[1])", 2,
             "sys.argv is empty here; write the value into the code"),
            ("def f(n):\n    raise SystemExit(1)", 2,
             "exit() is not available here; remove it, or write return in its place")):
        found = ask("check_search", text)
        assert (found["line"], found["error"]) == (line, said)


def test_a_dataclass_is_made():
    text = f"from dataclasses import dataclass\n@dataclass\nclass Board:\n    n: int\n{SIX}"
    assert ask("check_search", text)["ok"]


def test_nobody_is_told_to_yield_in_place_of_a_print_outside_of_functions():
    text = "count = 0\ndef solve(row):\n    global count\n    count += 1\nsolve(0)\nprint(count)\n"
    assert ask("check_search", text)["error"].startswith("it returns nothing: ")
    printed = ask("check_search", text.replace("count += 1", "print(row)  # a count"))
    assert printed["error"].startswith("it prints, and returns nothing")


def test_a_search_whose_answers_outlive_it_is_named_so_and_can_be_watched():
    listed = "found = []\n" + APPENDED.replace("found, board = [], []", "board = []")
    assert "does it keep answers" in check_search(listed)["faults"][0]["text"]
    assert ask("watch_search", listed, 5)["steps"]
    counted = "total = 0\n" + COUNTS.replace("queens", "count") + (
        "def queens(n):\n    global total\n    total += count(n)\n    return total\n")
    assert check_search(counted)["faults"][0]["text"].endswith(
        "a second call counts 62: something outlives a search, such as a cache or a global list")


@pytest.mark.thorough
@pytest.mark.parametrize("name", SLOW)
def test_the_races_that_are_for_fewer_queens_are_quick(name):
    race = race_searches(SIX, name, SLOW[name])
    assert all(racer["whole"] and racer["seconds"] < 1 for racer in race["racers"])


def test_a_search_without_any_solution_still_shows_one_that_it_loses():
    found = ask("check_search", SIX.replace("len(columns) - r)", "len(columns) - r, 3)"))
    assert found["drawn"] == {"placement": [1, 3, 0, 2], "kind": "missing"}
    assert found["error"] == "it finds no solution for 4 to 6 queens, though 4 queens have two"


@pytest.mark.parametrize(("text", "line", "said"), [
    ("x = 1", None, "there is no search: write a function of n"),
    ("def f(n)\n    return 0", 1, "SyntaxError: expected ':'"),
    ("import notthere\ndef f(n): return 0", 1, "No module named 'notthere'"),
    ("def f(n):\n    return m", 2, "NameError: name 'm' is not defined"),
    ("def f(n):\n    return f(n)", 2, "does it end?"),
    ("def f(n):\n    yield 'abc'", None, "which is not a number of solutions"),
    ("def f(n, m): return 0", None, "there is no search"),
])
def test_what_is_wrong_is_one_sentence_with_its_line(text, line, said):
    found = ask("check_search", text)
    assert found["line"] == line and said in found["error"] and "\n" not in found["error"]


@pytest.mark.thorough
def test_a_slow_search_is_checked_up_to_a_smaller_board():
    found = check_search(open_listing("brute_force"))
    assert found["ok"] and 4 <= found["max_n"] < 8


def test_a_search_that_finds_far_too_many_is_checked_up_to_a_smaller_board():
    found = check_search(SIX.replace("len(columns) - r)", "-1)"))
    assert not found["ok"] and found["max_n"] == 6
    assert found["faults"][0]["text"].startswith("n = 2: solution 1, (0 1), is wrong")


def test_a_race_counts_lines_nodes_and_solutions_of_both():
    mine, other = race_searches(SIX, "brute_force", 5)["racers"]
    assert (mine["nodes"], mine["solutions"], other["solutions"]) == (54, 10, 10)
    counted = find("brute_force").profile(5, "python")
    assert (other["nodes"], other["tests"]) == (counted.nodes, counted.tests)
    assert mine["lines"] < other["lines"] and mine["whole"] and other["whole"]
    assert mine["moments"][-1][0] <= mine["lines"]
    mirrored = race_searches(SIX, "somers", 6)["racers"][1]
    assert mirrored["lines"] > 0


@pytest.mark.usefixtures("no_plugins")
def test_a_search_with_a_cache_and_a_lambda_are_followed_as_for_the_first_time():
    kept = f"from functools import cache\n\n\n@cache\n{COUNTS}"
    lines = [race_searches(text, "recursive", 5)["racers"][0]["lines"] for text in (COUNTS, kept)]
    assert lines[0] == lines[1] > 500
    assert len(ask("watch_search", "queens = lambda n: 0", 4)["steps"]) == 1


def test_a_decorated_search_is_checked_and_raced_but_not_stepped_through():
    text = ('import nqbench\n@nqbench.algorithm(technique="mine", tree="none")\n'
            "def decorated(n, tally):\n    yield from nqbench.solutions(n)\n")
    assert ask("check_search", text)["ok"]
    assert "remove the decorator" in ask("watch_search", text, 4)["error"]
    assert ask("race_searches", text, "bitmask", 4)["racers"][0]["lines"] is None


@given(st.integers(4, 6), st.permutations(range(3)))
def test_the_order_of_candidates_changes_no_level(n, order):
    text = SIX.replace("range(n):", f"sorted(range(n), key=lambda c: {order}[c % 3]):")
    assert [row["calls"] for row in count_calls(load(text), n)] == [
        row["plain"] for row in count_calls(load(SIX), n)]


def test_an_error_is_located_in_the_text_alone():
    assert locate(ValueError("no")) == (None, "ValueError: no")
    assert learn(load("def f(n):\n    return 0 if n in (2, 3) else 1\n")) is None


def test_an_exercise_of_the_notebooks_is_checked_by_their_file():
    text = "def lowest_bit(mask):\n    return {}\n"
    assert ask("check_exercise", text.format("mask & -mask"), "lowest_bit")["right"]
    dots = ask("check_exercise", text.format("..."), "lowest_bit")
    assert not dots["right"] and "Replace the dots" in dots["text"]
    assert "no function lowest_bit" in ask("check_exercise", "x = 1\n", "lowest_bit")["error"]


def test_the_lab_has_every_exercise_of_the_notebooks():
    assert {each["name"] for each in exercises()} == set(EXERCISES)
    assert all(each["code"].startswith(f"def {each['name']}(") and "..." in each["code"]
               and each["task"] for each in exercises())
