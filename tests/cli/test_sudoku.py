"""The commands `nqbench sudoku`: what they print, and how they refuse."""

import io
import json
import sys
from xml.etree import ElementTree

import pytest
from conftest import refused

from nqbench.records.record import join, read
from nqbench.study import rating
from nqbench.sudoku import NAMES, Grid, data_set

EMPTY = "." * 81
FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
NONE = "12345678." + "........9" + "." * 63


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Room for all columns of all tables."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("form", [EMPTY, "0" * 81])
def test_the_empty_grid_has_a_first_solution(run, form):
    assert run("sudoku", "solve", form) == (0, f"{FIRST}\n", "")


@pytest.mark.parametrize("name", NAMES)
def test_every_solver_answers(run, name):
    grid = data_set("easy50")[0]
    status, out, err = run("sudoku", "solve", str(grid), "-a", name, "--json")
    found = json.loads(out)
    assert (status, err, found["algorithm"]) == (0, "", name)
    (puzzle,) = found["puzzles"]
    assert puzzle["puzzle"] == str(grid)
    assert Grid.of(puzzle["solutions"][0]).solved


def test_a_data_set_is_solved_line_by_line(run):
    status, out, _ = run("sudoku", "solve", "top95")
    assert status == 0
    for grid, line in zip(data_set("top95"), out.splitlines(), strict=True):
        solution = Grid.of(line)
        assert solution.solved
        assert all(a in (0, b) for a, b in zip(grid.digits, solution.digits, strict=True))


def test_a_narrow_table_of_puzzles_says_which_columns_it_drops(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, err = run("sudoku", "profile", "hardest", "--nodes", 10)
    assert max(map(len, out.splitlines())) <= 80
    assert " nodes " in out.splitlines()[2]
    assert err.splitlines()[0] == (
        "nqbench: a wider terminal, or --json, also shows tests_to_first, nodes_to_first, "
        "comparisons, scans")


def test_closed_standard_input_is_refused(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert refused(run("sudoku", "solve", "-")) == "standard input is closed"


def test_grids_and_drawings(run):
    _, out, _ = run("sudoku", "solve", EMPTY, "--format", "grid")
    assert out.splitlines()[0] == "1 2 3 | 4 5 6 | 7 8 9"
    _, out, _ = run("sudoku", "solve", "hardest", "--format", "svg")
    assert len(ElementTree.fromstring(out)) == 11


def test_standard_input_is_read(run, monkeypatch):
    rows = "\n".join(FIRST[9 * k:9 * k + 9] for k in range(9)).replace("1", ".")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    assert run("sudoku", "solve", "-") == (0, f"{FIRST}\n", "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"# nothing\n")))
    assert refused(run("sudoku", "solve", "-")) == "standard input holds no puzzle"


def test_what_has_no_solution_is_said_and_the_others_are_solved(run, tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{NONE}\n{FIRST}\n55{'.' * 79}\n")
    status, out, err = run("sudoku", "solve", path)
    assert (status, out) == (1, f"{FIRST}\n")
    assert err.splitlines() == ["nqbench: puzzle 1: no solution",
                                "nqbench: puzzle 3: no solution: row 1 has 5 twice"]


def test_a_search_gives_up_when_its_budget_is_spent(run):
    hard = str(data_set("top95")[0])
    status, out, err = run("sudoku", "solve", hard, "-a", "textbook_bitmask", "--nodes", 1000)
    assert (status, out) == (1, "")
    assert err.startswith("nqbench: puzzle 1: gave up after 1,000 nodes, ")
    status, out, _ = run("sudoku", "count", hard, "-a", "textbook", "--budget", 0.05)
    assert status == 1
    assert out.startswith("0 or more, gave up after ")


def test_count(run, tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{FIRST}\n{EMPTY}\n{NONE}\n55{'.' * 79}\n")
    assert run("sudoku", "count", path)[:2] == (
        0, "1, one\n2 or more, several\n0, none\n0, none (row 1 has 5 twice)\n")
    _, out, _ = run("sudoku", "count", path, "--limit", 1000, "--json")
    assert [puzzle["solutions"] for puzzle in json.loads(out)["puzzles"]] == [1, 1000, 0, 0]


def test_profile(run):
    _, out, _ = run("sudoku", "profile", "easy50", "-a", "textbook_bitmask", "--json")
    found = json.loads(out)["puzzles"]
    assert len(found) == 50
    assert (found[0]["nodes"], sum(found[0]["levels"]), found[0]["solutions"]) == (201, 201, 1)
    status, out, _ = run("sudoku", "profile", str(data_set("easy50")[0]))
    assert status == 0
    assert "│ nodes " in out
    status, out, err = run("sudoku", "profile", "hardest", "--nodes", 100)
    assert (status, out.count("\n")) == (1, 16)
    assert err.startswith("nqbench: gave up: puzzle 1, ")


def test_rate_prints_a_table_and_keeps_records(run, tmp_path):
    status, out, err = run("sudoku", "rate", "hardest", "-a", "fast", "-a", "fewest_first",
                           "--samples", 2, "--as-given", "--results", tmp_path)
    assert (status, err) == (0, "")
    assert "hardest: 11 puzzles, as given, each" in out
    kept = join(read(tmp_path, pytest.fail))
    assert [(r["algorithm"], r["implementation"]) for r in kept] == [
        ("fast", "cython"), ("fewest_first", "python"), ("fewest_first", "cython")]
    assert {len(r["samples"]) for r in kept} == {2 * 5}  # two rounds in each of five processes
    assert {sum(r["nodes"]) for r in kept[1:]} == {172}
    assert set(kept[0]["solutions"]) == {1}
    assert {(r["permuted"], r.get("seed")) for r in kept} == {(False, None)}


def test_rate_permutes_the_puzzles(run, tmp_path):
    words = ("sudoku", "rate", "hardest", "-a", "fewest_first", "-i", "cython",
             "--processes", 1, "--results", tmp_path)
    nodes = {}
    for seed in (0, 1):
        _, out, _ = run(*words, "--seed", seed, "--json")
        (record,) = json.loads(out)["records"]
        assert (record["permuted"], record["seed"]) == (True, seed)
        nodes[seed] = record["nodes"]
    assert nodes[0] != nodes[1]
    assert json.loads(run(*words, "--json")[1])["records"][0]["nodes"] == nodes[0]
    assert "hardest: 11 puzzles, permuted (seed 0), each" in run(*words)[1]


def test_of_a_very_large_file_some_puzzles_are_rated(run, tmp_path, monkeypatch):
    monkeypatch.setattr(rating, "MOST", 30)
    words = ("sudoku", "rate", "top95", "-a", "fast", "--processes", 1, "--results", tmp_path)
    (record,) = json.loads(run(*words, "--json")[1])["records"]
    assert (record["puzzles"], len(record["nodes"]), record["drawn_from"]) == (30, 30, 95)
    assert "top95: 30 puzzles, drawn at random from 95, permuted (seed 0), each" in run(*words)[1]
    assert not [fault for fault in read(tmp_path, pytest.fail) if fault["drawn_from"] != 95]


@pytest.mark.thorough
def test_the_slowest_puzzle_and_the_share_without_a_guess(run, tmp_path):
    path = tmp_path / "three.txt"
    hard = data_set("top95")[20]
    path.write_text(f"{FIRST}\n{hard}\n{FIRST}\n")
    _, out, _ = run("sudoku", "rate", path, "-a", "fewest_first", "-i", "python", "--json",
                    "--results", tmp_path / "r")
    (record,) = json.loads(out)["records"]
    assert record["slowest"]["puzzle"] == 2
    assert (record["data_set"], record["nodes"][0], record["guesses"][0]) == ("three", 1, 0)
    _, out, _ = run("sudoku", "rate", path, "-a", "fewest_first", "-i", "python", "--nodes", 3,
                    "--results", tmp_path / "r")
    row = [cell.strip() for cell in out.splitlines()[4].split("│")]
    assert row[5:7] == ["66.7%", "66.7%"]  # answered, and without a guess: of all puzzles


def test_a_part_of_what_was_asked_for_is_said_to_be_one(run):
    status, out, err = run("sudoku", "solve", EMPTY, "--limit", 1000, "--nodes", 300)
    assert status == 1
    assert 0 < len(out.splitlines()) < 1000
    assert err.startswith("nqbench: puzzle 1: gave up after ")


def test_a_solution_that_may_not_be_the_first_is_said_to_be(run):
    status, out, err = run("sudoku", "solve", EMPTY, "--nodes", 70)
    assert (status, Grid.of(out.strip()).solved) == (0, True)
    assert err.startswith("nqbench: puzzle 1: perhaps not the first solutions: gave up after ")


def test_a_profile_says_what_was_not_searched(run):
    status, _, err = run("sudoku", "profile", "11" + "." * 79)
    assert (status, err) == (0, "nqbench: puzzle 1: not searched: row 1 has 1 twice\n")


def test_rate_says_what_it_leaves_out(run, tmp_path):
    status, out, _ = run("sudoku", "rate", "top95", "-a", "textbook", "--budget", 0.2,
                         "--results", tmp_path)
    assert status == 0
    assert "textbook (python): left out: about " in out


def test_a_solver_that_answers_nothing_timed_out(run, tmp_path):
    words = "sudoku", "rate", data_set("top95")[20], "-a", "fewest_first", "-i", "python"
    limits = "--nodes", 3, "--results", tmp_path
    (record,) = json.loads(run(*words, *limits, "--json")[1])["records"]
    assert (record["status"], record["predicted"]) == ("timed out", None)
    assert [r["status"] for r in read(tmp_path, pytest.fail)] == ["timed out"]
    assert "fewest_first (python): no puzzle answered" in run(*words, *limits)[1]


@pytest.mark.parametrize(("words", "says"), [
    (["solve"], "solve needs FILE, as in `nqbench sudoku solve "),
    (["solve", "." * 80], "a puzzle must have 81 characters, not 80"),
    (["solve", "nowhere"], "there is no file 'nowhere'; nor is it one of the data sets easy50, "
                           "top95, hardest, diabolical, or a puzzle of 81 characters"),
    (["solve", "easy50", "-a", "quick"], "there is no algorithm of Sudoku 'quick'; there are "
                                         "textbook, textbook_bitmask, fewest_first, "),
    (["solve", "easy50", "-a", "fast", "-i", "python"],
     "fast has no implementation 'python', only cython"),
    (["solve", "easy50", "-a", "fast:mmx"], "fast has no kernel 'mmx' here, only "),
    (["solve", "easy50", "--limit", "0"], "--limit must be a whole number, 1 to 100,000, not '0'"),
    (["solve", "easy50", "--format", "png"], "there is no format 'png'"),
    (["count", "easy50", "--budget", "0"],
     "--budget must be a number of seconds above 0, not '0'"),
    (["solve", "easy50", "--limit", "100001"],
     "--limit must be a whole number, 1 to 100,000, not '100001'"),
    (["solve", "top95", "--limit", "3", "--format", "svg"],
     "--format svg draws at most 200 solutions, not 3 of 95 puzzles"),
    (["rate", "easy50", "-i", "rust"], "--implementation must be python or cython, not 'rust'"),
    (["rate", "11" + "." * 79], "puzzle 1 of "),
    (["guess"], "there is no command 'guess'"),
    (["solve", "easy50", "--fast"], "No such option '--fast'"),
])
def test_bad_requests_are_one_line(run, words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(run("sudoku", *words)).startswith(says)


def test_a_file_of_other_things_is_refused_with_its_line(run, tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EMPTY}\n1234\n")
    assert refused(run("sudoku", "solve", path)) == (
        "line 2: a grid has 81 cells (9 x 9), not 4: other sizes are not solved here")
    path.write_text("1234341221434321\n")
    assert refused(run("sudoku", "solve", path)).startswith("line 1: a grid has 81 cells")
    assert refused(run("sudoku", "solve", tmp_path)).startswith("there is no file")
