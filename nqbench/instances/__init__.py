"""Instances of queens, the third problem: queens placed, squares blocked, diagonals excluded, and
the torus.

>>> from nqbench import instances
>>> board = instances.parse("n=8 placed=0:0")
>>> instances.solve(board).solutions[0]
(0, 4, 7, 5, 2, 6, 1, 3)
"""

from typing import Any

from nqbench.board import Columns
from nqbench.builds.running import Outcome
from nqbench.instances.algorithms import Search, catalogue, find
from nqbench.instances.board import LARGEST, Board
from nqbench.instances.generating import blocked, completion, excluded, generate
from nqbench.instances.reading import parse, parse_lines, stream, write

__all__ = ["LARGEST", "SECONDS", "Board", "Columns", "Search", "blocked", "catalogue", "completion",
           "excluded", "find", "generate", "parse", "parse_lines", "solve", "stream", "write"]

SECONDS = 10.0  # budget of a search, unless another is given


def solve(board: Board, algorithm: str | Search = "fewest_lines", limit: int = 1,
          keep: int | None = None, nodes: int | None = None, seconds: float | None = SECONDS,
          backtracks: int | None = None) -> Outcome[Columns]:
    """Look for solutions of an instance.

    Parameters
    ----------
    board
        the instance.
    algorithm
        a name in the notation of `nqbench.plugins`, or an algorithm for instances.
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
