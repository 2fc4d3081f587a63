"""The exact trees and the first solutions agree with what is known, and say how they were found."""

from dataclasses import replace
from hashlib import sha256

import pytest

from nqbench.problems.instances import Board
from nqbench.problems.published import published
from nqbench.problems.published.computed import FIRST_SOLUTIONS, PROFILES, Count, profiles
from nqbench.problems.published.invariants import invariants_of_levels
from nqbench.problems.published.sequences import search_plainly

COUNTED = {n: tree for n, tree in profiles().items() if tree.counts}
COLUMNS, SQUARES = published("A141843"), published("A140450")


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


def test_every_row_is_a_solution_or_there_is_none():
    for n, row in FIRST_SOLUTIONS.items():
        assert (row.solution is None) == (n in (2, 3))
        columns = tuple(column - 1 for column in row.solution or ())
        assert not columns or Board(n).is_solution(columns), n


def test_the_plain_search_finds_the_small_ones_in_as_many_squares():
    for n in range(1, 14):
        row = FIRST_SOLUTIONS[n]
        columns, tried = search_plainly(n)
        assert [column + 1 for column in columns or ()] == (row.solution or []), n
        assert tried == row.tried == n * row.placements + len(columns or ()) * (n + 1) // 2, n


def test_the_rows_to_61_are_those_of_the_published_b_file():
    """The digest of b141843.txt is that in the Git LFS pointer of github.com/oeis/oeisdata."""
    rows = [FIRST_SOLUTIONS[n].solution or [0] * n for n in range(1, 62)]
    text = "".join(f"{k} {term}\n" for k, term in enumerate((c for row in rows for c in row), 1))
    assert sha256(text.encode()).hexdigest() == (
        "883c716b48815b2f8f9edcd10d033d7d4800267083f60bffd3b837be03fe4d2c")


def test_published_terms_are_not_repeated():
    for n, row in FIRST_SOLUTIONS.items():
        assert bool(row.columns) == (COLUMNS.get(n) is None), n
        assert row.tried == SQUARES.get(n), n
        assert row.found_by[0] == "pruned search", n
        assert set(row.found_by) <= {"pruned search", "plain count", "6 prefixes", "SAT chain"}, n
        assert ("plain count" in row.found_by) == (row.tried is not None), n
