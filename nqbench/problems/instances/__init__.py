"""Instances of queens: boards with queens placed, squares blocked or diagonals excluded, and the
torus. The text of an instance is that of `nqbench.problems.instances.texts`. There is one file
for each algorithm, or for a family of them.

>>> from nqbench.problems import instances
>>> board = instances.parse("n=8 placed=0:0")
>>> instances.solve(board).solutions[0]
(0, 4, 7, 5, 2, 6, 1, 3)
"""

import re
from operator import attrgetter

from nqbench.problems import Problem
from nqbench.problems.instances.base import Board, Columns, Search
from nqbench.problems.instances.board import LARGEST_N
from nqbench.problems.instances.families import blocked, completion, excluded, generate
from nqbench.problems.instances.texts import parse, parse_lines, parse_stream, write
from nqbench.search.algorithm import Catalogue

__all__ = ["LARGEST_N", "Board", "Columns", "Search", "blocked", "catalogue", "completion",
           "excluded", "find", "generate", "parse", "parse_lines", "solve", "write"]

PROBLEM: Problem[Search] = Problem(
    name="instances", is_solution=Board.is_solution, parse=parse, text=write, size=attrgetter("n"),
    catalogue=Catalogue(__name__, {"board", "families", "lines", "parts", "texts"}),
    search=Search, read=parse_stream, form="an instance as in 'n=8 placed=0:3'",
    recognises=re.compile(r"\s*\{.|.*\w=").match, contradiction=attrgetter("contradiction"),
    defaults=("fewest_lines",))
find, solve, catalogue = PROBLEM.find, PROBLEM.solve, PROBLEM.list_algorithms
