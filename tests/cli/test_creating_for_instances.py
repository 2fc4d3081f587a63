"""The commands `new` and `check` for algorithms of instances, and what a check finds."""

import json
from functools import partial

import pytest
from test_creating import change

import nqbench
from nqbench.checking import check, examination
from nqbench.cli.check import describe
from nqbench.problems.instances import catalogue, parse
from nqbench.problems.instances.families import FAMILIES

pytestmark = pytest.mark.usefixtures("no_plugins")
ATTACKED = "board.attacked(r, columns[r], row) >> column & 1"


@pytest.fixture
def here(tmp_path, monkeypatch, run):
    """A folder with the template, my_idea.py."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "my_idea.py", "--problem", "instances")[0] == 0
    return tmp_path


@pytest.fixture
def changed(here):
    """Check the template with texts replaced, for n up to 5."""
    return partial(change, max_n=5)


def screen(findings):
    return describe(json.loads(json.dumps(findings.as_dict())))


def test_the_template_is_right(here):
    findings = check("my_idea.py", 5)
    assert (findings.ok, findings.verdict, findings.algorithm) == (True, "right", "my_idea")
    assert {*FAMILIES, "torus"} == {each.family for each in findings.instances}
    assert all(0 < each.solvable < each.many for each in findings.instances)
    lines = screen(findings)
    assert lines[1].startswith("  instances  120 of completion, blocked, excluded, torus, n = 1 to")
    assert "by bitmask: the same" in lines[3]
    assert lines[-1] == "my_idea is right up to n = 5"


@pytest.mark.parametrize("name", [
    name if search.tree == "none" or search.order % 10 == 0
    else pytest.param(name, marks=pytest.mark.thorough)
    for name, search in catalogue().items() if name != "min_conflicts"])
def test_nothing_is_wrong_with_the_built_in_searches(name):
    assert check(catalogue()[name], 4).faults == []


def test_boards_are_small_the_same_every_time_and_of_all_kinds():
    boards = [board for _, board in examination.draw_boards(9)]
    assert boards == [board for _, board in examination.draw_boards(9)]
    assert {board.n for board in boards} == set(range(1, examination.LARGEST_INSTANCE + 1))
    assert not any(board.contradiction for board in boards)


def test_unsound_pruning_shows_the_instance_and_the_solution_that_is_lost(changed):
    findings = changed((ATTACKED, f"({ATTACKED} or (row, column) == (2, 3))"))
    (fault,) = findings.faults
    assert findings.verdict == "unsound pruning: it loses solutions"
    board = parse(fault.instance)
    assert board.is_solution(fault.placement)
    assert fault.placement[2] == 3
    assert fault.text.startswith(f"{fault.instance}: ")
    assert "solutions are missing, the first is" in fault.text
    assert fault.text.endswith("row 3, column 4 is refused")
    lines = screen(findings)
    drawn = lines.index(next(line for line in lines if line.startswith("  missing"))) + 1
    assert [line.split() for line in lines[drawn:drawn + board.n]] == [
        [("Q" if (row, fault.placement[row]) in board.placed else "q")
         if column == fault.placement[row] else "x" if (row, column) in board.blocked else "."
         for column in range(board.n)] for row in range(board.n)]


def test_a_search_for_one_solution_must_find_it_where_there_is_one(changed):
    pairs = [('"instances",', '"instances", finds="one solution",'),
             ("        for column in", "        if board.blocked:\n            return\n"
              "        for column in")]
    (fault,) = changed(*pairs).faults
    assert "it finds no solution, but (" in fault.text
    assert changed(("finds=", "complete=False, finds=")).ok


@pytest.mark.parametrize(("new", "level", "text"), [
    ("if level: tally.node(level)", 0, "levels says 0 nodes, but the search reached at least 1"),
    ("tally.node(0)", 1, "levels says 0 nodes, but the search reached at least 1")])
def test_a_search_for_one_solution_counts_its_root_and_its_solution(changed, new, level, text):
    fault = changed(('"instances",', '"instances", finds="one solution",'),
                    ("tally.node(level)", new), max_n=1).faults[0]
    assert (fault.kind, fault.counter, fault.level) == ("counter", "levels", level)
    assert text in fault.text


@pytest.mark.parametrize(("old", "new", "kind", "text"), [
    (" and not any(", " and (True or ", "wrong", "n=2: solution 1, (1 1), is no solution of it"),
    ("            return", "            tally.solution(); yield tuple(columns)\n            return",
     "wrong", "n=1: solution 2 is solution 1 again: (1)"),
    ("yield tuple(columns)", "if columns[0]:\n                yield tuple(columns)", "missing",
     "nothing is yielded"),
    ("yield tuple(columns)", "yield columns", "shape", "n=1: it yields a list, [0]; yield tuple("),
    ("tally.exhausted(level)", "tally.exhausted(0)", "counter",
     "dead_levels says 0 dead ends, but"),
    ("tally.solution()", "tally.solution(); tally.solution()", "counter",
     "n=1: tally.solution() was called 2 times, but 1 placements were yielded"),
    ("tally.node(level)", "tally.node(level); tally.node(level)", "counter",
     "n=1, level 0: the root is counted 2 times, not once")])
def test_each_mistake_is_told_from_the_others(changed, old, new, kind, text):
    findings = changed((old, new), max_n=2 if kind != "counter" else 3)
    assert findings.faults[0].kind == kind
    assert text in findings.faults[0].text
    assert screen(findings)[-1].startswith("my_idea is wrong: ")


def test_a_counter_that_it_does_not_report_is_no_mistake(changed):
    findings = changed(("tally.exhausted(level)", "pass"), max_n=3)
    assert findings.ok
    assert any("does not count dead ends: add tally.exhausted(level)" in line
               for line in screen(findings))
    findings = changed(("tally.node(level)", "pass"), max_n=3)
    assert findings.ok
    assert "prunes" not in "".join(screen(findings))


def test_the_nodes_are_compared_with_those_of_the_plain_search():
    plain, own = check(catalogue()["arc_consistency"], 3).nodes
    assert own < plain == sum(catalogue()["bitmask"].profile(board).nodes
                              for _, board in examination.draw_boards(3))
    assert check(catalogue()["restarts_luby"], 3).nodes is None


@pytest.mark.parametrize(("search", "kind", "says"), [
    (lambda givens, tally: iter([givens]), "wrong", "the plug-in mine yields ("),
    (lambda givens, tally: iter([]), "wrong", "puzzle 1, python: it finds 0 solutions, not 1"),
    (lambda givens, tally: iter([1 // 0]), "raises", "ZeroDivisionError")])
def test_a_wrong_algorithm_of_sudoku_is_found_to_be_wrong(search, kind, says):
    @nqbench.algorithm(problem="sudoku")
    def mine(givens, tally):
        yield from search(givens, tally)

    found = check(mine)
    assert any(fault.kind == kind and says in fault.text for fault in found.faults)
