"""The ladder, as a study records it and the page shows it; and how savings grow."""

import pandas as pd
import pytest

import nqbench
from nqbench import analysis
from nqbench.problems.instances import Board, Search, find
from nqbench.records.descriptions import presets
from nqbench.topics.instances.ladder import searches
from nqbench.topics.instances.section_ladder import compare_edges, growths, ladder, lattice

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ladder")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Search, "compare_builds", lambda search: None)  # other tests compare them
        patch.setitem(presets(), "small_ladder",
                      {"budget": 60, "experiments": ["ladder"], "n": 5, "samples": 3})
        nqbench.study.run("small_ladder", results=folder)
    return ladder(analysis.load(folder))


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
    texts = [text.get_text() for text in lattice(edges, at_n).axes[0].texts]
    assert f"row_by_row\n{at_n['nodes']['row_by_row']}" in texts


def test_a_saving_that_grows_is_told_from_a_factor():
    gains = pd.DataFrame([{"algorithm": name, "implementation": "python", "n": n, "nodes": nodes}
                          for n in range(6, 12)
                          for name, nodes in (("base", 1.1 ** n), ("factor", 2 + 0.01 * (n % 2)))])
    estimated = pd.DataFrame([
        {"algorithm": "base", "n": 20, "nodes": 1.1 ** 20, "nodes_high": 1.1 ** 20 * 1.02},
        {"algorithm": "factor", "n": 20, "nodes": 2.0, "nodes_high": 2.04}])
    rows = growths(gains, estimated).set_index("algorithm")
    assert rows["verdict"].to_dict() == {"base": "grows", "factor": "a factor"}
    assert rows["per_queen"]["base"] == pytest.approx(1.1)
