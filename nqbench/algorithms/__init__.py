"""The catalogue: one file, one algorithm. First those of the textbooks, in the order of the
documents, then the ideas beyond.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from nqbench._arguments import require_text
from nqbench._text import unknown
from nqbench.algorithms.base import PART, Algorithm, Finds, Search, Tree
from nqbench.algorithms.implementations import Implementation
from nqbench.errors import InvalidValueError

__all__ = ["NAMES", "PART", "TEXTBOOK", "Algorithm", "Finds", "Implementation", "Search", "Tree",
           "catalogue", "find"]

TEXTBOOK = (
    "iterative", "board_matrix", "column_array", "one_loop", "flat_marks", "brute_force",
    "permutations", "pruned_loops", "probe_stack", "recursive", "marks_mirror", "bitmask",
    "bitmask_even_mirror", "somers", "string_board", "char_board",
)
NAMES = (
    *TEXTBOOK,
    "depth_limited", "width_limited", "threads", "a_star", "ida_star", "middle_first",
    "forward_checking", "fewest_first", "fewest_lines", "dancing_links", "canonical", "cross",
    "min_conflicts", "explicit",
)


@cache
def catalogue() -> Mapping[str, Algorithm]:
    """Return all algorithms by name.

    >>> catalogue()["somers"].year
    2002
    """
    return MappingProxyType({
        name: import_module(f"nqbench.algorithms.{name}").ALGORITHM for name in NAMES})


def find(name: str) -> Algorithm:
    """Return the algorithm of that name; a value may stand behind a colon where there is
    something to choose.

    Raises
    ------
    TypeError, ValueError
        if there is none, naming the nearest names.

    Examples
    --------
    >>> find("width_limited:4").count(8)
    39
    >>> find("sommers")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm 'sommers'; did you mean somers?
    """
    known = catalogue()
    if require_text(name, "algorithm") in known:
        return known[name]
    plain, colon, value = name.partition(":")
    if colon and plain in known:
        return known[plain].chosen(value)
    raise InvalidValueError(unknown("algorithm", name, known))
