"""What the benchmarks have in common: the solvers, what a commit lacks, and the units of counts.

A solver is written as "algorithm implementation n", one parameter of a benchmark, so
that a line over history never mixes two n.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from itertools import product
from typing import Any

import nqbench

ALGORITHMS = ("iterative", "board_matrix", "column_array", "one_loop", "flat_marks",
              "brute_force", "permutations", "pruned_loops", "probe_stack", "recursive",
              "marks_mirror", "bitmask", "bitmask_even_mirror", "somers", "string_board",
              "char_board")
IDEAS = ("threads", "middle_first", "forward_checking", "fewest_first", "fewest_lines",
         "dancing_links", "canonical")
SEARCHES = (*(f"{name} python" for name in ALGORITHMS), "bitmask cython", "somers cython")
KERNELS = ("avx512", "avx2", "portable")

# n at which a search for all solutions, or for the first one, takes milliseconds.
ALL = {"flat_marks python": 10, "brute_force python": 6, "permutations python": 8,
       "probe_stack python": 8, "marks_mirror python": 10, "bitmask python": 11,
       "bitmask_even_mirror python": 12, "somers python": 11, "bitmask cython": 13,
       "somers cython": 13, "middle_first python": 11, "forward_checking python": 10,
       "fewest_first python": 10, "dancing_links python": 8, "canonical python": 11}
FIRST = {"flat_marks": 18, "brute_force": 7, "permutations": 10, "probe_stack": 14,
         "marks_mirror": 18, "bitmask": 20, "bitmask_even_mirror": 20, "somers": 20,
         "middle_first": 22, "canonical": 18, "fewest_first": 50, "fewest_lines": 40,
         "dancing_links": 40, "min_conflicts": 1000, "explicit": 100_000}
ONE = ("a_star", "ida_star", "min_conflicts", "explicit")  # these look for one solution
OTHER = ("depth_limited", "width_limited", "cross")  # have separate benchmarks, or none


def finds_solutions(algorithm: str) -> bool:
    """Return whether an algorithm finds solutions; others only count them."""
    try:
        return bool(next(nqbench.solutions(4, algorithm)))
    except ValueError:
        return False


# An algorithm that was just added has the default n.
NEW = tuple(name for name in nqbench.catalogue()
            if name not in (*ALGORITHMS, *IDEAS, *ONE, *OTHER))
COUNTED = tuple(f"{search} {ALL.get(search, 9)}" for search in (
    *SEARCHES, *(f"{name} python" for name in (*IDEAS, *NEW))))
FOUND = tuple(f"{name} python {FIRST.get(name, 16)}" for name in (
    *ALGORITHMS, *IDEAS, *ONE, *filter(finds_solutions, NEW)))


def module(*names: str) -> Any:
    """Return the first of these modules that the commit has, as modules have moved; None if none.
    """
    for name in names:
        with suppress(ImportError):
            return import_module(name)
    return None


def parts(solver: str) -> tuple[str, str, int]:
    """Return algorithm, implementation and n of a solver."""
    algorithm, implementation, n = solver.split()
    return algorithm, implementation, int(n)


def able(algorithm: str, implementation: str) -> bool:
    """Return whether this commit has the algorithm with this implementation."""
    known = nqbench.catalogue()
    return algorithm in known and implementation in known[algorithm].implementations


def lacking(solvers: Iterable[str]) -> list[tuple[str]]:
    """Return, for `skip_params`, the solvers that this commit lacks."""
    return [(solver,) for solver in solvers if not able(*parts(solver)[:2])]


def kernels() -> list[str]:
    """Return the kernels of the engine that commit and processor have."""
    if not able("cross", "cython"):
        return []
    from nqbench.engine import kernels

    return list(kernels())


def without_kernel(*others: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return, for `skip_params`, all parameters with a missing kernel."""
    return [(kernel, *rest) for kernel in KERNELS if kernel not in kernels()
            for rest in product(*others)]


def measured(unit: str, **marks: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a `track_` method its unit and marks, which asv stores with the results.

    exact=True: a count, which must be the same at every commit; better="higher".
    """
    def mark(track: Callable[..., Any]) -> Callable[..., Any]:
        vars(track).update(unit=unit, **marks)
        return track

    return mark
