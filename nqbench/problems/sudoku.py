"""Sudoku: each digit once in every row, column and box. An instance is 81 digits, 0 for an empty
cell.
"""

from functools import partial

from nqbench import sudoku
from nqbench.problems import Problem
from nqbench.sudoku import Grid
from nqbench.sudoku.grid import Digits
from nqbench.sudoku.permuting import permute


def parse(text: str) -> Digits:
    """Return the digits of 81 characters.

    >>> parse("." * 80 + "9")[-1]
    9
    """
    return Grid.of(text).digits


def text(givens: Digits) -> str:
    """Return the 81 characters of a grid."""
    return str(Grid(givens))


def is_solution(givens: Digits, digits: Digits) -> bool:
    """Return whether these digits fill a grid correctly.

    >>> from nqbench.sudoku import data_set, solve
    >>> grid = data_set("easy50")[0]
    >>> is_solution(grid.digits, solve(grid).solutions[0]), is_solution(grid.digits, grid.digits)
    (True, False)
    """
    return Grid(digits).solved and all(
        given in (0, digit) for given, digit in zip(givens, digits, strict=True))


def side(givens: Digits) -> int:
    """Return the cells in a row."""
    return 9


def puzzles(name: str) -> list[Digits]:
    """Return the puzzles of a data set of the package."""
    return [grid.digits for grid in sudoku.data_set(name)]


PROBLEM = Problem(
    name="sudoku", catalogue=sudoku.catalogue(), is_solution=is_solution, parse=parse, text=text,
    size=side, noun="puzzle", search=sudoku.Search, permute=permute,
    data_sets={name: partial(puzzles, name) for name in sudoku.DATA_SETS})
