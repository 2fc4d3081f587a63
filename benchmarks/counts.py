"""The nodes, tests and dead ends of every search at every n: exact, and the same at every commit.

The names are those of `nqbench.search.tally`.
"""

import json
from collections.abc import Callable
from math import nan
from pathlib import Path
from typing import Any

import nqbench

from . import common
from .common import ALL, CORES, INSTANCES, ONE, SETS, SUDOKU, find, measured, python, sizes, skipped

LIMIT = 2  # solutions of a puzzle, to know whether it has one
NAMES = {"nodes": ("Nodes of the tree", "nodes"), "tests": ("Tests of squares or digits", "tests"),
         "dead_ends": ("Dead ends of the tree", "nodes")}  # and the unit of each


def count(problem: str, search: str, size: Any) -> dict[str, int | None]:
    """Return the counters of a search; None is not counted."""
    algorithm, way = find(problem, search)  # type: ignore[misc]
    if problem == "sudoku":
        solve, grids = algorithm.implementations[way].search, common.sudoku.data_set(size)
        rows = [solve(grid.digits, LIMIT, 0).counters for grid in grids[SETS[size]]]
        return {name: None if rows[0].get(name) is None else sum(row[name] for row in rows)
                for name in NAMES}
    try:
        tally = (nqbench.profile(size, search.split()[0], way) if problem == "queens" else
                 algorithm.profile(common.instances.Board(size), way))
    except ValueError as error:  # at first the cross only counted solutions
        if "cannot be profiled" not in str(error):
            raise
        return dict.fromkeys(NAMES)
    return {name: None if name in getattr(tally, "uncounted", ()) else getattr(tally, name, None)
            for name in NAMES}  # which an older commit may lack


class _Counts:
    """Each search is profiled once, at every n, and only if it was asked for: what it counted is a
    file in the folder of `setup_cache`, in which asv runs the benchmarks.
    """

    version = "1"
    problem = "queens"
    param_names = ["search", "n"]

    def __init_subclass__(cls, of: str = "") -> None:
        """Give a class of searches its benchmarks."""
        for counter, (name, unit) in NAMES.items() if of else ():
            setattr(cls, f"track_{counter}", _track(counter, f"{name}: {of}", unit))

    def setup_cache(self) -> None:
        """Have asv make the folder."""

    def read(self, counter: str, search: str, size: Any) -> float:
        kept = Path(f"{self.problem} {search}.json")
        if not kept.exists():
            kept.write_text(json.dumps({each: count(self.problem, search, each)
                                        for each in sizes(self.problem, search)}))
        value: int | None = json.loads(kept.read_text())[str(size)][counter]
        return nan if value is None else value


def _track(counter: str, pretty_name: str, unit: str) -> Callable[..., Any]:
    @measured(pretty_name, unit)
    def track(self: _Counts, search: str, size: Any) -> float:
        return self.read(counter, search, size)

    return track


class Queens(_Counts, of="n queens, in Python"):
    params = [(*ALL, *ONE), list(range(4, 11))]
    skip_params = skipped("queens", *params)


class Cores(_Counts, of="n queens, compiled"):
    params = [CORES, list(range(4, 14))]
    skip_params = skipped("queens", *params)


class Instances(_Counts, of="the empty board as an instance"):
    problem = "instances"
    params = [INSTANCES, list(range(4, 11))]
    skip_params = skipped("instances", *params)


class Sudoku(_Counts, of="Sudoku"):
    problem = "sudoku"
    param_names = ["search", "data set"]
    params = [SUDOKU, list(SETS)]
    skip_params = skipped("sudoku", *params)


class Symmetry(_Counts):
    """The nodes of a search that uses symmetry, as a share of those of `bitmask`, which does not.
    """

    params = [(*python("marks_mirror bitmask_even_mirror somers canonical cross join"),
               "somers cython"), list(range(4, 14))]
    skip_params = skipped("queens", *params)

    @measured("Nodes with symmetry, of those without it", "share")
    def track_share(self, search: str, n: int) -> float:
        return self.read("nodes", search, n) / self.read("nodes", f"bitmask {search.split()[1]}", n)
