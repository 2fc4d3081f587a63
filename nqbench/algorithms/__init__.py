"""The catalogue: one file, one algorithm, in the order of the documents."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import MappingProxyType

from nqbench.algorithms._algorithm import Algorithm, Implementation, Search

__all__ = ["NAMES", "Algorithm", "Implementation", "Search", "catalogue", "find"]

NAMES = (
    "iterative", "board_matrix", "column_array", "one_loop", "flat_marks", "brute_force",
    "permutations", "pruned_loops", "probe_stack", "recursive", "marks_mirror", "bitmask",
    "bitmask_even_mirror", "somers", "string_board", "char_board", "cross",
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
    """Return the algorithm of that name.

    Raises
    ------
    ValueError
        naming the nearest names, if there is none.

    Examples
    --------
    >>> find("sommers")
    Traceback (most recent call last):
        ...
    ValueError: there is no algorithm 'sommers'; did you mean somers?
    """
    known = catalogue()
    if name in known:
        return known[name]
    near = get_close_matches(str(name), known, n=3, cutoff=0.5)
    advice = (f"did you mean {' or '.join(near)}?" if near
              else f"there are {', '.join(known)}")
    raise ValueError(f"there is no algorithm {name!r}; {advice}")
