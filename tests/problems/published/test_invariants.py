"""What every total must agree with."""

import pytest

from nqbench.problems.published import published
from nqbench.problems.published.invariants import (
    invariants,
    invariants_of_counters,
    invariants_of_levels,
)

A000170 = published("A000170")


@pytest.mark.parametrize("n", range(28))
def test_the_published_values_agree_with_what_is_known(n):
    assert all(known.ok for known in invariants(n, A000170[n]))


@pytest.mark.parametrize("off", [-8, -1, 1, 2, 4, 6, 8])
def test_another_total_does_not(off):
    assert not all(known.ok for known in invariants(12, 14200 + off))
    turned = published("A032522")[30]
    assert all(known.ok for known in invariants(30, turned + off)) == (off % 8 == 0)


def test_what_is_not_published_is_not_known():
    assert [known.name for known in invariants(28, 0)] == ["modulo 8, as A032522"]
    assert invariants(33, 0) == []


@pytest.mark.parametrize(("dead", "level"), [
    ([0, 0, 2, 2, 0], None), ([0, 0, 1, 2, 0], 2),  # 4 nodes below 6: 2 have no child
    ([0, 0, 5, 2, 0], 2), ([0, 0, 2, 3, 0], 3), ([0, 0, 2, 2, 1], 4)])
def test_the_next_level_bounds_the_dead_ends_of_a_level(dead, level):
    counted = {"levels": [1, 4, 6, 4, 2], "dead_levels": dead, "dead_ends": sum(dead)}
    wrong = [known.name for known in invariants_of_counters(4, counted, plain=True) if not known.ok]
    assert wrong == ([] if level is None else [
        f"dead_levels, which level {level + 1} allows at level {level}"])


@pytest.mark.parametrize(("dead", "ok"), [(0, True), (7, True), (8, False)])
def test_nodes_with_as_many_children_as_columns_are_rounded_up(dead, ok):
    """Of 12 nodes above 14, with up to 3 children each, five or more have a child."""
    counted = {"levels": [1, 5, 12, 14, 12, 10], "dead_levels": [0, 0, dead, 2, 2, 0]}
    wrong = [known.name for known in invariants_of_counters(5, counted, plain=True)
             if not known.ok and "level 2" in known.name]
    assert (not wrong) == ok


@pytest.mark.parametrize(("part", "whole"), [
    ("nodes_to_first", "nodes"), ("tests_to_first", "tests"), ("dead_ends", "nodes"),
    ("pairs_excluded", "pairs")])
def test_a_part_of_a_count_is_no_more_than_the_whole(part, whole):
    for more in (0, 1):
        (known,) = invariants_of_counters(9, {part: 10 + more, whole: 10}, plain=False)
        assert known.ok == (not more)


def test_what_the_sequences_contradict_is_said():
    levels = published("A319284")[8]
    assert all(known.ok for known in invariants_of_levels(8, levels))
    wrong = [known.name for known in invariants_of_levels(8, [*levels[:-1], 93]) if not known.ok]
    assert wrong == ["level 8 (A319284)", "the sum of the levels (A319283)", "level 8 (A000170)",
                     "level 8 (modulo 8, as A032522)"]
