"""The answers at the head of the page are those of the tables."""

from types import SimpleNamespace

import pandas as pd
import pytest

from nqbench.reference import ERRATA, published
from nqbench.report.answers import answers

TIMES = pd.DataFrame(
    [("somers", "cython", 12, 2.0), ("cross", "cython", 12, 0.5), ("bitmask", "python", 12, 90.0),
     ("recursive", "python", 12, 600.0), ("cross", "cython", 14, 5.0)],
    columns=["algorithm", "implementation", "n", "seconds"])
TIMINGS = TIMES.assign(samples=[[time, 2 * time, 3 * time] for time in TIMES["seconds"]])
MIRROR = pd.DataFrame(
    [("bitmask", "somers", "python", 8, 1.9, 2.5), ("bitmask", "somers", "python", 9, 2.0, 3.0),
     ("marks", "marks_mirror", "python", 9, 2.0, 1.5)],
    columns=["plain", "mirrored", "implementation", "n", "nodes", "time"])
LEVELS = pd.DataFrame([["bitmask", *published("A319284")[8]]],
                      columns=["algorithm", *(f"level {k}" for k in range(9))])


def answered(times, timings, mirror=MIRROR):
    return answers(SimpleNamespace(tables={"times": times, "mirror": mirror, "levels": LEVELS},
                                   timings=timings, n_levels=8))


@pytest.fixture
def found():
    return answered(TIMES, TIMINGS)


def test_the_fastest_is_that_at_twelve(found):
    assert found["asked_n"] == 12
    names = [found[key]["algorithm"] for key in ("first", "first_in_python")]
    assert names == ["cross", "bitmask"]


def test_the_next_is_set_beside_it_round_by_round(found):
    assert found["lead"]["then"]["algorithm"] == "somers"
    assert [found["lead"][key] for key in ("times", "low", "high")] == [4, 4, 4]
    assert found["lead"]["verdict"] == "slower"
    assert found["lead_in_python"]["then"]["algorithm"] == "recursive"
    alone = TIMES[TIMES["algorithm"] == "bitmask"]
    assert answered(alone, TIMINGS)["lead"] is None


def test_where_twelve_was_not_reached_a_smaller_n_answers():
    found = answered(*(frame.assign(n=frame["n"].replace({12: 9})) for frame in (TIMES, TIMINGS)))
    assert (found["asked_n"], found["first"]["seconds"]) == (9, 0.5)


def test_the_mirror_saves_what_it_saves_at_the_largest_n(found):
    assert (found["mirror_nodes"], found["mirror_time"]) == (2.0, (1.5, 3.0))


def test_where_nothing_is_mirrored_the_mirror_saves_nothing_and_is_not_asked():
    odd = MIRROR.tail(1).assign(n=11, nodes=1.0, time=0.5)
    found = answered(TIMES, TIMINGS, pd.concat([MIRROR, odd]))
    assert (found["mirror_nodes"], found["mirror_time"]) == (2.0, (1.5, 3.0))


def test_the_tree_of_eight_is_widest_at_level_five(found):
    assert (found["widest"], found["widest_nodes"]) == (5, 568)
    assert found["widest_share"] == 568 / 2057


def test_the_faults_are_those_of_the_errata(found):
    assert found["faults"] == len(ERRATA)
    assert 10 < found["faulty"] < found["faults"]
