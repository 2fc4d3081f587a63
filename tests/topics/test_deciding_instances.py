"""A study decides random instances of queens, and the report shows where they become unsolvable."""

from itertools import combinations
from math import inf

import numpy as np
import pandas as pd
import pytest
from examples import outcomes
from kept import read as read_page
from kept import said

import nqbench
from nqbench.errors import InvalidValueError
from nqbench.problems.instances import Board, generate, solve
from nqbench.problems.instances import find as find_search
from nqbench.problems.instances.families import FAMILIES
from nqbench.records.record import parse, read, to_line
from nqbench.study.experiments import Session
from nqbench.study.fields import NODES
from nqbench.study.outside import leave_unchecked
from nqbench.study.plan import Plan, make_plan, to_table
from nqbench.topics.instances import measurement
from nqbench.topics.instances.section import constrainedness, half_points, of_family, transitions


@pytest.fixture(scope="module")
def study(once):
    """The folder of a study of small boards with blocked squares."""
    def make(folder):
        (folder / "boards.toml").write_text(
            '[study]\nexperiments = ["transitions"]\nfamily = "blocked"\ninstances = 12\n'
            "n = [6, 8]\nbudget = 60\n")
        nqbench.study.run(folder / "boards.toml", results=folder / "results")
    return once("instances", make) / "results"


@pytest.fixture(scope="module")
def decided(study):
    return [record for record in read(study) if record["metric"] == "transition"]


@pytest.mark.slow
def test_each_record_says_which_instances_have_a_solution(decided):
    assert [(record["n"], record["amount"]) for record in decided] == [
        (n, amount) for n in (6, 8) for amount in FAMILIES["blocked"].amounts(n)]
    for record in decided[::5]:
        boards = generate(lambda random, record=record: FAMILIES["blocked"].make(
            record["n"], record["amount"], random), 12, record["seed"])
        outcomes = [solve(board) for board in boards]
        assert record["solvable"] == [bool(outcome.found) for outcome in outcomes]
        assert record["samples"] == [outcome.counters["nodes"] for outcome in outcomes]


def experiment_of(**asked):
    return measurement.Transitions(Session(make_plan(experiments=["transitions"], **asked)))


def test_backtracks_that_a_search_does_not_count_are_not_recorded():
    experiment = experiment_of(n=6, family="completion", instances=3, amounts=[2], nodes=100,
                               algorithms=["min_conflicts", "singletons"])
    found = [experiment.run(step)[0] for step in experiment.steps()]
    assert ["backtracks" in record for record in found] == [False, True]


def test_what_there_is_no_time_for_is_left_out():
    experiment = experiment_of(budget=1e-9, n=6, instances=3)
    experiment.seconds["fewest_lines"] = 1.0
    (record,) = experiment.run(experiment.steps()[0])
    assert (record["status"], record["reason"], record["cost"]) == (
        "left out", "no time left", 3.0)


def test_a_preset_without_instances_has_no_steps():
    assert measurement.Transitions(Session(Plan("none").but(n=(6,)))).steps() == []


def test_a_search_that_gives_up_is_recorded_as_neither():
    experiment = experiment_of(n=8, instances=5, nodes=3)
    (record,) = experiment.run(experiment.steps()[0])
    assert (record["solvable"], record["nodes_allowed"]) == ([None] * 5, 3)


def test_all_algorithms_of_a_study_decide_the_same_instances():
    experiment = experiment_of(n=8, instances=6, amounts=[30, 40],
                               algorithms=["bitmask", "fewest_lines", "restarts_luby:7"])
    records = [experiment.run(step)[0] for step in experiment.steps()]
    named = [(record["amount"], record["algorithm"]) for record in records]
    assert named == [(amount, name) for amount in (30, 40)
                     for name in ("bitmask", "fewest_lines", "restarts_luby:7")]
    assert records[0]["solvable"] == records[1]["solvable"] == records[2]["solvable"]
    assert records[0]["samples"] != records[1]["samples"]
    assert len(records[0]["backtracks"]) == 6
    assert {parse(to_line(record).encode())[1] for record in records} == {""}
    experiment.session.add(records[:2])
    assert [experiment.is_complete(step) for step in experiment.steps()[:3]] == [True, True, False]


def test_a_study_of_instances_takes_algorithms_of_instances():
    asked = {"experiments": ["transitions"], "instances": 5, "n": 8}
    plan = make_plan(algorithms="dancing_links, restarts_luby:7@python", nodes=9, **asked)
    assert ([each.name for each in plan.algorithms], plan[NODES]) == (
        ["dancing_links", "restarts_luby:7"], 9)
    assert to_table(plan)["algorithms"] == ["dancing_links", "restarts_luby:7"]
    assert leave_unchecked(plan) == plan
    with pytest.raises(InvalidValueError, match="somers is an algorithm of queens, not of in"):
        make_plan(algorithms=["somers"], **asked)
    with pytest.raises(InvalidValueError, match="amounts must be"):
        make_plan(amounts=[-1], **asked)


def rows(*answers, nodes=None, **more):
    """A record of the searches in one point."""
    return outcomes("fewest_lines", nodes or [10] * len(answers), solvable=list(answers), **more)


def test_the_share_is_that_of_decided_instances_and_its_interval_holds_both_answers():
    """Wilson's formula: of 10 instances 3 are solvable, and 4 were not decided."""
    found = transitions(pd.DataFrame([rows(*[True] * 3, *[False] * 3, *[None] * 4)]))
    assert (found["share"][0], found["density"][0]) == (0.5, 8 - 20 / 8)
    z = 1.959964
    low, high = ((k + z**2 / 2 + sign * z * (k * (10 - k) / 10 + z**2 / 4) ** 0.5) / (10 + z**2)
                 for k, sign in ((3, -1), (7, 1)))
    assert (found["low"][0], found["high"][0]) == (pytest.approx(low), pytest.approx(high))


def test_the_median_counts_a_search_that_gave_up_as_longer_than_all_others():
    found = transitions(pd.DataFrame([
        rows(True, None, False, nodes=[5, 1, 9]),
        rows(True, None, None, amount=30, nodes=[5, 1, 9])]))
    assert sorted(found["nodes"]) == [9, inf]


def test_shares_are_those_of_one_algorithm_and_of_the_run_with_more_instances():
    found = transitions(pd.DataFrame([
        rows(True, False, True), rows(False), {**rows(*[None] * 4), "algorithm": "bitmask"}]))
    assert list(found["instances"]) == [3]


def test_the_half_point_is_found_with_an_interval_that_holds_it():
    random = np.random.default_rng(1)
    held = 0
    for _ in range(40):
        points = []
        for amount in range(8, 40, 2):
            share = 1 / (1 + np.exp(-(8 - amount / 8 - 5) / 0.4))
            points.append(rows(*(random.random(50) < share).tolist(), amount=amount))
        (half,) = half_points(transitions(pd.DataFrame(points))).to_dict(
            "records")
        assert half["density"] == pytest.approx(5, abs=0.25)
        held += half["low"] <= 5 <= half["high"]
    assert held >= 33  # of 40 intervals of 95 %: fewer in one of a thousand such tests


def test_constrainedness_is_one_where_one_solution_is_expected():
    assert constrainedness("blocked", 8, 8 * 92 ** (-1 / 8)) == pytest.approx(1)
    assert constrainedness("blocked", 8, 8) == constrainedness("excluded", 8, 0) == 0
    assert np.isnan(constrainedness("completion", 8, 0.5))
    assert np.isnan(constrainedness("blocked", 50, 6.0))  # Q(50) is not known


def test_the_chance_that_no_diagonal_of_a_solution_is_excluded_is_exact():
    (solution, *_), diagonals = find_search("bitmask").solutions(Board(6)), [
        *(("sum", s) for s in range(11)), *(("difference", d) for d in range(-5, 6))]
    taken = {line for row, column in enumerate(solution) for line in (
        ("sum", row + column), ("difference", row - column))}
    pairs = [*combinations(diagonals, 2)]
    chance = sum(not taken & {*pair} for pair in pairs) / len(pairs)
    assert np.exp(FAMILIES["excluded"].survives(6, 2 / 6)) == pytest.approx(chance)


@pytest.mark.parametrize(("family", "least", "most", "unsolvable"), [
    ("blocked", 20, 30, 0), ("completion", 2, 5, 62), ("blocked", 25, 50, 62),
    ("excluded", 5, 14, 62)])
def test_shares_on_one_side_or_that_leave_every_density_possible_have_no_half_point(
        family, least, most, unsolvable):
    points = [rows(*[True] * (100 - many), *[False] * many, amount=amount, family=family, n=10)
              for amount, many in ((least, 0), (most, unsolvable))]
    found = transitions(pd.DataFrame(points))
    assert half_points(found).empty
    assert of_family(family, found, half_points(found)).n is None


def test_boards_that_no_search_decided_have_no_share_and_cross_no_half():
    """A logistic curve through 80 and 60 % is one half at a density where nothing was decided."""
    found = transitions(pd.DataFrame([rows(*answers, amount=amount) for amount, answers in (
        (12, [True] * 80 + [False] * 20), (18, [True] * 60 + [False] * 40), (24, [None] * 100))]))
    assert found["share"].isna().tolist() == [True, False, False]
    assert (found["low"][0], found["high"][0]) == (0, 1)
    assert half_points(found).empty


@pytest.mark.slow
def test_the_page_shows_the_finding(study):
    made = read_page(study)
    assert "half of the boards of" in said(made, "transitions")
    assert "transitions" in made.parts["transitions"].figures
