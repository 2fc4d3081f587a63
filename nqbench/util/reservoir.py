"""Draw some of many items, of which only those that are drawn are in memory."""

from collections.abc import Iterable
from operator import itemgetter
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def draw(items: Iterable[Item], most: int, seed: int) -> tuple[list[Item], int]:
    """Return `most` of the items at random, in their order, and how many there were; all if
    there are no more. Only what is returned is in memory: a reservoir, algorithm R.

    >>> draw(range(3), 5, seed=0)
    ([0, 1, 2], 3)
    >>> found, many = draw(range(1000), 5, seed=0)
    >>> len(found), sorted(found) == found, many
    (5, True, 1000)
    """
    rng = Random(seed)
    chosen: list[tuple[int, Item]] = []
    number = 0
    for number, item in enumerate(items, 1):
        if number <= most:
            chosen.append((number, item))
        elif (place := rng.randrange(number)) < most:
            chosen[place] = number, item
    return [item for _, item in sorted(chosen, key=itemgetter(0))], number
