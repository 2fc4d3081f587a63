"""The n queens: no two in a row, a column or a diagonal. An instance is n.

There is one file for each algorithm, or for a family of them: first those of the documents in
docs/sources.md, in their order, then further ideas.
"""

import re
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.problems import Problem
from nqbench.problems.queens.base import PART, Finds, QueensAlgorithm, Search, Tree
from nqbench.search.algorithm import Algorithm, Catalogue
from nqbench.search.board import Columns, Placement
from nqbench.util.arguments import N_DIGITS, require_whole

__all__ = ["PART", "Algorithm", "Finds", "QueensAlgorithm", "Search", "Tree", "catalogue", "find"]


def parse(text: str) -> int:
    """Return n.

    >>> parse("8")
    8
    >>> parse("eight")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidTypeError: n must be a whole number, 0 or more, not 'eight'
    """
    if len(text) > N_DIGITS and text.isdecimal():
        raise InvalidValueError(f"N is far too large: a number of {len(text)} digits")
    return require_whole(int(text) if text.isdecimal() else text)


def is_solution(n: int, columns: Columns) -> bool:
    """Return whether n queens stand in these columns, row by row, and none attacks another.

    >>> is_solution(4, (1, 3, 0, 2)), is_solution(4, (0, 1, 2, 3)), is_solution(5, (1, 3, 0, 2))
    (True, False, False)
    """
    return len(columns) == n and Placement(columns).is_solution


PROBLEM: Problem[QueensAlgorithm] = Problem(
    name="queens", catalogue=Catalogue(__name__), is_solution=is_solution, parse=parse, size=int,
    search=Search, form="N, a whole number, 0 or more",
    recognises=re.compile("[0-9]{1,39}").fullmatch,  # more is a grid
    defaults=("bitmask",))
find, catalogue = PROBLEM.find, PROBLEM.list_algorithms


def __getattr__(name: str) -> Any:
    """Return NAMES, the names of all algorithms, or PUBLISHED, the names of those that come from
    the documents in docs/sources.md.
    """
    if name == "NAMES":
        return tuple(catalogue())
    if name == "PUBLISHED":
        return tuple(each for each, algorithm in catalogue().items()
                     if isinstance(algorithm, Search) and algorithm.prints)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
