"""The most bytes that a search holds at a time."""

import tracemalloc
from typing import Any

import nqbench

from .common import ALL, ONE, digits, find, measured, skipped


class Python:
    """What Python allocates during a second search, on the 6 x 6 board."""

    version = "1"
    params = [(*ALL, *ONE), [6]]
    param_names = ["search", "n"]
    skip_params = skipped("queens", *params)

    @measured("Memory of a search in Python", "bytes")
    def track_peak(self, search: str, n: int) -> float:
        def run() -> Any:
            return next(nqbench.solutions(n, name)) if search in ONE else nqbench.count(
                n, name, "python")

        name = search.split()[0]
        run()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        run()
        return digits(tracemalloc.get_traced_memory()[1] - before)


class Engine:
    """A process that counts with one thread; n = 8 is the process itself."""

    version = "1"
    params = [["cross", "join"], [8, 14, 16]]
    param_names = ["engine", "n"]

    def setup(self, engine: str, n: int) -> None:
        if find("queens", f"{engine} cython") is None:
            raise NotImplementedError(f"this commit has no compiled {engine}")

    @measured("Memory of a process with an engine", "bytes")
    def peakmem_count(self, engine: str, n: int) -> None:
        nqbench.count(n, engine, "cython", jobs=1)
