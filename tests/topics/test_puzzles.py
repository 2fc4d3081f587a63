"""Rates of the solvers of Sudoku as frames."""

from types import SimpleNamespace

import pandas as pd
import pytest
from matplotlib.text import Text

from nqbench import analysis
from nqbench.analysis import interval
from nqbench.cli.study import rated
from nqbench.problems.sudoku import Grid, difficulties, solve
from nqbench.records.contradictions import judge
from nqbench.study import frame
from nqbench.topics.sudoku.measurement import read_data
from nqbench.topics.sudoku.rates import SEED, permute_all
from nqbench.topics.sudoku.section import (
    latest_rates,
    make_sudoku,
    nodes_by_difficulty,
    puzzle_difficulty,
    puzzle_rates,
    rates_of_solvers,
)


def rate(**fields):
    return {"schema": 1, "run": "2026-01-01", "time": "2026-01-01", "preset": "sudoku",
            "context": {"machine": "m"}, "metric": "rate", "status": "measured", "n": 9,
            "algorithm": "fast", "implementation": "cython", "data_set": "easy50", "puzzles": 4,
            "sha12": "0123456789ab", "nodes_allowed": 100, "limit": 2,
            "nodes": [1, 3, 8, None], "guesses": [0, 2, 4, None], "solutions": [1, 1, 1, None],
            "samples": [0.5, 0.25, 1.0], "loops": 1,
            "slowest": {"puzzle": 3, "seconds": 0.125}} | fields


def test_a_rate_speaks_of_the_puzzles_that_were_answered():
    (row,) = rates_of_solvers(frame([rate()])).to_dict("records")
    assert (row["per_second"], row["low"], row["high"]) == pytest.approx(
        (6.0, *interval([6.0, 12.0, 3.0])))
    assert (row["answered"], row["unguessed"], row["guesses"], row["nodes"]) == (0.75, 0.25, 2, 4)
    assert (row["slowest"], row["slowest_seconds"], row["samples"]) == (3, 0.125, 3)


@pytest.mark.parametrize(("processes", "shown"), [
    (3, ["6,000", "1,072", "33,570"]), (2, ["4,243", "", ""])])
def test_the_command_prints_the_rates_of_the_page(processes, shown):
    records = [rate(process=process, samples=[3 / per_second, 3 / per_second])
               for process, per_second in enumerate((3000, 6000, 12000)[:processes])]
    (row,) = rates_of_solvers(frame(records)).to_dict("records")
    assert rated(*judge(records))[1:4] == shown
    assert [f"{row[name]:,.0f}".replace("nan", "") for name in (
        "per_second", "low", "high")] == shown


def test_what_was_not_counted_or_not_measured_has_no_figures():
    without, gone = rate(algorithm="textbook"), rate(
        algorithm="slow", status="timed out", samples=[], nodes=None, guesses=None, slowest=None)
    del without["guesses"]
    rows = rates_of_solvers(frame([rate(), without, gone])).set_index("algorithm")
    assert rows["nodes"].dropna().to_dict() == {"fast": 4, "textbook": 4}
    assert rows["guesses"].dropna().to_dict() == {"fast": 2}
    assert rows.loc["slow", "status"] == "timed out"
    assert rows.loc["slow", ["per_second", "slowest"]].isna().all()


def test_a_solver_that_failed_is_not_said_to_have_taken_too_long():
    records = frame([rate(permuted=True, seed=0), *(rate(
        algorithm=name, status=status, samples=[], permuted=True, seed=0) for name, status in (
            ("slow", "timed out"), ("large", "left out"), ("bad", "failed")))])
    made = make_sudoku(SimpleNamespace(here=lambda make: make(records),
                                       machine={"machine": "m"}))
    assert made.facts.left_out == 2


def test_of_each_set_one_run_is_taken_that_measured_the_most_solvers():
    both = [{"algorithm": "fast"}, {"algorithm": "textbook"}]
    found = latest_rates(frame([
        *(rate(run="2026-01-01", **solver) for solver in both), rate(run="2026-02-01"),
        *(rate(run="2026-01-02", data_set="mine", **solver) for solver in both),
        *(rate(run="2026-01-03", data_set="mine", **solver) for solver in both),
        rate(run="2026-04-01", status="left out", samples=[]),
        rate(run="2026-04-01", context={"machine": "x"}, data_set="hardest")]), "m")
    assert list(zip(found["data_set"], found["run"], found["algorithm"], strict=True)) == [
        ("easy50", "2026-01-01", "fast"), ("easy50", "2026-01-01", "textbook"),
        ("mine", "2026-01-03", "fast"), ("mine", "2026-01-03", "textbook")]


def test_rates_are_those_of_one_machine_though_two_began_at_the_same_moment():
    both = frame([rate(context={"machine": machine}) for machine in "ab"])
    assert latest_rates(both)["machine"].nunique() == 1


def test_permuted_puzzles_of_another_machine_come_before_puzzles_as_given():
    given, elsewhere = rate(), rate(context={"machine": "x"}, permuted=True, run="2025-01-01")
    permuted = rate(permuted=True, run="2025-02-01")
    newer = rate(context={"machine": "x"}, run="2026-02-01")

    def chosen(*records):
        return [*latest_rates(frame(list(records)), "m")["run"]]

    assert chosen(given, newer) == [given["run"]]
    assert chosen(given, newer, elsewhere) == [elsewhere["run"]]
    assert chosen(given, newer, elsewhere, permuted) == [permuted["run"]]


def test_different_puzzles_of_one_name_are_told_apart():
    found = latest_rates(frame([
        rate(data_set="mine"), rate(data_set="mine", sha12="fedcba987654", run="2026-03-01")]))
    assert list(found["data_set"]) == ["mine (0123)", "mine (fedc)"]


def test_nodes_by_difficulty_are_quartiles_of_a_half():
    sizes = range(1, 1514)
    found = nodes_by_difficulty(frame([
        rate(), rate(data_set="diabolical", puzzles=1513, nodes=list(sizes))]))
    assert set(found["data_set"]) == {"diabolical"}  # the other set has none
    known = [n for n, d in zip(sizes, difficulties("diabolical"), strict=True) if 7 <= d < 7.5]
    row = found[found["difficulty"] == 7.0].iloc[0]
    assert (row["puzzles"], row["median"]) == (len(known), pd.Series(known).median())
    assert found["puzzles"].sum() == 1513


def test_puzzles_given_up_are_no_small_ones():
    nodes = [None if n % 2 else 10 for n in range(1513)]
    found = nodes_by_difficulty(frame([
        rate(data_set="diabolical", puzzles=1513, nodes=nodes)]))
    assert set(found["median"]) == set(found["low"]) == {10}
    assert found["answered"].sum() == 757


def test_the_study_agrees_with_a_search(records):
    rates = rates_of_solvers(latest_rates(analysis.load(records)))
    row = rates[(rates["data_set"] == "hardest") & (rates["algorithm"] == "fast")].iloc[0]
    permuted = permute_all(read_data("hardest", SEED), SEED).instances
    nodes = [solve(Grid(digits), "fast", limit=2, keep=0).counters["nodes"] for digits in permuted]
    assert row["nodes"] == pytest.approx(sum(nodes) / 11)
    assert row["answered"] == 1


def test_a_solver_of_sudoku_from_outside_is_drawn_under_its_name():
    name = "my_idea.py::$x$"
    rates = pd.DataFrame([{
        "data_set": "mine", "algorithm": name, "implementation": "python", "per_second": 2.0,
        "low": 1.0, "high": 3.0, "answered": 1.0, "puzzles": 2}])
    found = pd.DataFrame({"algorithm": name, "difficulty": [1.0, 2.0], "median": [1, 2],
                          "low": [1, 2], "high": [1, 2]})
    for made in (puzzle_rates(rates), puzzle_difficulty(found)):
        made.draw_without_rendering()
        assert any("my_idea.py::" in text.get_text() for text in made.findobj(Text))
