"""Backtracking on the n-queens problem: search, count, measure, explain.

>>> import nqbench
>>> nqbench.count(8)
92
>>> next(nqbench.solutions(8))
(0, 4, 7, 5, 2, 6, 1, 3)
>>> nqbench.profile(8, algorithm="iterative").levels
[1, 8, 42, 140, 344, 568, 550, 312, 92]

The folders of the package are attributes, imported where they are first used:

>>> nqbench.engine.count(8)
92
"""

from nqbench._version import __version__ as __version__

TYPE_CHECKING = False  # not imported from typing: the command imports this file before it can
if TYPE_CHECKING:      # handle Ctrl-C, and so everything is imported where it is first used
    from nqbench import (  # noqa: I001  # ruff wants a statement for each name
        analysis as analysis,
        api as api,
        checking as checking,
        engine as engine,
        errors as errors,
        explain as explain,
        problems as problems,
        records as records,
        report as report,
        search as search,
        study as study,
        topics as topics,
    )
    from nqbench.api import catalogue, count, load, profile, solutions, unique
    from nqbench.search.board import Placement
    from nqbench.checking import check
    from nqbench.checking.verification import verify
    from nqbench.errors import NqbenchError
    from nqbench.problems.plugins import algorithm, register, rule
    from nqbench.search.tally import Tally
    from nqbench.search.variants import Variant

__all__ = ["NqbenchError", "Placement", "Tally", "Variant", "algorithm", "catalogue", "check",
           "count", "load", "profile", "register", "rule", "solutions", "unique", "verify"]

MODULES = ("analysis", "api", "checking", "engine", "errors", "explain", "problems", "records",
           "report", "search", "study", "topics")
_HOMES = {"NqbenchError": "errors", "Placement": "search.board", "Tally": "search.tally",
          "Variant": "search.variants",
          "algorithm": "problems.plugins", "check": "checking",
          "register": "problems.plugins", "rule": "problems.plugins",
          "verify": "checking.verification"}  # the others: api

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
