"""Decide instances of queens, in the process that measures."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from nqbench.problems import PROBLEMS


@dataclass(frozen=True)
class Decided:
    """The decisions about instances: for each one, the nodes and backtracks of the search, and
    whether it has a solution (None if the search gave up).

    Attributes
    ----------
    seconds
        that all of them took.
    """

    nodes: list[int]
    backtracks: list[int]
    solvable: list[bool | None]
    seconds: float


def decide(algorithms: Sequence[str], instances: Sequence[str], nodes: int) -> Decided:
    """Search each instance of queens, given as text, for a solution by the algorithm at the same
    position, with at most this number of nodes.

    >>> decide(["bitmask", "restarts_luby:7"], ["n=3", "n=4"], 100).solvable
    [False, True]
    """
    problem = PROBLEMS["instances"]
    searches = list(map(problem.find, algorithms))
    boards = {text: problem.parse(text) for text in dict.fromkeys(instances)}
    start = perf_counter()
    outcomes = [search.solve(boards[text], nodes=nodes)
                for search, text in zip(searches, instances, strict=True)]
    seconds = perf_counter() - start
    return Decided([outcome.counters["nodes"] for outcome in outcomes],
                   [outcome.counters["exhaustions"] for outcome in outcomes],
                   [outcome.solvable for outcome in outcomes], seconds)
