"""Every kernel counts what fewest_first counts, on random puzzles of all kinds."""

import random
from itertools import product

import pytest

from nqbench import _sudoku
from nqbench.problems.sudoku import find
from nqbench.problems.sudoku.base import BASE

KERNELS = _sudoku.kernels()


def dig(rng, cells):
    """A full grid with renamed digits, from which some cells were removed."""
    names = [0, *rng.sample(range(1, 10), 9)]
    digits = [names[digit] for digit in BASE]
    for cell in rng.sample(range(81), cells):
        digits[cell] = 0
    return digits


def make_unique(rng):
    """A puzzle with one solution, from which no given can be removed."""
    digits = dig(rng, 0)
    for cell in rng.sample(range(81), 81):
        digit, digits[cell] = digits[cell], 0
        if _sudoku.counts("fewest_first", [bytes(digits)], 2) != [1]:
            digits[cell] = digit
    return digits


def spoil(rng, digits):
    """The puzzle with another digit in one of its cells: often without a solution."""
    cell = rng.choice([cell for cell in range(81) if digits[cell]])
    return [*digits[:cell], digits[cell] % 9 + 1, *digits[cell + 1:]]


KINDS = {
    "unique": make_unique,
    "several": lambda rng: dig(rng, rng.randint(54, 62)),
    "none": lambda rng: spoil(rng, make_unique(rng)),
    "contradictory": lambda rng: spoil(rng, dig(rng, rng.randint(10, 60))),
    "nearly full": lambda rng: dig(rng, rng.randint(0, 6)),
    "nearly empty": lambda rng: dig(rng, rng.randint(70, 81)),
}


def puzzles(kind, number):
    rng = random.Random(f"{kind} {number}")
    return [bytes(KINDS[kind](rng)) for _ in range(number)]


@pytest.mark.parametrize("limit", [1, 2, 1000])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kernel_counts_what_fewest_first_counts(kind, limit):
    given = puzzles(kind, 60)
    expected = _sudoku.counts("fewest_first", given, limit)
    for kernel in KERNELS:
        assert _sudoku.counts(f"fast:{kernel}", given, limit) == expected


def test_the_kinds_are_what_they_are_called():
    found = {kind: _sudoku.counts("fewest_first", puzzles(kind, 60), 2) for kind in KINDS}
    assert set(found["unique"]) == {1}
    assert set(found["nearly empty"]) == {2}
    assert found["several"].count(2) > 30
    assert found["none"].count(0) > 30
    assert found["contradictory"].count(0) > 50


COUNTERS = ("nodes", "guesses", "dead_ends", "nodes_to_first")


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kernel_walks_the_same_tree(kind, in_order):
    given = puzzles(kind, 30)
    first, *others = ([_sudoku.search(f"fast:{kernel}", digits, 100, 100, in_order=in_order)[:3]
                       for digits in given] for kernel in KERNELS)
    assert set(first[0][2]) == set(COUNTERS)
    assert others == [first] * len(others)


def test_every_kernel_finds_all_solutions_once():
    links = find("dancing_links").implementations["python"]
    for digits in puzzles("several", 4):
        right = sorted(links.search(tuple(digits), 1000, 1000).solutions)
        for kernel, in_order in product(KERNELS, (False, True)):
            kept = _sudoku.search(f"fast:{kernel}", digits, 1000, 1000, in_order=in_order)[1]
            found = [tuple(kept[at:at + 81]) for at in range(0, len(kept), 81)]
            assert len(set(found)) == len(right)
            if len(right) < 1000:
                assert (found if in_order else sorted(found)) == right
