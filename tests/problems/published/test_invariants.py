"""What every total must agree with, and what that would have caught: A140393 is A000170 with an
overflow at n = 24.
"""

import pytest

from nqbench.engine.checkpoint import is_possible
from nqbench.problems.published import published
from nqbench.problems.published.invariants import (
    invariants,
    invariants_of_counters,
    invariants_of_levels,
)

A000170 = published("A000170")
WRONG = 226_732_487_925_864  # n = 24 in A140393
RIGHT = A000170[24]
LOST = 2**32


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


def part(ways, counted):
    """A part as the engine enters it: what was counted, and the remainders of the true number."""
    return counted, ways % 13, ways % 15


def test_the_total_lacks_182_words_which_its_remainder_modulo_8_does_not_show():
    assert RIGHT - WRONG == 182 * LOST
    assert [(known.name, known.ok) for known in invariants(24, WRONG)] == [
        ("A000170", False), ("modulo 8, as A032522", True)]


def test_of_the_whole_total_modulo_15_notices_and_modulo_13_does_not():
    assert WRONG % 13 == RIGHT % 13
    assert WRONG % 15 != RIGHT % 15
    assert is_possible(part(RIGHT, RIGHT))
    assert not is_possible(part(RIGHT, WRONG))


@pytest.mark.parametrize("ways", [LOST, LOST + 1, 182 * LOST + 5])
def test_a_part_that_overflows_is_noticed(ways):
    assert is_possible(part(ways, ways))
    assert not is_possible(part(ways, ways % LOST))


def test_a_part_that_loses_less_than_195_words_is_noticed():
    ways = 200 * LOST + 92
    unnoticed = [lost for lost in range(1, 201) if is_possible(part(ways, ways - lost * LOST))]
    assert unnoticed == [195]  # 13 * 15
