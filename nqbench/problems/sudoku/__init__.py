"""Sudoku: each digit once in every row, column and box. It shows which ideas of backtracking carry
over. An instance is 81 digits, 0 for an empty cell. There is one file for each algorithm.

>>> from nqbench.problems import sudoku
>>> grid = sudoku.read("easy50")[0]
>>> sudoku.solve(grid).solutions[0][:9]
(4, 8, 3, 9, 2, 1, 6, 5, 7)
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, TextIO, cast

from nqbench.problems import OwnCatalogue, Problem
from nqbench.problems.sudoku.base import Search
from nqbench.problems.sudoku.batch import Solved, solve_many
from nqbench.problems.sudoku.grid import Digits, Grid, grids_svg, permute
from nqbench.problems.sudoku.texts import (
    DATA_SETS,
    data_set,
    difficulties,
    parse,
    parse_stream,
    read,
    stream,
)
from nqbench.search.algorithm import Algorithm
from nqbench.search.implementations import Bounded as Implementation
from nqbench.search.implementations import Outcome

__all__ = ["DATA_SETS", "SECONDS", "Algorithm", "Grid", "Implementation", "Outcome", "Search",
           "Solved", "catalogue", "choose", "data_set", "difficulties", "find", "grids_svg",
           "parse", "read", "solve", "solve_many", "stream"]

SECONDS = 10.0  # budget of a search, unless another is given
_catalogue: OwnCatalogue[Search] = OwnCatalogue(__name__, "algorithm of Sudoku",
                                                {"batch", "grid", "texts"})


def catalogue() -> OwnCatalogue[Search]:
    """Return all algorithms by name.

    >>> catalogue()["fewest_first"].year
    2006
    """
    return _catalogue


def find(name: str | Search) -> Search:
    """Return the algorithm of that name, in the notation of `nqbench.problems.plugins`; `fast`
    takes a kernel after a colon, as in fast:avx2. Return an algorithm unchanged.

    >>> find("fastest")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm of Sudoku 'fastest'; did you mean ...
    """
    return _catalogue.find(name)


def __getattr__(name: str) -> Any:
    """Return NAMES, those of all algorithms."""
    if name == "NAMES":
        return tuple(_catalogue)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def choose(algorithm: str | None = None,
           implementation: str | None = None) -> tuple[Search, str, Implementation[Digits, Digits]]:
    """Return solver, name of the implementation, and implementation; by default the fastest.

    Raises
    ------
    ValueError
        if there is no such solver or implementation.
    """
    chosen, way = PROBLEM.choose(algorithm, implementation)
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


def parse_digits(text: str) -> Digits:
    """Return the digits of 81 characters.

    >>> parse_digits("." * 80 + "9")[-1]
    9
    """
    return Grid.of(text).digits


def text(givens: Digits) -> str:
    """Return the 81 characters of a grid."""
    return str(Grid(givens))


def is_solution(givens: Digits, digits: Digits) -> bool:
    """Return whether these digits fill a grid correctly.

    >>> from nqbench.problems.sudoku import data_set, solve
    >>> grid = data_set("easy50")[0]
    >>> is_solution(grid.digits, solve(grid).solutions[0]), is_solution(grid.digits, grid.digits)
    (True, False)
    """
    return Grid(digits).solved and all(
        given in (0, digit) for given, digit in zip(givens, digits, strict=True))


def side(givens: Digits) -> int:
    """Return the cells in a row."""
    return 9


def contradiction(givens: Digits) -> str | None:
    """Return why the givens allow no solution, if two of them are equal in a unit."""
    return Grid(givens).contradiction


def read_digits(file: TextIO) -> Iterator[Digits]:
    """Yield the puzzles of an open file as they are read."""
    return (grid.digits for grid in parse_stream(file))


def puzzles(name: str) -> list[Digits]:
    """Return the puzzles of a data set of the package."""
    return [grid.digits for grid in data_set(name)]


PROBLEM = Problem(
    name="sudoku", catalogue=_catalogue, is_solution=is_solution, parse=parse_digits, text=text,
    size=side, noun="puzzle", search=Search, permute=permute,
    data_sets={name: partial(puzzles, name) for name in DATA_SETS},
    form=f"a puzzle of 81 characters, or one of the data sets {', '.join(DATA_SETS)}",
    recognises=re.compile("[.0-9]{40,}").fullmatch, read=read_digits, contradiction=contradiction,
    show=text, defaults=("fast", "fewest_first"))
