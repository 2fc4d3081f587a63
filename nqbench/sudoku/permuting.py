"""Permute puzzles at random.

These changes keep the number of solutions of a puzzle, and its difficulty for people: renaming the
digits; exchanging the rows of a band, the columns of a stack, the bands, or the stacks; and
exchanging rows with columns. There are 1.2 x 10^12 ways. To the processor each result is a new
puzzle, whose branches it cannot predict.
"""

from random import Random

from nqbench.sudoku.grid import Digits


def permute(digits: Digits, rng: Random) -> Digits:
    """Return a puzzle that differs only in names and places.

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
