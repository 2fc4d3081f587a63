"""The Cython cores: their size, and their instructions for each node.

Instructions are counted by cachegrind (valgrind), which sees every one: the figure is the same on a
noisy machine and needs one sample. It does not support AVX-512. Running two n and dividing the
difference removes what happens before the search.
"""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import nqbench

from .common import able, kernels, measured

CORES = ["bitmask", "somers", "engine", "symmetry"]


class Size:
    """Bytes of the compiled file, including debug information."""

    version = "1"
    params = CORES
    param_names = ["core"]

    def setup(self, core: str) -> None:
        try:
            self.path = Path(str(import_module(f"nqbench._{core}").__file__))
        except ImportError:
            raise NotImplementedError(f"this commit has no core {core}") from None

    @measured("bytes")
    def track_size(self, core: str) -> int:
        return self.path.stat().st_size


class Instructions:
    """Extra instructions from the first n to the second, for each extra node of the plain tree.

    Somers' program and the engine count the same solutions and visit fewer nodes: the figures
    compare the cost of the same answer.
    """

    version = "1"
    params = ["bitmask 10 12", "somers 10 12", "cross-portable 12 14", "cross-avx2 12 14"]
    param_names = ["core and two n"]

    def setup(self, core: str) -> None:
        name, *sizes = core.split()
        self.sizes = [int(n) for n in sizes]
        algorithm, _, kernel = name.partition("-")
        if not able(algorithm, "cython") or (kernel and kernel not in kernels()):
            raise NotImplementedError(f"this commit or processor has no {name}")
        try:
            executed("pass")
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotImplementedError(f"valgrind does not work here: {error}") from None
        self.count = f"nqbench.count({{}}, {algorithm!r}, 'cython'" + (
            f", jobs=1, kernel={kernel!r})" if kernel else ")")

    @measured("instructions/node")
    def track_per_node(self, core: str) -> float:
        fewer, spent = (executed(f"import nqbench; {self.count.format(n)}") for n in self.sizes)
        left, nodes = (nqbench.profile(n, "bitmask", "cython").nodes for n in self.sizes)
        return (spent - fewer) / (nodes - left)


def executed(code: str) -> int:
    """Return how many instructions a Python process executes for the code."""
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no",
         f"--cachegrind-out-file={os.devnull}", sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    assert found, done.stderr
    return int(found[1].replace(",", ""))
