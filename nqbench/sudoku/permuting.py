"""Permute puzzles at random.

A puzzle keeps its solutions, and what people find hard about it, when its digits are renamed, the
rows of a band, the columns of a stack, the bands and the stacks are exchanged, and rows become
columns: 1.2 x 10^12 ways. To the processor each is another puzzle, whose branches it has not seen.
"""

from random import Random

from nqbench.sudoku.grid import Digits


def permute(digits: Digits, rng: Random) -> Digits:
    """Return a puzzle that is the same except for names and places.

    >>> puzzle = (1, 2, *[0] * 79)
    >>> permute(puzzle, Random(1)) == permute(puzzle, Random(1))
    True
    >>> sorted(permute(puzzle, Random(1)))[:79] == [0] * 79
    True
    """
    names = (0, *rng.sample(range(1, 10), 9))
    rows, columns = _exchange(rng), _exchange(rng)
    if rng.random() < 0.5:
        return tuple([names[digits[9 * column + row]] for row in rows for column in columns])
    return tuple([names[digits[9 * row + column]] for row in rows for column in columns])


def _exchange(rng: Random) -> list[int]:
    """Return nine lines in an order that keeps bands (or stacks) together."""
    return [3 * band + line for band in rng.sample(range(3), 3) for line in rng.sample(range(3), 3)]
