"""Instances of queens: boards with queens placed, squares blocked or diagonals excluded, and the
torus. The text of an instance is that of `nqbench.instances.reading`.
"""

import re
from operator import attrgetter

from nqbench.instances import Board, Columns, Search, catalogue, parse, write
from nqbench.instances.reading import parse_stream
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
                  text=write, size=size, search=Search, read=parse_stream,
                  form="an instance as in 'n=8 placed=0:3'",
                  recognises=re.compile(r"\s*\{|.*\w=").match,
                  contradiction=attrgetter("contradiction"), defaults=("fewest_lines",))
