"""Families of random instances: how they are made, and in which range of amounts they become
unsolvable.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import lgamma, log
from random import Random

from nqbench.instances.board import Board
from nqbench.instances.generating import blocked, completion, excluded


@dataclass(frozen=True)
class Family:
    """A family of random instances.

    Attributes
    ----------
    name
        the name of the command that generates them.
    amount
        the meaning of the amount, in words.
    make
        a function that returns an instance of n and an amount.
    amounts
        a function that returns the amounts between which the share of solvable instances falls from
        1 to 0.
    most
        a function that returns the largest amount of an instance of n that has a solution.
    density
        a function that returns the amount in a form that is comparable between boards of different
        n.
    axis
        the meaning of the density, in words.
    survives
        a function that returns the logarithm of the probability that a solution of the empty board
        is a solution of an instance of n and this density; None if it has no simple form.
    """

    name: str
    amount: str
    make: Callable[[int, int, Random], Board]
    amounts: Callable[[int], list[int]]
    most: Callable[[int], int]
    density: Callable[[int, int], float]
    axis: str
    survives: Callable[[int, float], float] | None = None


def _of(n: int, amount: int) -> float:
    return amount / n


def _none_excluded(n: int, density: float) -> float:
    """Return the logarithm of the probability that none of the 2n diagonals of a solution is among
    the excluded ones of all 4n - 2.
    """
    amount = n * density

    def ways(diagonals: int) -> float:  # to exclude this many of them
        return lgamma(diagonals + 1) - lgamma(diagonals - amount + 1)

    return ways(2 * n - 2) - ways(4 * n - 2)


FAMILIES = {family.name: family for family in (
    Family("completion", "placed queens", completion,
           lambda n: sorted({round(n * share / 10) for share in range(1, 10)}), lambda n: n, _of,
           "placed queens over n"),
    Family("blocked", "blocked squares", blocked,
           lambda n: sorted({round(n * (n - free / 2)) for free in range(8, 20)
                             if n > free / 2}), lambda n: n * n - n,
           lambda n, amount: n - amount / n, "unblocked squares in a row, on average",
           lambda n, density: n * log(density / n)),
    Family("excluded", "excluded diagonals", excluded,
           lambda n: sorted({round(n * share / 10) for share in range(1, 16)}),
           lambda n: 2 * n - 2, _of, "excluded diagonals over n", _none_excluded),
)}
