"""Trees estimated by the searches themselves, as a study records them and the page shows them."""

from math import inf

import pytest

import nqbench
from nqbench import analysis
from nqbench.problems.published.computed import known_of_tree
from nqbench.problems.queens import find
from nqbench.records.descriptions import presets
from nqbench.search.estimates import estimate_together, ratios
from nqbench.study import frame
from nqbench.study.experiments import Session
from nqbench.study.plan import make_plan
from nqbench.topics.searches.measurement import SEED, Trees
from nqbench.topics.searches.section_saving import savings

N, VISITED = 8, 128
PRESET = {"budget": 300, "experiments": ["trees"], "n": N, "visited": VISITED, "algorithms": [
    "bitmask@python", "fewest_first", "iterative", "brute_force"]}


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets(), "few_trees", PRESET)
        nqbench.study.run("few_trees", results=folder)
    return analysis.load(folder)


@pytest.fixture(scope="module")
def again():
    """The estimates of both trees, made once more."""
    searches = [find("bitmask"), find("fewest_first")]
    *_, both = estimate_together(searches, N, VISITED, SEED, [
        known_of_tree(each, N) for each in searches])
    return both


@pytest.mark.thorough
def test_a_study_records_the_trees_that_the_searches_have_themselves(records, again):
    trees = records[records["metric"] == "tree"].set_index("algorithm")
    assert {*trees[trees["status"] == "measured"].index} == {"bitmask", "fewest_first"}
    (sample,) = trees.loc["fewest_first", "samples"]
    assert tuple(sample["nodes"]) == again[1].nodes.pair
    assert [tuple(level) for level in sample["levels"]] == [
        level.pair for level in again[1].levels]
    assert trees[trees["status"] == "left out"]["reason"].to_dict() == dict.fromkeys(
        ("iterative", "brute_force"), "cannot be estimated")


@pytest.mark.thorough
def test_trees_without_time_for_enough_runs_are_left_out():
    experiment = Trees(Session(make_plan(**PRESET | {
        "budget": 0.001, "algorithms": ["bitmask@python", "fewest_first"]})))
    trees = frame(record for step in experiment.steps() for record in experiment.measure(step))
    assert trees["reason"].to_list() == ["no time left"] * 2
    assert analysis.estimated_gains(trees).empty


def test_the_gains_are_those_of_both_trees(records, again):
    (row,) = analysis.estimated_gains(records).to_dict("records")
    assert row["nodes"] == pytest.approx(ratios(*again)["nodes"].mean)
    assert row["nodes_low"] < 2057 / find("fewest_first").profile(N).nodes < row["nodes_high"]
    assert 0 < row["low"] < row["time"] < row["high"] < inf


def test_the_plot_says_that_it_shows_estimates(records):
    (axes,) = savings(analysis.estimated_gains(records), "the plain tree", [], N).axes
    assert axes.get_title(loc="left") == f"Compared with the plain tree, n = {N}, estimated"
