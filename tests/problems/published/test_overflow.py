"""Which guards would have caught A140393: A000170 with an overflow at n = 24."""

import pytest

from nqbench.engine.checkpoint import is_possible
from nqbench.problems.published import published
from nqbench.problems.published.invariants import invariants

WRONG = 226_732_487_925_864  # n = 24 in A140393
RIGHT = published("A000170")[24]
LOST = 2**32


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
