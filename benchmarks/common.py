"""What the benchmarks have in common: the searches, what a commit lacks, and units.

The searches are a table, not the catalogue of the commit: asv passes the place of a parameter,
which must mean the same search at every commit. A test compares the table with the catalogues.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from inspect import getsource
from itertools import product
from typing import Any

import nqbench


def python(names: str) -> tuple[str, ...]:
    return tuple(f"{name} python" for name in names.split())


ONE = python("a_star ida_star min_conflicts explicit")  # these look for one solution
ALL = python(
    "iterative board_matrix column_array one_loop flat_marks brute_force permutations pruned_loops "
    "probe_stack recursive marks_mirror bitmask bitmask_even_mirror somers string_board char_board "
    "threads depth_limited width_limited middle_first forward_checking fewest_first fewest_lines "
    "dancing_links canonical cross join")
CORES = ("bitmask cython", "somers cython")
ENGINES = ("cross cython", "join cython")  # these only count solutions
INSTANCES = python(
    "row_by_row graph_backjumping backjumping conflict_backjumping backmarking nogoods "
    "dynamic_backtracking search bitmask forward_checking forward_conflicts single_squares "
    "fewest_rows smallest_degree weighted_degree last_conflict least_constraining "
    "limited_discrepancy fewest_lines arc_consistency maintained_arcs singletons hall_intervals "
    "matchings dancing_links symmetry_breaking random_order restarts_fixed restarts_geometric "
    "restarts_luby min_conflicts search:order=dom,ahead=fc,back=cbj")
TEXTBOOKS = python("textbook textbook_bitmask")
SUDOKU = (*TEXTBOOKS, "textbook_bitmask cython",
          "fewest_first python", "fewest_first cython", "dancing_links python", "fast cython")
SEARCHES = {"queens": (*ALL, *ONE, *CORES, *ENGINES), "instances": INSTANCES, "sudoku": SUDOKU}
SETS = {"easy50": slice(None, None, 25), "hardest": slice(None)}  # 2 puzzles, as textbooks are slow
KERNELS = ("avx512", "avx2", "sse4", "neon", "portable")
# The largest n that takes at most a fifth of a second, of queens a third, if it is less than 10.
LARGEST = {"brute_force python": 6, "permutations python": 8, **dict.fromkeys(python(
    "probe_stack char_board row_by_row graph_backjumping backjumping conflict_backjumping "
    "backmarking nogoods dynamic_backtracking search limited_discrepancy singletons "
    "hall_intervals matchings"), 9)}


def module(*names: str) -> Any:
    """Return the first of these modules that the commit has, as modules have moved; None if none.
    """
    for name in names:
        with suppress(ImportError):
            return import_module(name)
    return None


instances = module("nqbench.instances", "nqbench.problems.instances")
sudoku = module("nqbench.sudoku", "nqbench.problems.sudoku")
CATALOGUES = {name: problem.catalogue() if problem else {} for name, problem in (
    ("queens", nqbench), ("instances", instances), ("sudoku", sudoku))}
if instances:  # most of them share one text: built here once, and not in each fork
    CATALOGUES["instances"]["forward_checking"].count(instances.Board(4), "python")


def find(problem: str, search: str) -> tuple[Any, str] | None:
    """Return algorithm and implementation of a search; None if this commit lacks them."""
    name, way = search.split()
    plain, _, choices = name.partition(":")
    algorithm = CATALOGUES[problem].get(plain)
    if algorithm is None or way not in algorithm.implementations:
        return None
    with suppress(AttributeError, ValueError):  # it had no such parameters yet
        return (algorithm.chosen(choices) if choices else algorithm), way
    return None


def sizes(problem: str, search: str) -> Sequence[Any]:
    """Return the n, or the data sets, at which a search is profiled; none if this commit lacks it.
    """
    if find(problem, search) is None:
        return []
    if problem == "sudoku":
        return [*SETS][:1 if search in TEXTBOOKS else None]
    return range(4, 1 + (13 if search in CORES else LARGEST.get(search, 10)))


def skipped(problem: str, searches: Iterable[str], among: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return, for `skip_params`, what this commit lacks and what takes too long."""
    return [(search, size) for search, size in product(searches, among)
            if size not in sizes(problem, search)]


def without_kernel(engines: Iterable[str], *others: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return, for `skip_params`, all parameters with an engine or a kernel that is missing."""
    engine = module("nqbench.engine")
    return [(name, kernel, *rest) for name, kernel, *rest in product(engines, KERNELS, *others)
            if find("queens", f"{name} cython") is None or kernel not in engine.kernels()]


def measured(pretty_name: str, unit: str = "seconds",
             **marks: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a benchmark the name that the site shows, its unit and other marks, which asv stores.

    Its source, too, which asv would otherwise look up in each fork.
    """
    def mark(benchmark: Callable[..., Any]) -> Callable[..., Any]:
        vars(benchmark).update(pretty_name=pretty_name, unit=unit,
                               pretty_source=getsource(benchmark), **marks)
        return benchmark

    return mark


def environment() -> dict[str, str]:
    """Return the environment of a process that imports the same nqbench as this one: asv has added
    ASV_PYTHONPATH, which `-E existing` may need, to the path of its own processes alone.
    """
    path = os.environ.get("ASV_PYTHONPATH")
    return {**os.environ, **({"PYTHONPATH": path} if path else {})}


def digits(value: float) -> float:
    """Return a value that is not exact with four digits."""
    return float(f"{value:.4g}")
