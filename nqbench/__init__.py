"""Backtracking on the n-queens problem: search, count, measure, explain.

>>> import nqbench
>>> nqbench.count(8)
92
>>> next(nqbench.solutions(8))
(0, 4, 7, 5, 2, 6, 1, 3)
>>> nqbench.profile(8, algorithm="iterative").levels
[1, 8, 42, 140, 344, 568, 550, 312, 92]
"""

from importlib import import_module
from typing import Any

from nqbench.api import catalogue, count, profile, solutions, unique, verify
from nqbench.board import Placement
from nqbench.tally import Tally

__version__ = "0.1.0"

__all__ = ["Placement", "Tally", "catalogue", "count", "profile", "solutions", "unique",
           "verify"]


def __getattr__(name: str) -> Any:
    """Import the heavy parts (pandas, matplotlib) where they are first used."""
    if name in ("analysis", "report", "study"):
        return import_module(f"nqbench.{name}")
    raise AttributeError(f"module 'nqbench' has no attribute {name!r}")
