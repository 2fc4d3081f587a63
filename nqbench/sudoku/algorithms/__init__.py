"""The solvers of Sudoku: one file, one algorithm."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from nqbench._arguments import require_text
from nqbench.errors import InvalidValueError
from nqbench.sudoku.algorithms.base import Algorithm, Implementation, Outcome

__all__ = ["NAMES", "Algorithm", "Implementation", "Outcome", "catalogue", "find"]

NAMES = ("textbook", "textbook_bitmask", "fewest_first", "dancing_links", "fast")


@cache
def catalogue() -> Mapping[str, Algorithm]:
    """Return all solvers by name.

    >>> catalogue()["fewest_first"].year
    2006
    """
    return MappingProxyType({
        name: import_module(f"nqbench.sudoku.algorithms.{name}").ALGORITHM for name in NAMES})


def find(name: str) -> Algorithm:
    """Return the solver of that name; behind a colon `fast` takes the kernel, as in fast:avx2.

    >>> find("fastest")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no solver 'fastest' of Sudoku, only ...
    """
    solver, colon, kernel = require_text(name, "algorithm").partition(":")
    if solver not in NAMES:
        raise InvalidValueError(f"there is no solver {name!r} of Sudoku, only {', '.join(NAMES)}")
    if not colon:
        return catalogue()[solver]
    return catalogue()[solver].chosen(kernel)
