"""What every total must agree with."""

import pytest

from nqbench.reference import invariants, published
from nqbench.symmetry import half_turn

A000170 = published("A000170")


@pytest.mark.parametrize("n", range(28))
def test_the_published_values_agree_with_what_is_known(n):
    assert all(known.ok for known in invariants(n, A000170[n]))


@pytest.mark.parametrize("n", range(2, 20))
def test_turned_solutions_leave_the_same_remainder(n):
    assert (A000170[n] - half_turn(n)) % 8 == 0
    assert A000170[n] % 2 == 0


@pytest.mark.parametrize("off", [-8, -1, 1, 2, 4, 6, 8])
def test_another_total_does_not(off):
    assert not all(known.ok for known in invariants(12, 14200 + off))
    turned = published("A032522")[30]
    assert all(known.ok for known in invariants(30, turned + off)) == (off % 8 == 0)


def test_what_is_not_published_is_not_known():
    assert [known.name for known in invariants(28, 0)] == ["modulo 8, as A032522"]
    assert invariants(33, 0) == []
