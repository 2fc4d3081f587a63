"""Make permuted copies of a data set, so that no sample of a rate contains the same list twice;
draw some instances of a very large one.

A branch predictor learns a short list by heart if it is repeated: 49 easy puzzles of Sudoku then
seem 1.4 times as fast as new ones.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter
from random import Random
from typing import Any

from nqbench.errors import BuildsDifferError
from nqbench.problems import Bounded, DataSet

HARDER = 10  # times the nodes of the first copy, or FEW: the limit of a copy of an instance
FEW = 1000


def draw(instances: Iterable[Any], most: int, seed: int) -> tuple[list[Any], int]:
    """Return `most` of the instances at random, in their order, and how many there were; all if
    there are no more. Only what is returned is in memory: a reservoir, algorithm R.

    >>> draw(range(3), 5, seed=0)
    ([0, 1, 2], 3)
    >>> found, many = draw(range(1000), 5, seed=0)
    >>> len(found), sorted(found) == found, many
    (5, True, 1000)
    """
    rng = Random(seed)
    chosen: list[tuple[int, Any]] = []
    number = 0
    for number, instance in enumerate(instances, 1):
        if number <= most:
            chosen.append((number, instance))
        elif (place := rng.randrange(number)) < most:
            chosen[place] = number, instance
    return [instance for _, instance in sorted(chosen, key=itemgetter(0))], number


def permute_all(data_set: DataSet, seed: int | None, number: int = 0) -> DataSet:
    """Return the copy with this number; the data set itself without a seed, or if instances of its
    problem cannot be permuted.
    """
    permute = data_set.problem.permute
    if seed is None or permute is None:
        return data_set
    rng = Random(f"{seed} {number}")  # a text seeds equally in all versions of Python
    return replace(data_set, instances=[permute(one, rng) for one in data_set.instances])


def make_copies(data_set: DataSet, seed: int, numbers: Sequence[int],
                implementation: Bounded[Any, Any], limit: int, allowed: int,
                nodes: Sequence[int | None], solutions: Sequence[int | None]) -> list[Any]:
    """Return the instances of these copies, one copy after the other, without the instances that
    were not answered: those whose `nodes` and `solutions`, counted in the first copy, are None.

    If an instance takes many more nodes in a copy than in the first one, or more than are allowed,
    it is taken from the first. Some solvers depend so strongly on the order of rows and digits that
    a sample would not end.

    Raises
    ------
    BuildsDifferError
        if a copy has another number of solutions.
    """
    first = permute_all(data_set, seed)
    found = []
    for number in numbers:
        copy = permute_all(data_set, seed, number)
        for place, (base, one) in enumerate(zip(first.instances, copy.instances, strict=True)):
            counted = nodes[place]
            if counted is None:
                continue
            bound = min(allowed, max(FEW, HARDER * counted))
            outcome = implementation.search(one, limit, 0, bound, None) if number else None
            if outcome and not outcome.gave_up and outcome.found != solutions[place]:
                raise BuildsDifferError(
                    f"{data_set.problem.noun} {place + 1} of {data_set.name} has {solutions[place]}"
                    f" of at most {limit} solutions, and {outcome.found} when it is permuted")
            found.append(base if outcome is None or outcome.gave_up else one)
    return found
