"""The ladder, as a study records it and the page shows it; and how savings grow."""

from math import inf

import pandas as pd
import pytest

import nqbench
from nqbench import analysis
from nqbench.problems.instances import Board, Search, find
from nqbench.records.contradictions import contradictions
from nqbench.records.descriptions import presets
from nqbench.records.record import join, read
from nqbench.topics.instances.ladder import searches
from nqbench.topics.instances.section_ladder import (
    MODELS,
    compare_edges,
    draw_ladder,
    fit,
    ladder,
    per_solution,
    savings,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of a study of all searches."""
    folder = tmp_path_factory.mktemp("ladder")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Search, "compare_builds", lambda search: None)  # other tests compare them
        patch.setitem(presets(), "small_ladder",
                      {"budget": 60, "experiments": ["ladder"], "n": 5, "samples": 3})
        nqbench.study.run("small_ladder", results=folder)
    return folder


@pytest.fixture(scope="module")
def found(measured):
    return ladder(analysis.load(measured))


def test_a_total_that_is_not_the_published_one_is_wrong(measured):
    points = join(read(measured))
    assert contradictions(points) == []
    (one,) = [point for point in points if point.get("algorithm") == "nogoods"]
    one["counters"]["solutions"] = 9
    assert [str(each) for each in contradictions(points)] == [
        "nogoods counted 9 instead of 10 at n = 5"]


def test_every_search_is_counted_and_timed(found):
    assert {*found["algorithm"]} == {search.name for search in searches()}
    for row in found.to_dict("records"):
        tally = find(row["algorithm"]).profile(Board(row["n"]))
        assert (row["nodes"], row["tests"]) == (tally.nodes, tally.tests)
        assert len(row["samples"]) == 3
    assert pd.isna(found.set_index("algorithm").loc["row_by_row", "jumps"])


def test_each_edge_has_both_factors(found):
    at_n = found.set_index("algorithm")
    edges = compare_edges(at_n)
    assert len(edges) == sum(len(search.within) for search in searches())
    assert (edges["fewer_nodes"] >= 1).all()
    assert (edges["times_as_long_low"] <= edges["times_as_long"]).all()
    texts = [text.get_text() for text in draw_ladder(edges).axes[0].get_yticklabels()]
    assert "forward_checking, in backjumping" in texts


def test_no_idea_saves_more_than_the_nodes_for_each_solution():
    plain = per_solution().set_index("n")
    assert plain["nodes_for_each"][[8, 12, 16, 19, 21]].round().tolist() == [22, 60, 77, 93, 102]
    gains = pd.DataFrame([{"algorithm": name, "n": 11, "nodes": 2.0}
                          for name in ("fewest_first", "canonical", "cross", "mine")])
    estimated = pd.DataFrame([{"algorithm": name, "n": n, "nodes": 3.0, "nodes_low": 2.9,
                               "nodes_high": 3.1}
                              for name, n in (("fewest_first", 20), ("canonical", 20),
                                              ("cross", 20), ("mine", 50), ("other", 20))])
    rows = savings(gains, estimated).set_index("algorithm")
    bound = plain["nodes_for_each"][20]
    assert rows["most"].to_dict() == {
        "fewest_first": bound, "canonical": 8, "cross": 8 * bound, "mine": inf}


def test_two_models_of_the_growth_fit_alike_and_part_far_out():
    (straight, off), (bent, too) = (fit(per_solution(), size) for size in MODELS.values())
    assert max(off, too) < 7
    assert straight(100) > 2 * bent(100)
