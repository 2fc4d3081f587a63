"""Sudoku: each digit once in every row, column and box. An instance is 81 digits, 0 for an empty
cell.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import TextIO

from nqbench import sudoku
from nqbench.problems import Problem
from nqbench.sudoku import Grid
from nqbench.sudoku.grid import Digits, permute
from nqbench.sudoku.reading import parse_stream


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


def contradiction(givens: Digits) -> str | None:
    """Return why the givens allow no solution, if two of them are equal in a unit."""
    return Grid(givens).contradiction


def read(file: TextIO) -> Iterator[Digits]:
    """Yield the puzzles of an open file as they are read."""
    return (grid.digits for grid in parse_stream(file))


def puzzles(name: str) -> list[Digits]:
    """Return the puzzles of a data set of the package."""
    return [grid.digits for grid in sudoku.data_set(name)]


PROBLEM = Problem(
    name="sudoku", catalogue=sudoku.catalogue(), is_solution=is_solution, parse=parse, text=text,
    size=side, noun="puzzle", search=sudoku.Search, permute=permute,
    data_sets={name: partial(puzzles, name) for name in sudoku.DATA_SETS},
    form=f"a puzzle of 81 characters, or one of the data sets {', '.join(sudoku.DATA_SETS)}",
    recognises=re.compile("[.0-9]{40,}").fullmatch, read=read, contradiction=contradiction,
    show=text, defaults=("fast", "fewest_first"))
