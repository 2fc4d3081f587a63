"""The savings of an idea are compared instance by instance; searches that gave up stay in the data.
"""

from math import inf

import numpy as np
import pandas as pd
from examples import outcomes as record

from nqbench.problems.instances import find, generate
from nqbench.problems.instances.families import FAMILIES
from nqbench.topics.instances.section import savings_by_instance, searches_in_pairs


def pairs(*records):
    return searches_in_pairs(pd.DataFrame(records))


def test_the_ratio_of_an_instance_is_known_up_to_a_bound_where_a_search_gave_up():
    found = pairs(record("forward_checking", [10, 20, None, None]),
                  record("bitmask", [30, None, 50, None]))
    assert found[["least", "most"]].to_numpy().tolist() == [[3, 3], [5, inf], [0, 0.5], [0, inf]]


def test_both_searches_have_the_smaller_limit_of_the_two():
    found = pairs(record("forward_checking", [10, 70], limit=100),
                  record("bitmask", [30, None], limit=50))
    assert found["nodes"].to_list() == [10, 50]
    assert found["ended"].to_list() == [True, False]


def test_only_searches_that_differ_by_one_idea_are_compared_on_the_same_instances():
    found = pairs(record("fewest_lines", [1, 2, 3]), record("fewest_rows", [4, 5]),
                  record("bitmask", [6, 7]), record("fewest_rows", [9], run="2"),
                  record("fewest_rows", [8, 8], amount=30))
    assert found[["idea", "without", "amount", "nodes_without"]].to_numpy().tolist() == [
        ["fewest_lines", "fewest_rows", 20, 4], ["fewest_lines", "fewest_rows", 20, 5]]


def test_searches_of_the_same_tree_are_said_to_be_so():
    (row,) = savings_by_instance(pairs(
        record("bitmask", [5, None, 7]), record("row_by_row", [5, None, 7]))).to_dict("records")
    assert (row["equal"], row["p"], row["verdict"]) == (3, 1.0, "same tree")


def test_masks_and_linked_lists_walk_the_trees_that_they_are_paired_with():
    for board in generate(lambda random: FAMILIES["blocked"].make(8, 30, random), 5, 1):
        nodes = {name: find(name).solve(board).counters["nodes"] for name in (
            "row_by_row", "bitmask", "fewest_lines", "dancing_links")}
        assert nodes["bitmask"] == nodes["row_by_row"]
        assert nodes["dancing_links"] == nodes["fewest_lines"]


def simulated(ratio, many, limit, n):
    """Two records of searches whose nodes differ by a ratio and by chance; n is the seed."""
    random = np.random.default_rng(n)
    hard = random.lognormal(7, 1, many)
    chance = random.lognormal(0, 0.8, (2, many))
    return [record(name, nodes, limit, n=n)
            for name, nodes in (("forward_checking", hard * chance[0]),
                                ("bitmask", hard * ratio * chance[1]))]


def test_the_signed_rank_test_is_valid_with_searches_that_gave_up():
    found = savings_by_instance(pairs(*(
        each for n in range(50) for each in simulated(1, 40, 1500, n))))
    assert found["gave_up"].mean() > 8  # of 40
    assert (found["p"] < 0.05).sum() <= 8  # 2.5 expected; more in one of a thousand such tests


def test_the_interval_holds_the_median_ratio_though_searches_gave_up():
    found = savings_by_instance(pairs(*(
        each for n in range(30) for each in simulated(3, 60, 10_000, n))))
    assert found["gave_up_without"].mean() > 9  # of 60
    assert np.isfinite(found["high"]).all()
    assert ((found["low"] <= 3) & (found["high"] >= 3)).sum() >= 24
    assert (found["ratio"] <= found["at_most"]).all()
    assert (found["verdict"] == "saves").sum() >= 28


def test_verdicts_are_corrected_for_all_ideas_of_the_same_boards():
    better = [*range(61, 70), 134, 145, 158]
    alone = [record("forward_checking", better, 999), record("bitmask", [100] * 12, 999)]
    (row,) = savings_by_instance(pairs(*alone)).to_dict("records")
    assert 0.025 < row["p"] < 0.05
    assert row["verdict"] == "saves"
    both = savings_by_instance(pairs(*alone, record("row_by_row", [
        100 + each for each in (-9, -8, 7, 6, -5, 4, 3, -2, 1, 10, 11, -12)], 999)))
    assert list(both["verdict"]) == ["not significant"] * 2


def test_without_records_there_are_no_pairs():
    found = pairs(record("bitmask", [1]))
    assert found.empty
    assert savings_by_instance(found).empty
    assert list(found.columns) == list(pairs(record("bitmask", [1]), record(
        "row_by_row", [1])).columns)
