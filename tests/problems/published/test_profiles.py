"""The exact trees agree with what is known, and say by which searches they were found."""

from dataclasses import replace

import pytest

from nqbench.problems.published import published
from nqbench.problems.published.computed import PROFILES, Count, profiles
from nqbench.problems.published.invariants import invariants_of_levels

COUNTED = {n: tree for n, tree in profiles().items() if tree.counts}


@pytest.mark.parametrize("n", COUNTED)
def test_levels_agree_with_what_is_known(n):
    levels = COUNTED[n].levels
    assert len(levels) == n + 1
    assert list(levels[:3]) == [1, n, (n - 1) * (n - 2)]
    assert all(known.ok for known in invariants_of_levels(n, levels))


def test_the_exact_trees_are_those_published_and_those_computed():
    assert list(profiles()) == list(range(max(PROFILES) + 1))
    assert set(COUNTED) == set(range(13, max(PROFILES) + 1))
    assert {n for n, tree in profiles().items() if not tree.published} == set(PROFILES)
    assert all(tree.nodes == published("A319283")[n] for n, tree in profiles().items()
               if tree.published)


def test_one_search_confirms_nothing_that_is_not_published():
    counts = Count("outwards", "avx2"), Count("outwards", "portable")
    twenty = replace(PROFILES[20], counts=counts)
    assert not twenty.confirmed
    assert (twenty.counted_by, twenty.kernels) == ("outwards only so far", ("avx2", "portable"))
    twice = replace(twenty, counts=(*twenty.counts, Count("downwards", "avx2", 9.5)))
    assert twice.confirmed
    assert twice.counted_by == "outwards, downwards"
    assert replace(COUNTED[19], counts=(Count("outwards", "avx2"),)).confirmed
