"""Peak memory of a process, in bytes. The interpreter and its imports take most of it: compare with
`Solutions.peakmem_count` at n = 8, which needs almost nothing.
"""

import nqbench

from .common import able


class Solutions:
    """All solutions stored as tuples, and only counted."""

    version = "1"
    params = [8, 11, 12, 13]
    param_names = ["n"]

    def peakmem_solve(self, n: int) -> None:
        self.kept = list(nqbench.solutions(n, "bitmask"))

    def peakmem_count(self, n: int) -> None:
        nqbench.count(n, "somers")


class Engine:
    """The counting engine, one thread."""

    version = "1"
    params = [8, 12, 14, 16]
    param_names = ["n"]

    def setup(self, n: int) -> None:
        if not able("cross", "cython"):
            raise NotImplementedError("this commit has no counting engine")

    def peakmem_count(self, n: int) -> None:
        nqbench.count(n, "cross", "cython", jobs=1)
