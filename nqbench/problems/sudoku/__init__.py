"""Sudoku: each digit once in every row, column and box. It shows which ideas of backtracking carry
over. An instance is 81 digits, 0 for an empty cell. There is one file for each algorithm.

>>> from nqbench.problems import sudoku
>>> grid = sudoku.read("easy50")[0]
>>> sudoku.solve(grid).solutions[0][:9]
(4, 8, 3, 9, 2, 1, 6, 5, 7)
"""

from functools import partial

from nqbench.problems import Problem
from nqbench.problems.sudoku.base import Search
from nqbench.problems.sudoku.fast import Solved, solve_many
from nqbench.problems.sudoku.grid import Digits, Grid, permute
from nqbench.problems.sudoku.texts import (
    DATA_SETS,
    PUZZLE,
    data_set,
    difficulties,
    parse,
    parse_stream,
    read,
    scan,
    to_grid,
)
from nqbench.search.algorithm import Catalogue

__all__ = ["DATA_SETS", "Grid", "Search", "Solved", "catalogue", "data_set", "difficulties", "find",
           "parse", "parse_stream", "read", "scan", "solve", "solve_many"]


def is_solution(givens: Digits, digits: Digits) -> bool:
    """Return whether these digits fill a grid correctly.

    >>> grid = data_set("easy50")[0]
    >>> is_solution(grid.digits, solve(grid).solutions[0]), is_solution(grid.digits, grid.digits)
    (True, False)
    """
    return Grid(digits).solved and all(
        given in (0, digit) for given, digit in zip(givens, digits, strict=True))


def puzzles(name: str) -> list[Digits]:
    """Return the puzzles of a data set of the package."""
    return [grid.digits for grid in data_set(name)]


PROBLEM: Problem[Search] = Problem(
    name="sudoku", is_solution=is_solution, parse=lambda text: to_grid(text).digits,
    catalogue=Catalogue(__name__, {"grid", "texts"}),
    text=lambda givens: str(Grid(givens)), size=lambda givens: 9, noun="puzzle", search=Search,
    permute=permute, data_sets={name: partial(puzzles, name) for name in DATA_SETS},
    form=f"a puzzle of 81 characters, or one of the data sets {', '.join(DATA_SETS)}",
    recognises=PUZZLE.search,
    read=lambda file: (found.digits if isinstance(found, Grid) else found for found in scan(file)),
    contradiction=lambda givens: Grid(givens).contradiction,
    show=lambda digits: str(Grid(digits)), defaults=("fast", "fewest_first"))
find, solve, catalogue = PROBLEM.find, PROBLEM.solve, PROBLEM.list_algorithms
