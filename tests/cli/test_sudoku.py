"""`nqbench study` of puzzles: what it prints and records, and how it refuses."""

import json

import pytest
from conftest import refused

from nqbench.cli.study import print_rates
from nqbench.problems.sudoku import data_set
from nqbench.records.record import join, read
from nqbench.topics.sudoku import rates

FIRST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
ONE = ("--samples", 1, "--processes", 1)


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Room for all columns of all tables."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def rate(run, tmp_path):
    """Run a study; return what it printed, and its records of rates by solver."""
    def call(*words, **keys):
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        if keys:
            file = tmp_path / "mine.toml"
            file.write_text("[study]\nexperiments = ['rates']\n" + "".join(
                f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
            words = (file, *words)
        _, out, err = run("study", *words, "--results", folder)
        return out + err, {(each["algorithm"], each["implementation"]): each
                           for each in join(read(folder, pytest.fail)) if each["metric"] == "rate"}
    return call


def test_a_table_is_printed_and_records_are_kept(rate):
    out, kept = rate("hardest", "-a", "fast", "-a", "fewest_first", "--samples", 2,
                     "--processes", 2, "--budget", 6)
    assert "hardest: 11 puzzles, permuted (seed 0), each" in out
    assert [*kept] == [("fast", "cython"), ("fewest_first", "python"), ("fewest_first", "cython")]
    assert {len(r["samples"]) for r in kept.values()} == {2 * 2}  # of two processes
    assert {(*r["solutions"], r["permuted"], r["seed"]) for r in kept.values()} == {
        (*[1] * 11, True, 0)}


def test_puzzles_are_permuted_by_a_seed_or_as_given(rate):
    fewest = "fewest_first", "cython"
    nodes = [rate(*ONE, data=["hardest"], algorithms=["fewest_first@cython"], seed=seed)[1][
        fewest]["nodes"] for seed in (0, 1, 1)]
    assert nodes[0] != nodes[1] == nodes[2]
    out, kept = rate(*ONE, data=["hardest"], algorithms=["fewest_first@cython"], as_given=True)
    assert (sum(kept[fewest]["nodes"]), kept[fewest]["permuted"]) == (172, False)
    assert out.splitlines()[-1].startswith("1 point measured, 0 skipped, ")


def test_of_a_very_large_file_some_puzzles_are_rated(rate, monkeypatch):
    monkeypatch.setattr(rates, "MOST_PUZZLES", 30)
    out, kept = rate("top95", "-a", "fast", *ONE)
    (record,) = kept.values()
    assert (record["puzzles"], len(record["nodes"]), record["drawn_from"]) == (30, 30, 95)
    assert "top95: 30 puzzles, drawn at random from 95, permuted (seed 0), each" in out


@pytest.mark.thorough
def test_the_slowest_puzzle_and_the_share_without_a_guess(rate, tmp_path):
    path = tmp_path / "three.txt"
    path.write_text(f"{FIRST}\n{data_set('top95')[20]}\n{FIRST}\n")
    _, kept = rate(path, "-a", "fewest_first@python", *ONE)
    (record,) = kept.values()
    assert record["slowest"]["puzzle"] == 2
    assert (record["data_set"], record["nodes"][0], record["guesses"][0]) == ("three", 1, 0)
    _, kept = rate(*ONE, data=["three.txt"], algorithms=["fewest_first@python"], nodes=3)
    found = rates.figures(next(iter(kept.values())))
    assert found["answered"] == found["unguessed"] == 2 / 3  # of all puzzles


def test_what_takes_too_long_is_left_out(rate):
    out, _ = rate("top95", "-a", "textbook", "--budget", 0.5, "--processes", 1)
    assert "textbook (python): left out: about " in out


@pytest.mark.parametrize(("program", "row", "says"), [
    ("sleep 60", "no puzzle answered", "(process) at one was stopped after "),
    ("false", "failed", "(process), one: false ended with status 1; it has no samples")])
@pytest.mark.slow
@pytest.mark.thorough
def test_a_program_that_is_too_slow_or_fails_loses_its_row_alone(run, tmp_path, program, row, says):
    path = tmp_path / "one.txt"
    path.write_text(str(data_set("top95")[20]))
    _, out, err = run("study", path, "-a", "fast", "-a", f"{program} < {{puzzles}}", *ONE,
                      "--budget", 12, "--unchecked", "--results", tmp_path / "r")
    assert f"{program} < {{puzzles}} (unchecked) (process): {row}" in out
    assert "100.0%" in next(line for line in out.splitlines() if "fast (cython)" in line)
    assert says in err


def test_a_solver_that_answers_nothing_timed_out(rate, tmp_path):
    (tmp_path / "one.txt").write_text(str(data_set("top95")[20]))
    _, kept = rate(*ONE, data=["one.txt"], algorithms=["fewest_first@python"], nodes=3)
    (record,) = kept.values()
    assert (record["status"], record["predicted"]) == ("timed out", None)


def test_a_puzzle_is_not_answered_only_if_no_solver_answers_it(rate, tmp_path, capsys):
    (tmp_path / "three.txt").write_text(f"{FIRST}\n{'.' * 81}\n{data_set('hardest')[0]}\n")
    solvers = ["fewest_first@python", "dancing_links"]  # which needs more nodes
    _, kept = rate(*ONE, data=["three.txt"], algorithms=solvers, nodes=60)
    found = [*kept.values()]
    assert [one["solutions"] for one in found] == [[1, 2, 1], [1, None, None]]
    for records in (found, found[::-1]):
        print_rates(records)
        assert capsys.readouterr().err == "nqbench: 1 puzzle with several solutions\n"
    print_rates(found[1:])
    assert capsys.readouterr().err == "nqbench: 2 puzzles not answered\n"


def test_an_invalid_puzzle_does_not_end_the_others(run, tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(f"{FIRST}\n{FIRST[:80]}\n11{'.' * 79}\n")
    status, out, err = run("study", path, "-a", "fast", *ONE, "--results", tmp_path / "r")
    assert (status, "some: 1 puzzles, permuted" in out) == (1, True)
    assert [line.partition(": ")[2] for line in err.splitlines()] == [
        f"warning: {path}: line 2: a grid has 81 cells (9 x 9), not 80: other sizes are not solved "
        "here; it is skipped",
        f"warning: {path}: 11{'.' * 79}: the givens contradict each other: row 1 has 1 twice; it "
        "is skipped"]


@pytest.mark.parametrize(("words", "says"), [
    (["quick"], "FILE must be a study file, NAME.toml, a file of puzzles, or one of the data sets "
                "easy50, top95, hardest, diabolical, not 'quick'; --preset chooses a preset"),
    (["hardest", "-a", "bitmask"], "bitmask is an algorithm of queens, not of sudoku"),
    (["hardest", "-n", "8"], "no experiment of this study reads n; rates reads"),
    (["hardest", "--preset", "quick"], "--preset is not supported with a file"),
    (["wrong.txt"], f"wrong.txt: 11{'.' * 79}: the givens contradict each other: row 1 has 1"),
    (["none.txt"], "none.txt holds no puzzle"),
    (["mine.toml"], "mine.toml: data must be data sets or files of puzzles: there is no data set "
                    "'easy51'; did you mean easy50")])
def test_bad_requests_are_one_line(run, words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.txt").write_text("11" + "." * 79)
    (tmp_path / "none.txt").write_text("nothing")
    (tmp_path / "mine.toml").write_text("[study]\nexperiments = ['rates']\ndata = ['easy51']\n")
    assert refused(run("study", *words, "--results", "r")).startswith(says)
