"""The commands `nqbench instances`: what they print, and how they refuse."""

import json
import sys

import pytest
from conftest import refused

from nqbench.problems import formats, instances


def test_instances_are_printed_one_a_line(run):
    status, out, err = run("instances", "make", "completion", "-n", "50", "-k", "10", "--many",
                           "100", "--seed", "1")
    boards = list(map(instances.parse, out.splitlines()))
    assert (status, err, len(boards)) == (0, "", 100)
    assert {(board.n, len(board.placed), board.contradiction) for board in boards} == {
        (50, 10, "")}


@pytest.mark.parametrize(("words", "kind"), [
    (["blocked", "-n", "8", "-k", "12"], "blocked"),
    (["excluded", "-n", "8", "-k", "4"], "sums"),
    (["torus", "-n", "11", "-k", "2"], "torus")])
def test_each_family_has_its_generator(run, words, kind):
    status, out, _ = run("instances", "make", *words, "--many", "3", "--json")
    assert status == 0
    assert len(out.splitlines()) == 3
    assert all(kind in json.loads(line) for line in out.splitlines())


def test_a_drawing_has_a_solution_or_says_that_there_is_none(run):
    assert run("instances", "draw", "n=4 placed=0:1 sums=6", "--solved") == (
        0, ". Q . .\n. . . q\nq . . .\n. . q x\n", "")
    assert run("instances", "draw", "n=3", "--solved") == (
        1, ". . .\n. . .\n. . .\n", "nqbench: instance 1: none\n")


@pytest.mark.parametrize(("words", "message"), [
    (["make", "completion", "-n", "8", "-k", "9"], "placed must be at most 8 for n = 8, not 9"),
    (["make", "completion", "-n", "8", "-k", "2", "--seed", "x"],
     "--seed must be a whole number, 0 or more, not 'x'"),
    (["make", "completion", "-n", "0", "-k", "0"], "-n must be a whole number, 1 or more, not '0'"),
    (["make", "completion", "-n", 400, "-k", 399], "found in 3 tries; place fewer"),
    (["make", "random", "-n", "8", "-k", "2"], "there is no family 'random'"),
    (["export", "n=4", "--format", "sat"], "there is no format 'sat'; there are minizinc, mzn"),
    (["export", "n=4"], "export needs --format"),
    (["export", "8", "--format", "opb"], "export takes instances and sudoku, not queens"),
    (["export", "easy50", "--format", "opb"], "easy50 holds more than one puzzle"),
    (["export", "n=14", "--format", "opb", "--count", "--budget", "0.05"],
     "solutions; raise --budget, or omit --count"),
    (["export", "n=4", "--format", "opb", "--out", "none/x"], "--out must be a file that can"),
    (["import"], "import needs FILE"), (["import", "none"], "FILE must be a file that can be"),
    (["import", "/dev/null"], "must be a file, not a device")])
def test_a_bad_request_is_one_line(run, monkeypatch, words, message):
    monkeypatch.setattr("nqbench.problems.instances.families.DRAWS", 500_000)
    assert message in refused(run("instances", *words))


PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture
def queens(run, tmp_path):
    """The file of an instance with two solutions."""
    assert run("instances", "export", "n=6 blocked=0:1,0:2", "--format", "opb", "--count", "--out",
               tmp_path / "queens.opb") == (0, "", "")
    return tmp_path / "queens.opb"


@pytest.mark.parametrize("kind", formats.FORMATS)
def test_an_instance_is_exported_to_standard_output(run, kind):
    board = instances.Board(4, placed=((0, 1),))
    assert run("instances", "export", "n=4 placed=0:1", "--format", kind) == (
        0, formats.write(board, kind), "")


def test_a_puzzle_is_exported_with_its_number_of_solutions(run):
    status, out, _ = run("instances", "export", PUZZLE, "--format", "cnf-product", "--count")
    assert status == 0
    assert out.startswith(f"c format: cnf-product\nc instance: {PUZZLE}\nc solutions: 1\n")


def test_an_instance_that_contradicts_itself_has_no_solution(run):
    _, out, _ = run("instances", "export", "n=4 placed=0:0,1:1", "--format", "dzn", "--count")
    assert "% solutions: 0\n" in out


def test_the_help_of_export_says_what_each_format_is(run):
    _, out, _ = run("instances", "export", "--help")
    listed = [word.strip(",") for line in out.splitlines() for word in line.split()[:2]]
    assert {*formats.FORMATS} <= {*listed}


def test_solutions_of_another_solver_are_printed(run, queens, tmp_path):
    (tmp_path / "log").write_text("v x4 x7 x17 x20 x30 x33\ns SATISFIABLE\n", "utf-8")
    assert run("instances", "import", queens, tmp_path / "log") == (
        0, "3 0 4 1 5 2\n", "nqbench: 1 of 2 solutions\n")


def test_solutions_are_read_from_standard_input(run, feed, tmp_path):
    (tmp_path / "puzzle").write_text(formats.write(instances.Board(1), "minizinc"), "utf-8")
    feed("q = [0];\n----------\n")
    assert run("instances", "import", tmp_path / "puzzle") == (0, "0\n", "")


def test_a_solution_that_does_not_fit_fails_with_the_first_violated_constraint(
        run, queens, tmp_path):
    (tmp_path / "log").write_text("v x2 x10 x18 x19 x27 x35\n", "utf-8")
    assert run("instances", "import", queens, tmp_path / "log") == (
        1, "", "nqbench: solution 1 does not fit the instance: q[0] = 1 is excluded\n")


@pytest.mark.parametrize(("output", "message"), [
    (None, "SOLUTION must be a file that can be read, not "),
    (b"", "SOLUTION has no solution in the form of opb: literals"),
    (b"\xff\x00\n", "SOLUTION has no solution in the form of opb: literals"),
    (b"v x1 x2 what", "line 1 of SOLUTION must be v and literals such as 5, -5, x5 or -x5"),
    (b"1" * (1 << 24) + b"1", "has more than 16,777,216 bytes")])
def test_an_output_that_cannot_be_read_is_one_line(run, queens, tmp_path, output, message):
    if output is not None:
        (tmp_path / "log").write_bytes(output)
    assert message in refused(run("instances", "import", queens, tmp_path / "log"))


def test_a_standard_input_that_is_closed_or_endless_is_one_line(run, queens, feed, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "SOLUTION has no solution" in refused(run("instances", "import", queens))
    feed("1 " * (1 << 23) + "1")
    assert "SOLUTION must have at most 16,777,216 bytes" in refused(
        run("instances", "import", queens))
