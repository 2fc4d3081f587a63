"""The savings of an idea are compared instance by instance; searches that gave up stay in the data;
and the sections on random instances.
"""

from math import inf
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from examples import outcomes as record
from kept import said_of

from nqbench.problems.instances import find, generate
from nqbench.problems.instances.families import FAMILIES
from nqbench.report.sections import sections
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


def test_searches_that_both_gave_up_on_every_board_are_not_said_to_have_the_same_tree():
    for nodes, verdict in (([None, None], "not significant"), ([30, None], "same tree")):
        found = savings_by_instance(pairs(record("bitmask", nodes), record("row_by_row", nodes)))
        assert found[["equal", "verdict"]].to_numpy().tolist() == [[2, verdict]]


def test_only_searches_that_differ_by_one_idea_are_compared_on_the_same_instances():
    found = pairs(record("fewest_lines", [1, 2, 3]), record("fewest_rows", [4, 5]),
                  record("bitmask", [6, 7]), record("fewest_rows", [9], run="2"),
                  record("fewest_rows", [8, 8], amount=30))
    assert found[["idea", "without", "amount", "nodes_without"]].to_numpy().tolist() == [
        ["fewest_lines", "fewest_rows", 20, 4], ["fewest_lines", "fewest_rows", 20, 5]]


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


@pytest.mark.parametrize(("with_idea", "verdict"), [(60, "saves"), (140, "costs")])
def test_a_verdict_follows_the_boards_that_differ_though_most_are_equal(with_idea, verdict):
    (row,) = savings_by_instance(pairs(
        record("forward_checking", [100] * 24 + [with_idea] * 16, 999),
        record("bitmask", [100] * 40, 999))).to_dict("records")
    assert (row["ratio"], row["verdict"]) == (1, verdict)


def text(section, frames):
    return " ".join(said_of(section, frames).split())


def frames(*records):
    found = pd.DataFrame(records)
    return SimpleNamespace(records=found, of=lambda make: make(found))


BASE = np.arange(100, 400, 10)
SAVING = [record(name, nodes, 1000) for name, nodes in (
    ("row_by_row", 3 * BASE), ("bitmask", 3 * BASE), ("forward_checking", BASE),
    ("fewest_rows", BASE[::-1]))]


def test_the_page_says_which_idea_saves_the_most_and_which_walk_the_same_tree():
    said = text("by_instance", frames(*SAVING))
    assert ("<code>forward_checking</code> saves the most on 30 boards of 8 queens: 3 times fewer "
            "nodes than <code>bitmask</code> on the median board (95 %: 3 to 3), and fewer on 30 "
            "of them.") in said
    assert "<code>bitmask</code> searches the same tree as <code>row_by_row</code>." in said


@pytest.mark.parametrize(("records", "words"), [
    ([record("bitmask", 9 * BASE, 1000), record("forward_checking", BASE, 1000)],
     "8 queens: at least "),  # known up to a bound
    (SAVING[2:], "no idea saves nodes significantly.")])
def test_the_page_claims_no_more_than_is_known(records, words):
    assert words in text("by_instance", frames(*records))


def test_a_panel_is_drawn_for_each_idea_that_changes_the_tree():
    part = sections()["by_instance"].part(frames(*SAVING))
    made = part.figures["by_instance"]()
    assert [axes.get_title(loc="left") for axes in made.axes] == [
        "Nodes of forward_checking", "Nodes of fewest_rows"]
    cross = made.axes[0].lines[0]
    assert (cross.get_label(), cross.get_xydata().tolist()) == ("medians", [[735.0, 245.0]])


def test_boards_without_a_comparison_have_no_pairs_and_no_section():
    alone = record("bitmask", BASE, 1000)
    assert savings_by_instance(pairs(alone)).empty
    assert sections()["by_instance"].part(frames(alone)) is None


def test_the_section_on_transitions_says_how_many_instances_there_are_at_least():
    said = text("transitions", frames(record("fewest_lines", BASE, 1000), record(
        "fewest_lines", BASE[:20], 1000, amount=30)))
    assert "decided at least 20 random boards for each point" in said
    assert "at least" not in text("transitions", frames(record("fewest_lines", BASE, 1000)))


def test_a_board_size_of_which_most_searches_gave_up_has_no_line_of_nodes():
    part = sections()["transitions"].part(frames(
        record("fewest_lines", 9 * BASE, 1000), record("fewest_lines", BASE, 1000, n=7)))
    made = part.figures["transitions"]()
    assert [len(axes.lines) for axes in made.axes] == [2, 1]
    none = sections()["transitions"].part(frames(record("fewest_lines", 9 * BASE, 1000)))
    assert [len(axes.lines) for axes in none.figures["transitions"](3.5).axes] == [1, 0]
