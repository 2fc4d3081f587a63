"""The n queens: no two in a row, a column or a diagonal. An instance is n."""

import re

from nqbench.algorithms import Search, catalogue
from nqbench.board import Columns, Placement
from nqbench.errors import InvalidValueError
from nqbench.problems import Problem
from nqbench.util.arguments import require_whole

DIGITS = 18  # of the largest n; no board has as many rows


def parse(text: str) -> int:
    """Return n.

    >>> parse("8")
    8
    >>> parse("eight")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidTypeError: n must be a whole number, 0 or more, not 'eight'
    """
    if len(text) > DIGITS and text.isdecimal():
        raise InvalidValueError(f"N is far too large: a number of {len(text)} digits")
    return require_whole(int(text) if text.isdecimal() else text)


def is_solution(n: int, columns: Columns) -> bool:
    """Return whether n queens stand in these columns, row by row, and none attacks another.

    >>> is_solution(4, (1, 3, 0, 2)), is_solution(4, (0, 1, 2, 3)), is_solution(5, (1, 3, 0, 2))
    (True, False, False)
    """
    return len(columns) == n and Placement(columns).is_solution


PROBLEM = Problem(name="queens", catalogue=catalogue(), is_solution=is_solution, parse=parse,
                  size=int, search=Search, form="N, a whole number, 0 or more",
                  recognises=re.compile("[0-9]{1,39}").fullmatch,  # more is a grid
                  defaults=("bitmask",))
