"""The sections about sets of solvers: their scores, their limit, and what was not solved."""

from types import SimpleNamespace

import pandas as pd
import pytest
from kept import facts, read
from matplotlib.text import Text

from nqbench.report.sections import SECTIONS
from nqbench.report.tables import Taken
from nqbench.topics.sudoku.section import puzzle_difficulty, puzzle_rates


def point(algorithm, n, seconds=None, implementation="python", **more):
    status = "left out" if seconds is None else "measured"
    return {"metric": "seconds", "algorithm": algorithm, "implementation": implementation, "n": n,
            "status": status, "samples": [] if seconds is None else [seconds],
            "reason": None, "allowed": None, "cost": None, "predicted": None} | more


def queens(*points):
    main = pd.DataFrame(points)
    return SimpleNamespace(main=main, timings=main[main["status"] == "measured"],
                           taken=Taken(5, 5))


RACE = queens(point("bitmask", 4, 1.0), point("bitmask", 5, 2.0), point("theirs", 4, 3.0),
              point("theirs", 5, reason="too long", allowed=50.0, cost=80.0, predicted=8.0))


def test_an_n_that_was_left_out_counts_as_twice_the_limit_that_its_record_allows():
    part = SECTIONS["solvers"].part(RACE)
    assert part.facts.limit == 5
    assert part.tables["par2"]["par2"].to_list() == [1.5, (3 + 2 * 5) / 2]
    assert part.tables["par2"]["limit"].to_list() == [5, 5]


def test_the_virtual_best_solver_and_the_contributions_stand_beside_the_scores():
    part = SECTIONS["solvers"].part(RACE)
    assert part.facts.best == 1.5
    # What is saved: 9 and 7 of 10 at n = 4, which share 7; 8 and 0 at n = 5.
    assert part.tables["par2"]["contribution"].to_list() == pytest.approx([13.5 / 17, 3.5 / 17])


@pytest.mark.parametrize("frames", [
    queens(point("bitmask", 4, 1.0)), queens(point("a", 3, 1.0), point("b", 3, 1.0))])
def test_one_solver_or_no_search_to_speak_of_is_no_set(frames):
    assert SECTIONS["solvers"].part(frames) is None


def test_every_solver_that_solved_something_is_in_the_plots(records):
    made = read(records)
    scores = made.tables["par2"]
    assert set(facts(made, "solvers").sizes) == set(range(4, 9))
    labels = [text.get_text() for axes in made.figures["performance"]().axes
              for text in axes.get_legend().get_texts()]
    assert len(labels) == (scores["solved"] > 0).sum()


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
