"""The fastest solver: prune all nine digits at once, in vectors.

It finds locked candidates in every direction, naked and hidden singles, without a table or a
branch; ext/sudoku_kernel.h says how. It is only compiled, in one build: it tests no single digit,
and its few counters (nodes, dead ends, nodes to the first solution, guesses) take almost no time
compared with the pruning. If a grid has several solutions, they come in the order of their digits,
read row by row, if the budget allows: then the search always takes the first open cell.

`solve_many` solves many puzzles at full speed: arrays in and out, in threads without the GIL.
"""

from collections import deque
from dataclasses import replace
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from nqbench.errors import InvalidValueError
from nqbench.problems.sudoku.base import CORE, MOST_SOLUTIONS, Search, SudokuCore
from nqbench.problems.sudoku.grid import Digits
from nqbench.search.implementations import Outcome
from nqbench.util.arguments import require_whole
from nqbench.util.cores import choose_threads, find_core, in_threads
from nqbench.util.text import unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AT_ONCE = 4096  # puzzles that a thread takes at once, at most
SHARES = 16  # with few puzzles, each thread takes this small part of its share at once


class InOrder(SudokuCore):
    """The core; it searches again in order if there is more than one solution to order."""

    def search(self, givens: Digits, limit: int, keep: int, nodes: int | None = None,
               seconds: float | None = None, in_order: bool = False) -> Outcome[Digits]:
        """Search like the core; if the budget does not suffice for the ordered search, return the
        solutions that were found without it.
        """
        start = perf_counter()
        any_order = super().search(givens, 2 if keep else limit, keep, nodes, seconds)
        if not keep or any_order.found < 2:
            return replace(any_order, limit=limit)
        ordered = super().search(
            givens, limit, keep,
            None if nodes is None else max(1, nodes - any_order.counters["nodes"]),
            None if seconds is None else max(1e-9, seconds - (perf_counter() - start)),
            in_order=True)
        return Outcome(
            limit, max(ordered.found, min(limit, any_order.found)),
            ordered.solutions or any_order.solutions[:limit],
            {name: any_order.counters[name] + ordered.counters[name] for name in ordered.counters},
            ordered.gave_up)


class Fast(Search):
    """The entry of the catalogue; by default it uses the fastest kernel that runs here."""

    def chosen(self, text: str) -> Search:
        """Return the algorithm with a kernel of the core, as in fast:avx2."""
        core = find_core(CORE)
        if core and text not in core.kernels():
            raise InvalidValueError(
                f"fast has no kernel {text!r} here, only {', '.join(core.kernels())}")
        return replace(self, name=f"fast:{text}")

    def compiled(self, core: Any) -> SudokuCore:
        return InOrder(core, self.name)


ALGORITHM = Fast(
    name="fast", order=50, origin="nqbench, ext/sudoku_kernel.h", year=2026,
    technique="vectors of all digits, permutations of minirows and minicolumns, pairs next",
    core=CORE)


class Solved(NamedTuple):
    """The answers for m puzzles.

    Attributes
    ----------
    counts
        the number of solutions of each, at most the limit: m numbers (uint64).
    solutions
        one solution of each, all 0 if it has none: m rows of 81 digits (uint8).
    """

    counts: "NDArray[np.uint64]"
    solutions: "NDArray[np.uint8]"


def solve_many(puzzles: "NDArray[np.uint8]", limit: int = 2, kernel: str | None = None,
               jobs: int = 1) -> Solved:
    """Return the number of solutions of each puzzle, at most `limit`, and one of them.

    Parameters
    ----------
    puzzles
        m rows of 81 digits (uint8), 0 for an empty cell. Contradictory givens have no solution.
    limit
        the number of solutions at which a search stops; 2 is enough to know whether a solution is
        the only one.
    kernel
        "portable", "sse4", "neon", "avx2" or "avx512"; by default the fastest that runs here.
    jobs
        how many threads.

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed.
    ImportError
        if nqbench is not compiled here.

    Examples
    --------
    >>> import numpy as np
    >>> from nqbench.problems.sudoku import data_set
    >>> found = solve_many(np.array([grid.digits for grid in data_set("easy50")], dtype=np.uint8))
    >>> int(found.counts.sum()), found.solutions[0, :9].tolist()
    (50, [4, 8, 3, 9, 2, 1, 6, 5, 7])
    """
    import numpy as np

    _require_puzzles(puzzles)
    limit = min(require_whole(limit, "limit", least=1), MOST_SOLUTIONS)
    jobs = choose_threads(jobs)
    core = import_module(CORE)
    able = core.kernels()
    if kernel is not None and kernel not in able:
        raise InvalidValueError(unknown("kernel", kernel, able))
    many = len(puzzles)
    found = Solved(np.empty(many, np.uint64), np.empty((many, 81), np.uint8))
    arrays = kernel or able[0], np.ascontiguousarray(puzzles), *found
    step = max(1, min(AT_ONCE, many // (SHARES * jobs)))

    def solve(begin: int, stop: bytearray) -> None:
        core.solve_many(*arrays, begin, min(begin + step, many), limit, stop)

    deque(in_threads(solve, range(0, many, step), jobs), maxlen=0)
    return found


def _require_puzzles(puzzles: "NDArray[np.uint8]") -> None:
    """Raise an error if an array does not contain puzzles; its message says why."""
    import numpy as np

    if not isinstance(puzzles, np.ndarray) or puzzles.dtype != np.uint8:
        raise TypeError("puzzles must be a NumPy array of uint8")
    if puzzles.ndim != 2 or puzzles.shape[1] != 81:
        raise InvalidValueError(f"puzzles must have the shape (m, 81), not {puzzles.shape}")
    if np.any(puzzles > 9):
        raise InvalidValueError("puzzles must be digits from 0 to 9, 0 for an empty cell, not "
                                f"{np.max(puzzles)}")
