"""The commands `nqbench sudoku`: what they print, and how they refuse."""

import json

import pytest
from conftest import refused

from nqbench.problems.sudoku import data_set
from nqbench.records.record import join, read
from nqbench.topics.sudoku import rates

FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Room for all columns of all tables."""
    monkeypatch.setenv("COLUMNS", "200")


def test_rate_prints_a_table_and_keeps_records(run, tmp_path):
    status, out, err = run("sudoku", "rate", "hardest", "-a", "fast", "-a", "fewest_first",
                           "--samples", 2, "--as-given", "--processes", 2, "--budget", 2,
                           "--results", tmp_path)
    assert (status, err) == (0, "")
    assert "hardest: 11 puzzles, as given, each" in out
    kept = join(read(tmp_path, pytest.fail))
    assert [(r["algorithm"], r["implementation"]) for r in kept] == [
        ("fast", "cython"), ("fewest_first", "python"), ("fewest_first", "cython")]
    assert {len(r["samples"]) for r in kept} == {2 * 2}  # two rounds in each of two processes
    assert {sum(r["nodes"]) for r in kept[1:]} == {172}
    assert set(kept[0]["solutions"]) == {1}
    assert {(r["permuted"], r.get("seed")) for r in kept} == {(False, None)}


def test_rate_permutes_the_puzzles(run, tmp_path):
    words = ("sudoku", "rate", "hardest", "-a", "fewest_first", "-i", "cython", "--samples", 1,
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
    monkeypatch.setattr(rates, "MOST", 30)
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
    (["rate", "easy50", "-i", "rust"], "--implementation must be python or cython, not 'rust'"),
    (["rate", "11" + "." * 79], "puzzle 1 of "),
    (["guess"], "there is no command 'guess'"),
    (["rate", "easy50", "--fast"], "No such option '--fast'")])
def test_bad_requests_are_one_line(run, words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(run("sudoku", *words)).startswith(says)
