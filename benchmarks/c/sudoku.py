"""Compare the kernels of Sudoku with those of another commit.

    python benchmarks/c/sudoku.py COMMIT [FILE...]

Compiles benchmarks/c/sudoku.c with the ext/ of the commit and with that of the working tree (`$CC
-O3`), and runs both in turn in one process: short parts of each list, permuted at random, each
puzzle searched for a second solution. Prints for each kernel and list (default: those of the
package, and puzzles with many solutions made from them) the puzzles per second of both and the
ratio new / old, from the shortest CPU times of each part. Fails if a count differs.
"""

import ctypes
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from time import process_time

from nqbench.problems.sudoku import DATA_SETS, data_set, read
from nqbench.problems.sudoku.grid import Digits, permute

HERE = Path(__file__).parent
KERNELS = ("portable", "avx2", "avx512")  # in the order of benchmarks/c/sudoku.c
LIMIT = 2
SECONDS = 0.003  # of a part, approximately
PARTS, TURNS = 20, 6

Search = Callable[[int, bytes], tuple[float, list[int]]]


def compiled(ext: Path, name: str, folder: Path) -> tuple[ctypes.CDLL, Search]:
    """Return the library, and a function of a kernel and puzzles: CPU seconds and counts."""
    path = folder / f"{name}.so"
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-shared", "-fPIC", f"-I{ext}",
                    "-o", str(path), str(HERE / "sudoku.c")], check=True)
    library = ctypes.CDLL(str(path))

    def search(kernel: int, puzzles: bytes) -> tuple[float, list[int]]:
        found = (ctypes.c_uint32 * (len(puzzles) // 81))()
        start = process_time()
        library.search_all(kernel, puzzles, ctypes.c_uint64(len(found)), ctypes.c_uint64(LIMIT),
                           found)
        return process_time() - start, list(found)
    return library, search


def of_commit(commit: str, folder: Path) -> Path:
    """Return the ext/ of a commit, unpacked into a folder."""
    packed = subprocess.run(["git", "-C", str(HERE.parents[1]), "archive", commit, "ext"],
                            check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "ext"


def with_many_solutions() -> list[Digits]:
    """Return puzzles of the package without two to six of their givens."""
    rng = random.Random(3)
    found = []
    for name in ("top95", "diabolical"):
        for grid in data_set(name):
            digits = list(grid.digits)
            given = [cell for cell in range(81) if digits[cell]]
            for cell in rng.sample(given, rng.choice([2, 4, 6])):
                digits[cell] = 0
            found.append(tuple(digits))
    rng.shuffle(found)
    return found


def compare(old: Search, new: Search, kernel: int, puzzles: list[Digits]) -> str:
    """Return the puzzles per second of both sides in thousands, and their ratio."""
    rng = random.Random(1)
    seconds, _ = old(kernel, b"".join(map(bytes, puzzles)))
    many = max(20, int(SECONDS / seconds * len(puzzles)))
    source = cycle(puzzles)
    total = [0.0, 0.0]
    for _ in range(PARTS):
        part = b"".join(bytes(permute(digits, rng)) for digits in islice(source, many))
        shortest = [float("inf")] * 2
        for turn in range(TURNS):
            answers = {}
            for side in (0, 1) if turn % 2 else (1, 0):
                seconds, answers[side] = (old, new)[side](kernel, part)
                shortest[side] = min(shortest[side], seconds)
            if answers[0] != answers[1]:
                raise SystemExit("the counts of the two commits differ")
        total = [sum(pair) for pair in zip(total, shortest, strict=True)]
    rates = [many * PARTS / seconds / 1000 for seconds in total]
    return f"{rates[0]:10,.1f} {rates[1]:10,.1f} {rates[1] / rates[0]:8.2f}"


def main(commit: str, *names: str) -> None:
    lists = {Path(name).stem: [grid.digits for grid in read(name)] for name in names or DATA_SETS}
    if not names:
        lists["many solutions"] = with_many_solutions()
    with tempfile.TemporaryDirectory() as folder:
        _, old = compiled(of_commit(commit, Path(folder)), "old", Path(folder))
        library, new = compiled(HERE.parents[1] / "ext", "new", Path(folder))
        print(f"thousand puzzles a second, CPU time{'old':>19} {'new':>10} {'ratio':>8}")
        for number, kernel in enumerate(KERNELS):
            if library.can_run_kernel(number):
                for name, puzzles in lists.items():
                    print(f"{kernel:12} {name:30} {compare(old, new, number, puzzles)}",
                          flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
