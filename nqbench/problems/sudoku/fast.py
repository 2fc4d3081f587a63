"""The fastest solver: prune all nine digits at once, in vectors.

It finds locked candidates in every direction, naked and hidden singles, without a table or a
branch; ext/sudoku_kernel.h says how. It is only compiled, in one build: it tests no single digit,
and its few counters (nodes, dead ends, nodes to the first solution, guesses) take almost no time
compared with the pruning. If a grid has several solutions, they come in the order of their digits,
read row by row, if the budget allows: then the search always takes the first open cell.
"""

from dataclasses import replace
from time import perf_counter
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.problems.sudoku.base import CORE, Search, SudokuCore
from nqbench.problems.sudoku.grid import Digits
from nqbench.search.implementations import Outcome
from nqbench.util.cores import find_core


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
