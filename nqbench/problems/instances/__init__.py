"""Instances of queens: boards with queens placed, squares blocked or diagonals excluded, and the
torus. The text of an instance is that of `nqbench.problems.instances.texts`. There is one file
for each algorithm.

>>> from nqbench.problems import instances
>>> board = instances.parse("n=8 placed=0:0")
>>> instances.solve(board).solutions[0]
(0, 4, 7, 5, 2, 6, 1, 3)
"""

import re
from operator import attrgetter
from typing import Any

from nqbench.problems import OwnCatalogue, Problem
from nqbench.problems.instances.base import Search
from nqbench.problems.instances.board import LARGEST, Board
from nqbench.problems.instances.families import blocked, completion, excluded, generate
from nqbench.problems.instances.texts import parse, parse_lines, parse_stream, stream, write
from nqbench.search.board import Columns
from nqbench.search.implementations import Outcome

__all__ = ["LARGEST", "SECONDS", "Board", "Columns", "Search", "blocked", "catalogue", "completion",
           "excluded", "find", "generate", "parse", "parse_lines", "solve", "stream", "write"]

SECONDS = 10.0  # budget of a search, unless another is given
_catalogue: OwnCatalogue[Search] = OwnCatalogue(__name__, "algorithm of instances",
                                                {"board", "families", "texts"})


def catalogue() -> OwnCatalogue[Search]:
    """Return all algorithms by name.

    >>> catalogue()["forward_checking"].year
    1980
    """
    return _catalogue


def find(name: str | Search) -> Search:
    """Return the algorithm of that name, in the notation of `nqbench.problems.plugins`; some take a
    random seed after a colon, as in restarts_luby:7. Return an algorithm unchanged.

    >>> find("bitmasks")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no algorithm of instances 'bitmasks'; did you ...
    """
    return _catalogue.find(name)


def solve(board: Board, algorithm: str | Search = "fewest_lines", limit: int = 1,
          keep: int | None = None, nodes: int | None = None, seconds: float | None = SECONDS,
          backtracks: int | None = None) -> Outcome[Columns]:
    """Look for solutions of an instance.

    Parameters
    ----------
    board
        the instance.
    algorithm
        a name in the notation of `nqbench.problems.plugins`, or an algorithm for instances.
    limit
        solutions after which the search stops.
    keep
        solutions that are kept, the first ones. Default: all that are found.
    nodes, seconds, backtracks
        limits after which the search gives up; None is no limit.

    Returns
    -------
    Outcome
        its `answer` in a word, the number of solutions `found`, and the solutions kept.

    Raises
    ------
    InvalidTypeError, InvalidValueError
        if the placed queens attack each other, or an argument is not allowed.

    Examples
    --------
    >>> solve(Board(3)).answer, solve(Board(5, torus=True), limit=100).found
    ('none', 10)
    """
    found: Any = find(algorithm).solve(board, "python", limit, keep, nodes, seconds, backtracks)
    answer: Outcome[Columns] = found
    return answer


def size(board: Board) -> int:
    """Return n."""
    return board.n


def is_solution(board: Board, columns: Columns) -> bool:
    """Return whether queens in these columns solve an instance.

    >>> is_solution(Board(4), (1, 3, 0, 2))
    True
    """
    return board.is_solution(columns)


PROBLEM = Problem(name="instances", catalogue=_catalogue, is_solution=is_solution, parse=parse,
                  text=write, size=size, search=Search, read=parse_stream,
                  form="an instance as in 'n=8 placed=0:3'",
                  recognises=re.compile(r"\s*\{|.*\w=").match,
                  contradiction=attrgetter("contradiction"), defaults=("fewest_lines",))
