"""The solvers of a study are compared with the baseline that it names, round by round."""

import pytest
from examples import of_study, point

from nqbench import analysis


def compared(records, over=("bitmask", "python")):
    return analysis.against_baseline(
        analysis.timings(records), analysis.counters(records), over)


OWN = [point("bitmask", implementation="cython"), point("bitmask"), point("my_idea"),
       point("idea2", implementation="numba"), point("idea2", implementation="ctypes")]


@pytest.mark.parametrize(("named", "found"), [
    ("bitmask", ("bitmask", "python")), ("bitmask@cython", ("bitmask", "cython")),
    ("idea2", ("idea2", "numba")), ("idea2@ctypes", ("idea2", "ctypes")),
    ("idea2@python", None), ("somers", None), (None, None), (3, None)])
def test_the_baseline_is_in_python_if_it_was_timed_there_or_else_the_first(named, found):
    assert analysis.baseline(of_study(*OWN, baseline=named)) == found


def test_only_what_was_timed_is_a_baseline():
    records = of_study(point("bitmask"), point("somers"))
    records.loc[records["algorithm"] == "bitmask", "status"] = "timed out"
    assert analysis.baseline(records) is None


def test_ratios_are_those_of_the_rounds_and_above_one_is_faster():
    (row,) = compared(of_study(point("bitmask", factor=4.0), point("my_idea"))).to_dict("records")
    assert (row["algorithm"], row["implementation"], row["n"]) == ("my_idea", "python", 8)
    assert (row["ratio"], row["low"], row["high"]) == (4.0, 4.0, 4.0)
    assert row["verdict"] == "faster"


def test_verdicts_are_corrected_for_the_solvers_of_one_n():
    doubtful = [1.02, 1.1, 1.05, 1.07, 1.04]  # p = 0.0136, too much for four solvers

    def verdicts(*names):
        return set(compared(of_study(point("bitmask", rounds=[1.0] * 5), *(
            point(name, rounds=[1.0 / one for one in doubtful]) for name in names)))["verdict"])

    assert verdicts("a") == {"faster"}
    assert verdicts("a", "b", "c", "d") == {"not significant"}


def test_nodes_are_compared_where_both_counted_those_of_a_tree():
    found = compared(of_study(
        point("bitmask", nodes=2057), point("bitmask", 9), point("fewest_first", nodes=1000),
        point("fewest_first", 9, nodes=4000), point("permutations", nodes=1),
        point("somers", nodes=1029, implementation="cython"), point("recursive")))
    assert {(name, n): nodes for name, n, nodes in zip(
        found["algorithm"], found["n"], found["nodes"], strict=True) if nodes == nodes} == {
            ("fewest_first", 8): 2.057, ("somers", 8): 2057 / 1029}
    assert len(found) == 5


def test_another_implementation_of_the_baseline_is_compared_too():
    found = compared(of_study(*OWN))
    assert list(zip(found["algorithm"], found["implementation"], strict=True)) == [
        ("bitmask", "cython"), ("my_idea", "python"), ("idea2", "numba"), ("idea2", "ctypes")]


def test_only_the_n_of_both_are_compared():
    found = compared(of_study(point("bitmask", 8), point("somers", 8), point("somers", 9)))
    assert list(found["n"]) == [8]
    assert compared(of_study(point("bitmask"))).empty
