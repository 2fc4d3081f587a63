"""Estimates beside the true values; exact trees, and first solutions."""

import re
from dataclasses import replace
from math import inf
from types import SimpleNamespace

import pytest
from kept import said_of

from nqbench import analysis
from nqbench.problems.published import published
from nqbench.problems.published.computed import FIRST_SOLUTIONS, PROFILES, Count, profiles
from nqbench.report.builder import draw
from nqbench.topics.estimates import section

TREES = {n: tree for n, tree in profiles().items() if n >= 4}


def words():
    """The text of the sections of no records."""
    text = "".join(said_of(name, None) for name in ("exact_trees", "first_solutions"))
    return " ".join(re.sub("<[^>]*>", "", text).split())


def test_trees_are_shown_with_their_widest_level_and_source():
    found = section.exact_trees(TREES).set_index("n")
    assert found.loc[8].to_dict() == {
        "nodes": 2057, "growth": 2057 / 552, "widest_level": 5, "over_n": 0.625,
        "widest_nodes": 568, "published": "yes", "counted_by": "", "kernels": ""}
    assert found.loc[13].to_list()[-3:] == ["yes", "outwards, downwards", "avx2, portable"]
    assert found.loc[20, "published"] == "no"
    assert list(found["widest_level"][:16]) == list(published("A319288").values[4:])
    levels = section.exact_levels(TREES)
    assert (levels.groupby("n")["nodes"].sum() == found["nodes"]).all()


def test_times_are_those_of_the_counts_that_recorded_them():
    found = section.level_times(TREES)
    assert len(found) == sum(count.core_seconds is not None for tree in TREES.values()
                             for count in tree.counts)
    row = found.query("n == 18 and rows == 'outwards'").iloc[0]
    assert row["nodes_per_second"] == 59_365_844_491 / row["core_seconds"]


def test_a_tree_of_one_search_is_named_until_a_second_one_found_it(monkeypatch):
    one = replace(PROFILES[20], counts=(Count("outwards", "avx2"),))
    two = replace(one, counts=(*one.counts, Count("downwards", "avx2")))
    named = "Only one search, outwards, has counted 20 queens so far"
    for tree in (one, two):
        monkeypatch.setitem(PROFILES, 20, tree)
        assert (named in words()) == (tree is one)


def test_first_solutions_are_shown_with_what_pruning_saves():
    found = section.first_solutions().set_index("n")
    assert found.loc[34].to_dict() == {
        "squares_tried": 78_016_579_095, "placements": 2_294_605_250, "nodes": 11_316,
        "rejected": 47, "ratio": 2_294_605_250 / 11_316, "known_from": "Pearson 2008",
        "checked_by": "plain count"}
    assert section.first_columns().set_index("n").loc[8, "columns"] == "1 5 8 6 3 7 2 4"


def test_the_page_says_where_even_boards_take_longer_and_how_solutions_begin():
    found = section.make_first_solutions(None).facts
    assert found.largest_counted == 45
    assert (found.rows[6].tried, found.rows[7].tried) == (171, 42)
    assert found.exceptions[:2] == [26, 32]
    assert found.corner_from == 19
    ratios = section.first_solutions().set_index("n")["ratio"]
    assert found.best.n == ratios.idxmax()


def test_a_row_is_all_that_a_new_first_solution_needs(monkeypatch):
    """The rows need not be those of all n: the next one is missing yet."""
    n = next(n for n in range(1, 65) if n not in FIRST_SOLUTIONS)
    monkeypatch.setitem(FIRST_SOLUTIONS, n, replace(FIRST_SOLUTIONS[n - 1], n=n))
    assert n in section.make_first_solutions(None).facts.rows
    assert len(section.squares_tried(section.first_solutions()).axes) == 1


def test_the_section_needs_no_records(tmp_path):
    text = words()
    assert "only the trees of 20 and 21 queens are new" in text
    assert "nqbench found all of them again" in text
    assert "Up to n = 45, an even n takes more squares than n + 1 (171 for 6 queens, 42" in text
    figures = section.make_first_solutions(None).figures
    for drawn in draw(SimpleNamespace(figures=figures), tmp_path, ("svg",))["squares_tried"]:
        assert len(drawn) < 60_000
        assert "<title>squares, even n\nn: 6\nsquares tried: 171</title>" in drawn


@pytest.fixture(scope="module")
def frame(records):
    return analysis.load(records)


def test_estimates_stand_beside_the_published_values(frame):
    found = section.estimates(frame)
    assert len(found) == 2 * 2 * 7
    unknown = found[found["known"].isna()].groupby("quantity")["n"].min()
    assert unknown.to_dict() == {"nodes": 20, "solutions": 28}
    row = found[(found["quantity"] == "solutions") & (found["n"] == 8)
                & (found["method"] == "knuth")].iloc[0]
    (sample,) = frame[(frame["metric"] == "estimate") & (frame["n"] == 8)
                      & (frame["method"] == "knuth")]["samples"].iloc[0]
    assert [row["mean"], row["error"]] == sample["levels"][-1]
    assert row["high"] == pytest.approx(row["mean"] + sample["reach"] * row["error"])
    assert row["known"] == 92
    assert row["off"] == (row["mean"] - row["known"]) / row["error"]
    assert type(row["known"]) is int


def test_the_estimate_with_the_most_probes_counts(frame):
    fewer = frame.assign(run="2999-01-01T00:00:00.000+00:00", probes=50)
    more = frame.assign(run="1999-01-01T00:00:00.000+00:00", probes=10**6, machine="ffffffff")
    for records, probes in ((fewer, {64}), (more, {10**6})):
        both = section.estimates(type(frame)(
            [*frame.to_dict("records"), *records.to_dict("records")]))
        assert set(both["probes"]) == probes
        assert len(both) == 2 * 2 * 7


def test_an_estimate_without_error_that_is_wrong_is_infinitely_far_off(frame):
    """No probe reached a solution: 0 in the interval from 0 to 0."""
    rows = frame[(frame["metric"] == "estimate") & (frame["n"] == 8)].to_dict("records")
    for row in rows:
        (sample,) = row["samples"]
        row["samples"] = [sample | {"reached": 0, "levels": [*sample["levels"][:-1], [0.0, 0.0]]}]
        row["samples"][0] |= {"nodes": [2057 + 1.9 * 50.0, 50.0], "reach": 1.8}
    found = section.estimates(type(frame)(rows))
    assert set(found[found["quantity"] == "solutions"]["off"]) == {-inf}
    text = said_of("estimates", SimpleNamespace(of=lambda make: make(type(frame)(rows)),
                                                records=type(frame)(rows)))
    assert "a published value has a standard error of 0: all its probes agree." in text
    assert "0 of the 4 intervals contain the known value" in text  # 1.9 errors off; they reach 1.8
