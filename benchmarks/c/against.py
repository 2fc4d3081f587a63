"""Compare the Cython cores with the same algorithms in C.

    python benchmarks/c/against.py [N] [ROUNDS]

Compiles benchmarks/c/*.c with `cc -O3`, runs both sides in turn in one process
(default n = 14, 21 rounds) and prints the ratio Cython / C: the median over
the rounds, and the range of its middle half. 1.00 is equal, less is faster.
"""

import ctypes
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from nqbench.problems.queens import find

HERE = Path(__file__).parent


def compiled(name: str, folder: Path) -> Callable[[int], int]:
    library = folder / f"{name}.so"
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", str(library),
                    str(HERE / f"{name}.c")], check=True)
    count = ctypes.CDLL(str(library)).count
    count.restype = ctypes.c_uint64
    return count  # type: ignore[no-any-return]


def seconds(count: Callable[[int], int], n: int) -> float:
    start = perf_counter()
    count(n)
    return perf_counter() - start


def main(n: int = 14, rounds: int = 21) -> None:
    version = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True)
    print(f"n = {n}, {rounds} rounds, {version.stdout.splitlines()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("bitmask", "somers"):
            in_c = compiled(name, Path(folder))
            in_cython = find(name).implementations["cython"].count
            assert in_c(n) == in_cython(n)
            pairs = [(seconds(in_cython, n), seconds(in_c, n)) for _ in range(rounds)]
            ratios = [cython / c for cython, c in pairs]
            low, middle, high = statistics.quantiles(ratios, n=4)
            print(f"{name:8}  C {statistics.median(c for _, c in pairs):.4f} s  "
                  f"Cython / C {middle:.3f} ({low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
