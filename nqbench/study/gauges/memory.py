"""Measure the peak memory of a search in Python, with tracemalloc.

It is counted what Python's allocators hand out: lists, integers, frames, generators. Memory that
compiled code takes elsewhere cannot be seen, so only searches in Python are measured, in the build
that is timed. The memory of the process would be no measure: it grows by whole pages, and by none
if Python reuses what it has.
"""

import gc
import tracemalloc
from collections.abc import Callable

from nqbench.solver import SolverKey
from nqbench.study.gauges import Source

SLOWER = 25  # times, at most: a search whose allocations are traced


class Memory(Source):
    """Bytes at the peak of one search above those at its start; the garbage collector is on."""

    metrics = ("peak_memory",)
    once = True

    def explain_absence(self, metric: str) -> str:
        return ""

    def explain_refusal(self, solver: SolverKey) -> str:
        return "" if solver.implementation == "python" else (
            "only searches in Python: compiled code takes its memory elsewhere")

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        gc.collect()
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            search()
            return tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()

    def cost(self, seconds: float, shortest: float) -> float:
        return SLOWER * seconds


SOURCE = Memory()
