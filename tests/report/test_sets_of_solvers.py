"""The sections about sets of solvers: their scores, their limit, and what was not solved."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from examples import outcomes as decided
from kept import facts, read
from kept import said_of as text
from matplotlib.text import Text

from nqbench.report.sections import SECTIONS
from nqbench.report.solver_sets import by_nodes
from nqbench.topics.sudoku.section import look, named_puzzles, puzzle_difficulty, puzzle_rates


def point(algorithm, n, seconds=None, implementation="python", **more):
    status = "left out" if seconds is None else "measured"
    return {"metric": "seconds", "algorithm": algorithm, "implementation": implementation, "n": n,
            "status": status, "samples": [] if seconds is None else [seconds],
            "reason": None, "allowed": None, "cost": None, "predicted": None} | more


def queens(*points):
    main = pd.DataFrame(points)
    return SimpleNamespace(main=main, timings=main[main["status"] == "measured"])


def rating(algorithm, nodes, data_set="mine", status="measured"):
    return {"data_set": data_set, "algorithm": algorithm, "implementation": "python",
            "puzzles": 2, "status": status, "nodes": nodes, "nodes_allowed": 100}


RACE = queens(point("bitmask", 4, 1.0), point("bitmask", 5, 2.0), point("theirs", 4, 3.0),
              point("theirs", 5, reason="too long", allowed=50.0, cost=80.0, predicted=8.0))


def test_an_n_that_was_left_out_counts_as_twice_the_limit_that_its_record_allows():
    part = SECTIONS["solvers"].part(RACE)
    assert part.facts.limit == 5
    assert part.tables["par2"]["par2"].to_list() == [1.5, (3 + 2 * 5) / 2]
    assert part.tables["par2"]["limit"].to_list() == [5, 5]


def test_the_page_says_where_the_limit_comes_from():
    assert "The limit is\n5 s,\nthe longest time that the study allowed for one search." in text(
        "solvers", RACE)
    old = queens(point("bitmask", 4, 1.0), point("theirs", 4, 3.0))
    assert "The limit is\n3 s,\nthe time of the longest search" in text("solvers", old)


@pytest.mark.parametrize("frames", [
    queens(point("bitmask", 4, 1.0)), queens(point("a", 3, 1.0), point("b", 3, 1.0))])
def test_one_solver_or_no_search_to_speak_of_is_no_set(frames):
    assert SECTIONS["solvers"].part(frames) is None


def test_a_solver_of_sudoku_that_was_not_run_is_named_so():
    rates = pd.DataFrame([rating("a", [10, 1000]), rating("b", None, status="left out"),
                          rating("c", None, status="timed out"),
                          rating("a", None, "unsolved", status="left out")])
    part = SECTIONS["sudoku_solvers"].part(SimpleNamespace(rates=rates))
    scores = part.tables["sudoku_par2"]
    assert scores[["data_set", "algorithm", "solved", "par2", "searched"]].to_numpy().tolist() == [
        ["mine", "a", 1, 105.0, "yes"], ["mine", "b", 0, 200.0, "no"],
        ["mine", "c", 0, 200.0, "yes"]]
    assert "of the\n1 combination of solver and data set that was skipped" in text(
        "sudoku_solvers", SimpleNamespace(rates=rates))


def plot(**costs):
    """The performance profile of one data set."""
    found = pd.DataFrame(costs, dtype=float).rename_axis(columns="algorithm")
    return by_nodes({"mine": found}, look, named_puzzles, "puzzles solved")


def test_of_a_long_line_the_first_and_the_last_point_are_drawn():
    made = plot(slow=np.arange(1.0, 500), fast=np.ones(499))
    line = next(line for line in made.axes[0].lines if line.get_label() == "slow")
    points = line.get_xydata()
    assert len(points) == 15
    assert points[[0, -1], 0].tolist() == [1, 499]


def test_equal_lines_of_sudoku_are_one():
    made = plot(a=[2], b=[2], c=[3])
    assert [line.get_label() for line in made.axes[0].lines][::2] == ["a, b", "c"]


def test_every_solver_that_solved_something_is_in_the_plots(records):
    made = read(records)
    scores = made.tables["par2"]
    assert set(facts(made, "solvers").sizes) == set(range(4, 9))
    labels = [text.get_text() for axes in made.figures["performance"]().axes
              for text in axes.get_legend().get_texts()]
    assert len(labels) == (scores["solved"] > 0).sum()


def test_algorithms_that_decided_the_same_instances_are_compared():
    frames = SimpleNamespace(records=pd.DataFrame([
        decided("fewest_lines", [9, 10]), decided("my_idea.py::queens", [18, None]),
        *(decided(name, [None], family="excluded") for name in ("bitmask", "row_by_row"))]))
    part = SECTIONS["instance_solvers"].part(frames)
    assert part.tables["instance_par2"].to_numpy().tolist() == [
        ["blocked", "fewest_lines", 2, 2, 9.5, 100],
        ["blocked", "my_idea.py::queens", 2, 1, 109.0, 100]]
    shown = text("instance_solvers", frames)
    assert "An instance is not decided if the search used up\n100 nodes" in shown
    for name, figure in part.figures.items():
        (axes,) = figure().axes
        assert {line.get_text() for line in axes.get_legend().get_texts()} == {
            "fewest_lines", "my_idea.py::queens"}, name


def test_one_algorithm_on_its_instances_is_no_set():
    frames = SimpleNamespace(records=pd.DataFrame([decided("bitmask", [9])]))
    assert SECTIONS["instance_solvers"].part(frames) is None


def test_a_solver_of_sudoku_from_outside_is_drawn_under_its_name():
    name = "my_idea.py::$x$"
    rates = pd.DataFrame([{
        "data_set": "mine", "algorithm": name, "implementation": "python", "per_second": 2.0,
        "low": 1.0, "high": 3.0, "answered": 1.0, "puzzles": 2}])
    found = pd.DataFrame({"algorithm": name, "difficulty": [1.0, 2.0], "median": [1, 2],
                          "low": [1, 2], "high": [1, 2]})
    for made in (puzzle_rates(rates), puzzle_difficulty(found),
                 plot(**{name: [1.0]})):
        made.draw_without_rendering()
        assert any("my_idea.py::" in text.get_text() for text in made.findobj(Text))
