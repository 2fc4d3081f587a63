"""The answers at the head of the page are those of the tables."""

from types import SimpleNamespace

import pandas as pd
import pytest

from nqbench.problems.published import published
from nqbench.report.sections import SECTIONS
from nqbench.report.tables import Taken
from nqbench.topics.searches import section_saving, section_time

TIMES = pd.DataFrame(
    [("somers", "cython", 12, 2.0), ("cross", "cython", 12, 0.5), ("bitmask", "python", 12, 90.0),
     ("recursive", "python", 12, 600.0), ("cross", "cython", 14, 5.0)],
    columns=["algorithm", "implementation", "n", "seconds"])
TIMINGS = TIMES.assign(samples=[[time, 2 * time, 3 * time] for time in TIMES["seconds"]])
MIRROR = pd.DataFrame(
    [("bitmask", "somers", "python", 8, 1.9, 2.5, "faster"),
     ("bitmask", "somers", "python", 9, 2.0, 3.0, "faster"),
     ("marks", "marks_mirror", "python", 9, 2.0, 1.5, "faster")],
    columns=["plain", "mirrored", "implementation", "n", "nodes", "time", "verdict"])
LEVELS = pd.DataFrame([(name, "python", 8, level, nodes) for name in ("bitmask", "somers")
                       for level, nodes in enumerate(published("A319284")[8])],
                      columns=["algorithm", "implementation", "n", "level", "nodes"])


@pytest.fixture
def found():
    return section_time.asked(TIMES, TIMINGS)


def mirrored(table):
    return section_saving.mirror_facts(section_saving.largest(table), Taken())


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


def test_the_mirror_saves_what_it_saves_at_the_largest_n():
    found = mirrored(MIRROR)
    assert (found.nodes, found.time) == (2.0, (1.5, 3.0))


def test_where_nothing_is_mirrored_the_mirror_saves_nothing_and_is_not_asked():
    odd = MIRROR.tail(1).assign(n=11, nodes=1.0, time=0.5)
    found = mirrored(pd.concat([MIRROR, odd]))
    assert (found.nodes, found.time) == (2.0, (1.5, 3.0))


def test_the_tree_of_eight_is_widest_at_level_five():
    found = SECTIONS["levels"].part(SimpleNamespace(profiles=LEVELS)).facts
    assert (found.widest, found.widest_nodes) == (5, 568)
    assert found.widest_share == 568 / 2057
