"""Backtracking on the n-queens problem: search, count, measure, explain.

>>> import nqbench
>>> nqbench.count(8)
92
>>> next(nqbench.solutions(8))
(0, 4, 7, 5, 2, 6, 1, 3)
>>> nqbench.profile(8, algorithm="iterative").levels
[1, 8, 42, 140, 344, 568, 550, 312, 92]

The modules are attributes, imported where they are first used:

>>> nqbench.estimation.estimate(30, seed=1).n
30
"""

from nqbench._version import __version__ as __version__

TYPE_CHECKING = False  # not imported from typing: the command imports this file before it can
if TYPE_CHECKING:      # handle Ctrl-C, and so everything is imported where it is first used
    from nqbench import (  # noqa: I001  # ruff wants a statement for each name
        algorithms as algorithms,
        analysis as analysis,
        api as api,
        board as board,
        builds as builds,
        checking as checking,
        engine as engine,
        errors as errors,
        estimation as estimation,
        exact_cover as exact_cover,
        exercises as exercises,
        first as first,
        forecast as forecast,
        instances as instances,
        listings as listings,
        metrics as metrics,
        peers as peers,
        plugins as plugins,
        problems as problems,
        records as records,
        reference as reference,
        report as report,
        solver as solver,
        study as study,
        sudoku as sudoku,
        sets as sets,
        symmetry as symmetry,
        tally as tally,
        traces as traces,
        verification as verification,
    )
    from nqbench.api import catalogue, count, profile, solutions, unique, verify
    from nqbench.board import Placement
    from nqbench.checking import check
    from nqbench.errors import NqbenchError
    from nqbench.plugins import algorithm, register
    from nqbench.tally import Tally

__all__ = ["NqbenchError", "Placement", "Tally", "algorithm", "catalogue", "check", "count",
           "profile", "register", "solutions", "unique", "verify"]

MODULES = ("algorithms", "analysis", "api", "board", "builds", "checking", "engine", "errors",
           "estimation", "exact_cover", "exercises", "first", "forecast", "instances", "listings",
           "metrics", "peers", "plugins", "problems", "records", "reference", "report", "sets",
           "solver", "study", "sudoku", "symmetry", "tally", "topics", "traces",
           "verification")
_HOMES = {"NqbenchError": "errors", "Placement": "board", "Tally": "tally",
          "algorithm": "plugins", "check": "checking", "register": "plugins"}  # the others: api

if not TYPE_CHECKING:
    def __getattr__(name):
        """Import a module, or the function of one, where it is first used."""
        from importlib import import_module

        if name in MODULES:
            return import_module(f"nqbench.{name}")
        if name in __all__:
            found = getattr(import_module(f"nqbench.{_HOMES.get(name, 'api')}"), name)
            globals()[name] = found
            return found
        raise AttributeError(f"module 'nqbench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *MODULES, "__version__"])
