"""Trees estimated by the searches themselves, as a study records them and the page shows them."""

from math import inf

import pytest

import nqbench
from nqbench import analysis
from nqbench.problems.published.computed import known_of_tree
from nqbench.problems.queens import find
from nqbench.records.descriptions import presets
from nqbench.search.estimates import estimate_together, ratios
from nqbench.topics.searches.measurement import SEED
from nqbench.topics.searches.section_saving import savings

PRESET = {"budget": 300, "experiments": ["trees"], "n": 9, "visited": 320, "algorithms": [
    "bitmask@python", "fewest_first", "iterative", "brute_force"]}


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets(), "few_trees", PRESET)
        nqbench.study.run("few_trees", results=folder)
    return analysis.load(folder)


def both_again():
    searches = [find("bitmask"), find("fewest_first")]
    *_, both = estimate_together(searches, 9, 320, SEED, [
        known_of_tree(each, 9) for each in searches])
    return both


def test_a_study_records_the_trees_that_the_searches_have_themselves(records):
    trees = records[records["metric"] == "tree"].set_index("algorithm")
    assert {*trees[trees["status"] == "measured"].index} == {"bitmask", "fewest_first"}
    _, again = both_again()
    (sample,) = trees.loc["fewest_first", "samples"]
    assert tuple(sample["nodes"]) == again.nodes.pair
    assert [tuple(level) for level in sample["levels"]] == [level.pair for level in again.levels]


def test_a_search_that_is_named_and_cannot_be_led_is_left_out(records):
    trees = records[records["metric"] == "tree"].set_index("algorithm")
    assert trees[trees["status"] == "left out"]["reason"].to_dict() == dict.fromkeys(
        ("iterative", "brute_force"), "cannot be estimated")


def test_trees_without_time_for_enough_runs_are_left_out(tmp_path):
    plan = {**PRESET, "budget": 0.001, "algorithms": ["bitmask@python", "fewest_first"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(presets(), "no_time", plan)
        nqbench.study.run("no_time", results=tmp_path)
    trees = analysis.load(tmp_path).query("metric == 'tree'")
    assert trees["reason"].to_list() == ["no time left"] * 2
    assert analysis.estimated_gains(trees).empty


def test_the_gains_are_those_of_both_trees(records):
    (row,) = analysis.estimated_gains(records).to_dict("records")
    assert row["nodes"] == pytest.approx(ratios(*both_again())["nodes"].mean)
    assert row["nodes_low"] < 8394 / find("fewest_first").profile(9).nodes < row["nodes_high"]
    assert 0 < row["low"] < row["time"] < row["high"] < inf


def test_the_plot_says_that_it_shows_estimates(records):
    (axes,) = savings(analysis.estimated_gains(records), "the plain tree", [], 9).axes
    assert axes.get_title(loc="left") == "Compared with the plain tree, n = 9, estimated"
