"""Instances of queens: boards with queens placed, squares blocked or diagonals excluded, and the
torus. The text of an instance is that of `nqbench.instances.reading`.
"""

from nqbench.instances import Board, Columns, Search, catalogue, parse, write
from nqbench.problems import Problem


def size(board: Board) -> int:
    """Return n."""
    return board.n


def is_solution(board: Board, columns: Columns) -> bool:
    """Return whether queens in these columns solve an instance.

    >>> is_solution(Board(4), (1, 3, 0, 2))
    True
    """
    return board.is_solution(columns)


PROBLEM = Problem(name="instances", catalogue=catalogue(), is_solution=is_solution, parse=parse,
                  text=write, size=size, search=Search)
