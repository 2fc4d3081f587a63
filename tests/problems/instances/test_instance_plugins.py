"""External algorithms for instances of queens, and for Sudoku."""

import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from conftest import refused

import nqbench
from nqbench.checking.findings import Findings
from nqbench.checking.following import read_twice
from nqbench.cli.check import TEMPLATES
from nqbench.errors import InvalidValueError, PluginError
from nqbench.explain.trace import Trace, follow
from nqbench.problems import PROBLEMS, SolverKey, instances, plugins, sudoku
from nqbench.problems.instances import Board
from nqbench.problems.plugins import decorator
from nqbench.search.tally import GaveUpError
from nqbench.util.discovery import Members

SOURCE = TEMPLATES["instances"].format(title="Mine", name="mine", file='"mine.py"')
QUEENS = TEMPLATES["queens"].format(title="Ours", name="ours", file='"ours.py"')
SEEDED = '''"""One solution, or none."""
import nqbench


@nqbench.algorithm(problem="instances", finds="one solution", tree="none", complete=False)
def guess(board, tally, seed=0):
    tally.node(0)
    if seed == 7:
        tally.solution()
        yield next(iter(nqbench.problems.instances.find("bitmask").solutions(board)))
'''
BOARD = Board(8, placed=((0, 0),))

pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with mine.py, of instances; ours.py, of queens; both.py; and guess.py, which takes a
    seed."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(SOURCE)
    Path("ours.py").write_text(QUEENS)
    Path("both.py").write_text((SOURCE + QUEENS).replace("mine(", "mine_too(").replace(
        "ours(", "ours_too("))
    Path("guess.py").write_text(SEEDED)
    return tmp_path


@pytest.mark.parametrize("notation", ["mine.py", "mine.py::mine", "mine::mine", "both.py",
                                      "both.py::mine_too"])
def test_every_notation_names_an_algorithm_of_instances(here, notation):
    found = instances.find(notation)
    assert isinstance(found, instances.Search)
    assert found.count(BOARD) == instances.find("bitmask").count(BOARD) == 4
    assert found.profile(BOARD).levels == instances.find("row_by_row").profile(BOARD).levels


def test_the_algorithm_itself_is_taken_in_place_of_a_name(here):
    mine = instances.find("mine.py")
    assert instances.find(mine) is instances.find("mine") is mine
    assert instances.solve(BOARD, mine, limit=9).found == 4
    assert next(mine(BOARD, mine.tally(BOARD))) == (0, 4, 7, 5, 2, 6, 1, 3)
    assert SolverKey("mine", "python", problem="instances").find().algorithm is mine
    mine.compare_builds()


@pytest.mark.parametrize(("problem", "instance"), [("instances", Board(30)), ("queens", 30)])
def test_a_search_that_catches_every_error_still_gives_up(problem, instance):
    @nqbench.algorithm(problem=problem)
    def catching(board, tally):
        try:
            tally.node(0)
            tally.node(1)
        except Exception:
            return
        yield ()

    given_up = catching.solve(instance, nodes=1)
    assert (given_up.answer, given_up.solvable) == ("gave up", None)
    assert given_up.gave_up.startswith("gave up after 1 node,")
    assert str(pickle.loads(pickle.dumps(GaveUpError(1, 0.5)))) == "gave up after 1 node, 0.50 s"
    with pytest.raises(GaveUpError):
        follow(instance, catching, Trace(instance, bool, nodes_allowed=1))
    with pytest.raises(GaveUpError):
        read_twice(partial(catching, instance), partial(catching.tally, instance, nodes=1),
                   catching, 30, "n=30", Findings("catching", 30))


def test_attributes_are_those_of_the_searches_in_instances(here, run):
    guess = instances.find("guess.py::guess:7")
    assert (guess.complete, guess.exhaustive, guess.parameters) == (False, False, {"seed": 7})
    assert guess.solve(BOARD).answer == "found"
    assert instances.find("guess").solve(BOARD).answer == "gave up"
    assert run("solve", "n=6", "-a", "guess.py::guess:7")[:2] == (0, "1 3 5 0 2 4\n")
    assert "guess finds one solution and cannot count" in refused(
        run("count", "n=6", "-a", "guess.py"))


@pytest.mark.parametrize(("words", "message"), [
    (("count", "n=6", "-a", "ours.py"),
     "ours.py has no algorithm of instances, only ours of queens"),
    (("count", "n=6", "-a", "ours.py::ours"),
     "ours is an algorithm of queens, not of instances"),
    (("count", "n=6", "-a", "somers"), "somers is an algorithm of queens, not of instances"),
    (("count", "n=6", "-a", "mine.py@python"), "@python is not supported here"),
    (("count", "n=6", "-a", "mine.py::mine:7"), "mine takes no parameter"),
    (("verify", "-a", "mine.py"), "mine.py has no algorithm of queens")])
def test_an_algorithm_of_another_problem_gets_one_line(here, run, words, message):
    assert message in refused(run(*words))


def test_an_algorithm_for_instances_searches_the_empty_board_for_n(here, run):
    for place in ("mine.py", "mine.py::mine"):
        assert run("count", 6, "-a", place) == run("count", "n=6", "-a", place) == (
            0, "4, several\n", "")


def test_one_file_has_algorithms_of_several_problems(here):
    assert nqbench.count(6, "both.py") == 4
    assert [each.name for each in plugins.find_all("both.py")] == ["ours_too"]
    assert [each.problem for each in plugins.find_all("both.py", None)] == ["instances", "queens"]


@pytest.mark.parametrize(("old", "new", "message"), [
    ("yield tuple(columns)", "yield tuple(columns[::-1])",
     r"the plug-in mine yields \(3, 1, .*, which is no solution of 'n=8 placed=0:0'"),
    ("yield tuple(columns)", "yield 7", "the plug-in mine yields 7, which is no solution"),
    ("yield tuple(columns)", "yield ['a'] * 8", r"the plug-in mine yields \['a', .* no solution")])
def test_what_solves_no_instance_is_refused(here, run, old, new, message):
    Path("mine.py").write_text(SOURCE.replace(old, new))
    for ask in (lambda mine: mine.solve(BOARD), lambda mine: list(mine.solutions(BOARD))):
        with pytest.raises(PluginError, match=message):
            ask(instances.find("mine.py"))
    assert "which is no solution of 'n=8 placed=0:0'" in refused(
        run("solve", "n=8 placed=0:0", "-a", "mine.py"))


@pytest.mark.parametrize(("name", "attributes", "message"), [
    ("fewest_rows", {}, "'fewest_rows' is taken by a built-in algorithm"),
    ("somers", {}, "'somers' is taken by a built-in algorithm"),
    ("mine", {"mirrors": bool}, "mine: got an unexpected keyword argument 'mirrors'"),
    ("mine", {"problem": "instance"}, "there is no problem 'instance'; did you mean instances?"),
    ("mine", {"problem": "queens", "complete": True}, "unexpected keyword argument 'complete'")])
def test_attributes_of_another_problem_are_refused(name, attributes, message):
    def mine(board, tally):
        yield ()

    with pytest.raises((TypeError, ValueError), match=message.replace("?", r"\?")):
        nqbench.algorithm(mine, name=name, **{"problem": "instances", **attributes})


def test_a_problem_without_a_class_takes_no_algorithms(monkeypatch):
    decorator._find_class.cache_clear()
    none = replace(PROBLEMS["sudoku"], search=None)
    monkeypatch.setattr(decorator, "PROBLEMS", Members("problem", {"sudoku": none}))
    with pytest.raises(InvalidValueError, match="the problem sudoku takes no external algorithms"):
        nqbench.algorithm(lambda givens, tally: iter(()), name="mine", problem="sudoku")


def test_a_notebook_sends_its_algorithm_by_value(here):
    cloudpickle = pytest.importorskip("cloudpickle")
    space = {"__name__": "__main__"}
    exec(SOURCE, space)
    sent = pickle.loads(cloudpickle.dumps(space["mine"]))
    assert (type(sent), sent.name) == (type(space["mine"]), "mine")
    assert next(sent(BOARD, sent.tally(BOARD))) == (0, 4, 7, 5, 2, 6, 1, 3)


def test_an_algorithm_of_sudoku_is_made_in_the_same_way(run):
    digits = (4, 8, 3, 9, 2, 1, 6, 5, 7)

    @nqbench.algorithm(problem="sudoku")
    def by_heart(givens, tally):
        tally.node(0)
        yield digits

    with pytest.raises(PluginError, match="by_heart yields"):
        sudoku.solve(sudoku.Grid.of("." * 81), by_heart)
    solved = sudoku.find("fewest_first").solve((0,) * 81).solutions[0]
    digits = solved
    assert sudoku.solve(sudoku.Grid.of("." * 81), by_heart).found == 1
