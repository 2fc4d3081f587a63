"""Measure the processor time of a search: other programs change it less than the time."""

from collections.abc import Callable
from time import process_time

from nqbench.study.gauges import Source


class ProcessorTime(Source):
    """Seconds in which the process, with the threads that a search starts, had a processor."""

    metrics = ("cpu_seconds",)

    def explain_absence(self, metric: str) -> str:
        return ""

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        start = process_time()
        for _ in range(loops):
            search()
        return (process_time() - start) / loops


SOURCE = ProcessorTime()
