"""The answers at the head of the page are those of the tables."""


import pandas as pd
import pytest
from kept import facts, read

from nqbench.problems.published import published
from nqbench.topics.searches import section_time

TIMES = pd.DataFrame(
    [("somers", "cython", 12, 2.0), ("cross", "cython", 12, 0.5), ("bitmask", "python", 12, 90.0),
     ("recursive", "python", 12, 600.0), ("cross", "cython", 14, 5.0)],
    columns=["algorithm", "implementation", "n", "seconds"])
TIMINGS = TIMES.assign(samples=[[time, 2 * time, 3 * time] for time in TIMES["seconds"]])


@pytest.fixture
def found():
    return section_time.asked(TIMES, TIMINGS)


def test_the_fastest_is_that_at_twelve(found):
    assert found.n == 12
    names = [row["algorithm"] for row in (found.first, found.first_in_python)]
    assert names == ["cross", "bitmask"]


def test_the_next_is_set_beside_it_round_by_round(found):
    assert found.lead.then["algorithm"] == "somers"
    assert (found.lead.times, found.lead.low, found.lead.high) == (4, 4, 4)
    assert not (found.lead.doubtful or found.lead.single)
    assert found.lead_in_python.then["algorithm"] == "recursive"
    alone = TIMES[TIMES["algorithm"] == "bitmask"]
    assert section_time.asked(alone, TIMINGS).lead is None


def test_where_twelve_was_not_reached_a_smaller_n_answers():
    found = section_time.asked(*(frame.assign(n=frame["n"].replace({12: 9}))
                                 for frame in (TIMES, TIMINGS)))
    assert (found.n, found.first["seconds"]) == (9, 0.5)


@pytest.mark.slow
def test_the_tree_is_widest_where_it_has_the_most_nodes_and_the_mirror_halves_them(records):
    made = read(records)
    widest, symmetry = facts(made, "levels"), facts(made, "symmetry")
    levels = published("A319284")[widest.n]
    assert widest.nodes == max(levels) == levels[widest.level]
    assert widest.share == max(levels) / sum(levels)
    assert (symmetry.mirror["algorithm"], symmetry.halved) == ("somers", True)
    rows = made.parts["symmetry"].tables["symmetry"]
    assert set(rows[(rows["algorithm"] == "somers") & (rows["n"] == 6)]["nodes"]) == {153 / 77}
    smallest, counted = facts(made, "nodes").smallest, made.frames.counters
    assert smallest["nodes"] == counted[(counted["n"] == smallest["n"]) & ~counted[
        "algorithm"].isin(["brute_force", "permutations"])]["nodes"].min()
