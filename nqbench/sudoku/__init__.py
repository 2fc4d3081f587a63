"""Sudoku, the second problem: it shows which ideas of backtracking carry over.

>>> from nqbench import sudoku
>>> grid = sudoku.read("easy50")[0]
>>> sudoku.solve(grid).solutions[0][:9]
(4, 8, 3, 9, 2, 1, 6, 5, 7)
"""

from typing import Any, cast

from nqbench.sudoku.algorithms import Algorithm, Implementation, Outcome, Search, catalogue, find
from nqbench.sudoku.batch import Solved, solve_many
from nqbench.sudoku.grid import Digits, Grid, grids_svg
from nqbench.sudoku.reading import DATA_SETS, data_set, difficulties, parse, read, stream

__all__ = ["DATA_SETS", "SECONDS", "Algorithm", "Grid", "Implementation", "Outcome", "Search",
           "Solved", "catalogue", "choose", "data_set", "difficulties", "find", "grids_svg",
           "parse", "read", "solve", "solve_many", "stream"]

SECONDS = 10.0  # budget of a search, unless another is given


def choose(algorithm: str | None = None,
           implementation: str | None = None) -> tuple[Search, str, Implementation[Digits, Digits]]:
    """Return solver, name of the implementation, and implementation; by default the fastest.

    Raises
    ------
    ValueError
        if there is no such solver or implementation.
    """
    from nqbench.problems import PROBLEMS

    chosen, way = PROBLEMS["sudoku"].choose(algorithm, implementation)
    return cast(Search, chosen), way, cast(Any, chosen.implementations[way])


def solve(grid: Grid, algorithm: str | None = None, implementation: str | None = None,
          limit: int = 1, keep: int | None = None, nodes: int | None = None,
          seconds: float | None = SECONDS) -> Outcome[Digits]:
    """Look for solutions of a grid.

    Parameters
    ----------
    grid
        the puzzle.
    algorithm, implementation
        names. Default: the fastest.
    limit
        solutions after which the search stops.
    keep
        solutions that are kept, the first ones. Default: all that are found.
    nodes, seconds
        limits after which the search gives up; None is no limit.

    Returns
    -------
    Outcome
        its `answer` in a word, the number of solutions `found`, and the solutions kept: each 81
        digits, row by row.

    Raises
    ------
    TypeError, ValueError
        if the givens contradict each other, or an argument is not allowed.

    Examples
    --------
    >>> solve(Grid.of("." * 81), limit=2).answer
    'several'
    >>> solve(Grid.of("11" + "." * 79))
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: the givens contradict each other: row 1 has 1 twice
    """
    chosen, way, _ = choose(algorithm, implementation)
    return chosen.solve(grid, way, limit, keep, nodes, seconds)


def __getattr__(name: str) -> Any:
    """Return NAMES, those of all algorithms."""
    if name == "NAMES":
        return tuple(catalogue())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
