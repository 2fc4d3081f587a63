"""The commands `nqbench instances`: what they print, and how they refuse."""

import io
import json
import sys
from xml.etree import ElementTree

import pytest
from conftest import refused

from nqbench import instances


def test_instances_are_printed_one_a_line(run):
    status, out, err = run("instances", "completion", "-n", "50", "--placed", "10", "--many", "100",
                           "--seed", "1")
    boards = list(map(instances.parse, out.splitlines()))
    assert (status, err, len(boards)) == (0, "", 100)
    assert {(board.n, len(board.placed), board.contradiction) for board in boards} == {
        (50, 10, "")}


@pytest.mark.parametrize(("words", "kind"), [
    (["blocked", "-n", "8", "--blocked", "12"], "blocked"),
    (["excluded", "-n", "8", "--excluded", "4"], "sums"),
    (["torus", "-n", "11", "--placed", "2"], "torus")])
def test_each_family_has_its_generator(run, words, kind):
    status, out, _ = run("instances", *words, "--many", "3", "--json")
    assert status == 0
    assert len(out.splitlines()) == 3
    assert all(kind in json.loads(line) for line in out.splitlines())


def test_the_solutions_of_a_file_are_printed(run, tmp_path):
    path = tmp_path / "boards"
    path.write_text("# two\nn=8 placed=0:0\nn=4\n")
    assert run("instances", "solve", str(path)) == (0, "0 4 7 5 2 6 1 3\n1 3 0 2\n", "")


def test_instances_come_from_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"n=4\n")))
    assert run("instances", "solve", "-")[:2] == (0, "1 3 0 2\n")


def test_an_instance_without_a_solution_is_named(run, tmp_path):
    path = tmp_path / "boards"
    path.write_text("n=4\nn=3\nn=4 placed=0:0,1:1\n")
    assert run("instances", "solve", str(path)) == (
        1, "1 3 0 2\n", "nqbench: instance 2: none\nnqbench: instance 3: none: the queens of rows "
                        "0 and 1 attack each other\n")


def test_solutions_are_counted(run):
    assert run("instances", "count", "n=7 torus") == (0, "28, several\n", "")
    assert run("instances", "count", "n=8", "--limit", "50") == (0, "50 or more, several\n", "")
    status, out, _ = run("instances", "count", "n=8", "--nodes", "9", "--json")
    assert (status, json.loads(out)["or_more"]) == (1, True)


def test_a_profile_has_the_counters_of_the_search(run):
    status, out, _ = run("instances", "profile", "n=6 placed=0:1", "-a", "bitmask", "--json")
    (found,) = json.loads(out)["instances"]
    assert status == 0
    assert found["nodes"] == instances.solve(
        instances.parse("n=6 placed=0:1"), "bitmask").counters["nodes"]


def test_a_drawing_says_which_instance_has_no_solution(run):
    status, out, err = run("instances", "draw", "n=3", "--solved")
    assert (status, out, err) == (1, ". . .\n. . .\n. . .\n", "nqbench: instance 1: none\n")


def test_instances_are_drawn(run):
    assert run("instances", "draw", "n=4 placed=0:1 sums=6", "--solved") == (
        0, ". Q . .\n. . . q\nq . . .\n. . q x\n", "")
    status, out, _ = run("instances", "draw", "n=4 placed=0:1", "--format", "svg", "--solved")
    assert status == 0
    assert len([each for each in ElementTree.fromstring(out).iter() if each.tag.endswith("use")]
               ) == 4


def test_a_trace_shows_placed_queens_in_brackets_and_why_a_square_is_refused(run):
    status, out, err = run("instances", "trace", "n=5 placed=0:1 blocked=1:3", "-a", "row_by_row")
    lines = out.splitlines()
    assert (status, err, lines[-1]) == (0, "", "   26  ([2] 5 3 1 4)  solution")
    assert lines[:4] == ["    1  ([2] * * * *)  conflict: row 2, column 1 is attacked from row 1",
                         "    2  ([2] * * * *)  conflict: row 2, column 2 is attacked from row 1",
                         "    3  ([2] * * * *)  conflict: row 2, column 3 is attacked from row 1",
                         "    4  ([2] * * * *)  conflict: row 2, column 4 is blocked"]
    assert "row 1, column 2 is on an excluded diagonal" in run(
        "instances", "trace", "n=4 sums=1", "-a", "row_by_row", "--all")[1]


def test_a_trace_is_json_that_holds_its_instance(run):
    status, out, _ = run("instances", "trace", "n=4 placed=0:1", "-a", "bitmask", "--json")
    found = json.loads(out)
    assert (status, found["instance"], found["algorithm"]) == (
        0, {"n": 4, "placed": [[0, 1]]}, "bitmask")
    assert found["steps"][-1] == {"kind": "solution", "square": None,
                                  "queens": [[1, 3], [2, 0], [3, 2]], "attackers": []}


def test_a_trace_and_a_tree_end_where_the_search_gives_up(run):
    for words in (["trace", "n=8", "--all"], ["trace", "n=8", "--all", "--json"], ["tree", "n=6"]):
        status, out, err = run("instances", *words, "-a", "bitmask", "--nodes", "5")
        assert (status, err[:32]) == (1, "nqbench: gave up after 5 nodes, ")
        assert out
    assert len(json.loads(run("instances", "trace", "n=8", "--all", "--json", "--nodes", "5")[1])[
        "steps"]) == 4


def test_the_tree_of_an_instance_is_drawn_in_every_format(run, tmp_path):
    words = ["instances", "tree", "n=5 placed=0:1", "-a", "forward_checking"]
    assert run(*words)[1].splitlines()[:2] == ["([2] * * * *)", "├── ([2] 4 * * *)"]
    nodes = json.loads(run(*words, "--json")[1])["nodes"]
    for name, mark in (("t.svg", "<rect"), ("t.dot", "[label="), ("t.txt", "([2]")):
        status, out, _ = run(*words, "--out", tmp_path / name)
        assert (status, out[:9]) == (0, f"{len(nodes)} nodes ")
        assert (tmp_path / name).read_text("utf-8").count(mark) == len(nodes)


def test_a_file_of_several_instances_is_not_traced(run, tmp_path):
    path = tmp_path / "boards"
    path.write_text("n=4\nn=5\n")
    for name in ("trace", "tree"):
        assert refused(run("instances", name, path)) == (
            f"{path} holds more than one instance; give one of them")


@pytest.mark.parametrize(("words", "message"), [
    (["completion", "-n", "8", "--placed", "9"], "placed must be at most 8 for n = 8, not 9"),
    (["completion", "-n", "8", "--placed", "2", "--seed", "x"],
     "--seed must be a whole number, 0 or more, not 'x'"),
    (["completion", "-n", "0", "--placed", "0"], "-n must be a whole number, 1 or more, not '0'"),
    (["solve", "n=8 torus blocked=0:0"], "a torus must have no blocked squares"),
    (["solve", "n=8 queens=0:0"], "an instance has no 'queens', only n=N, placed="),
    (["solve", "n=900"], "n must be at most 400 for an instance, not 900"),
    (["solve", "nowhere"], "there is no file 'nowhere', nor is it an instance"),
    (["solve", "n=8", "-a", "bitmap"], "did you mean bitmask"),
    (["solve", "n=8", "--nodes", "0"], "--nodes must be a whole number, 1 or more, not '0'"),
    (["solve", "n=8", "--backtracks", "0"], "--backtracks must be a whole number, 1 or more"),
    (["solve", "n=8", "--budget", "0"], "--budget must be a number of seconds above 0"),
    (["count", "n=8", "-a", "min_conflicts"], "min_conflicts finds one solution and cannot count"),
    (["trace", "n=8", "-a", "min_conflicts"], "min_conflicts does not backtrack and has no tree"),
    (["tree", "n=8", "-a", "min_conflicts"], "min_conflicts does not backtrack and has no tree"),
    (["trace", "n=8", "--all", "--limit", "2"], "--limit 2 and --all exclude each other"),
    (["trace", "n=4 placed=0:0,1:1"], "the queens of rows 0 and 1 attack each other"),
    (["tree", "n=8", "--out", "tree.png"], "--out must end in .txt, .dot, .svg, not 'tree.png'"),
    (["draw", "n=8", "--format", "png"], "there is no format 'png'; there are text, svg")])
def test_a_bad_request_is_one_line(run, words, message):
    assert message in refused(run("instances", *words))
