"""A study runs searches in random orders over seeds and over instances."""

import pytest

from nqbench.problems.instances import find, generate
from nqbench.problems.instances.families import FAMILIES
from nqbench.records.record import count_points, parse, to_line
from nqbench.study.experiments import Session
from nqbench.study.files import make_preset
from nqbench.topics.instances import measurement


def experiment(**more):
    return measurement.Tails(Session("some", make_preset(**{
        "experiments": ["tails"], "family": "completion", "n": 12, "amounts": [3], "nodes": 30,
        "algorithms": ["random_order", "restarts_luby"], **more})))


def board(k):
    return [*generate(lambda random: FAMILIES["completion"].make(12, 3, random), k + 1, 1)][k]


@pytest.fixture(scope="module")
def runs():
    """The records of a small study, by what they are over and by algorithm."""
    made = experiment(instances=6, seeds=5)
    return {step.what: made.run(step)[0] for step in made.steps()}


def test_the_first_instances_are_searched_with_many_seeds_and_all_of_them_once(runs):
    assert [what.split()[1:] for what in runs] == [
        [which, name] for which in ("0", "1", "2", "all")
        for name in ("random_order", "restarts_luby")]
    assert [len(record["samples"]) for record in runs.values()] == [5] * 6 + [6] * 2


@pytest.mark.parametrize(("what", "boards"), [
    ("3 1 random_order", [board(1)] * 5), ("3 all restarts_luby", [board(k) for k in range(6)])])
def test_run_k_has_the_seed_k(runs, what, boards):
    name = what.split()[2]
    outcomes = [find(f"{name}:{k}").solve(each, nodes=30) for k, each in enumerate(boards)]
    assert runs[what]["samples"] == [outcome.counters["nodes"] for outcome in outcomes]
    assert runs[what]["solvable"] == [outcome.solvable for outcome in outcomes]


def test_a_run_that_gave_up_is_kept_as_censored_at_the_limit(runs):
    ends = [(nodes, answer) for record in runs.values()
            for nodes, answer in zip(record["samples"], record["solvable"], strict=True)]
    assert {nodes for nodes, answer in ends if answer is None} == {30}
    assert max(nodes for nodes, answer in ends if answer) <= 30


def test_the_records_are_valid_and_complete_their_steps(runs):
    assert {parse(to_line(record).encode())[1] for record in runs.values()} == {""}
    assert count_points(runs.values()) == 8
    made = experiment(instances=6, seeds=5)
    made.session.add([*runs.values()][:3])
    assert [made.is_complete(step) for step in made.steps()] == [True] * 3 + [False] * 5


def test_without_seeds_runs_are_over_instances_only_and_the_other_way_round():
    assert {step.what.split()[1] for step in experiment(instances=4).steps()} == {"all"}
    assert {step.what.split()[1] for step in experiment(seeds=4).steps()} == {"0", "1", "2"}


def test_what_there_is_no_time_for_is_left_out():
    made = experiment(instances=4, budget=1e-9)
    made.seconds["random_order"] = 2.0
    (record,) = made.run(made.steps()[0])
    assert (record["status"], record["reason"], record["cost"]) == (
        "left out", "no time left", 8.0)
    assert parse(to_line(record).encode())[1] == ""
