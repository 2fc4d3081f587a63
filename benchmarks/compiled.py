"""The Cython cores: the instructions that they execute, and their size.

Instructions are counted by cachegrind (valgrind), which sees every one: the figure is the same on a
noisy machine and needs one sample. It does not support AVX-512.
"""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from .common import digits, environment, measured

# What each core does; {} is first the smaller number, to import all that it needs.
WORK = {
    "bitmask": ("nqbench.count({}, 'bitmask', 'cython')", 4, 11),
    "somers": ("nqbench.count({}, 'somers', 'cython')", 4, 12),
    "engine": ("nqbench.count({}, 'cross', 'cython', jobs=1, kernel='portable')", 8, 13),
    "engine avx2": ("nqbench.count({}, 'cross', 'cython', jobs=1, kernel='avx2')", 8, 13),
    "join": ("nqbench.count({}, 'join', 'cython', jobs=1, kernel='portable')", 8, 13),
    "sudoku": ("try: import nqbench.sudoku as sudoku\n"
               "except ImportError: from nqbench.problems import sudoku\n"
               "for grid in sudoku.read('hardest')[:{}]: sudoku.solve(grid, 'fast', 'cython')",
               1, 11),
    "sets": ("from nqbench import _sets; _sets.sets_by_size({})", 4, 8),
    "symmetry": ("from nqbench import _symmetry\n"
                 "_symmetry.fixed({}, False, True, True, ())", 4, 16),
}
# Each piece of work runs in a fork, beside one that does nothing.
DRIVER = """
import json, os, sys
import nqbench
def fork(code):
    pid = os.fork()
    if not pid:
        exec(code)
        os._exit(0)
    return pid if not os.waitpid(pid, 0)[1] else None
for core, (code, small, large) in json.loads(sys.argv[1]).items():
    try:
        exec(code.format(small))
    except Exception:
        continue
    print(core, fork("pass"), fork(code.format(large)), sep="\\t")
"""


class Instructions:
    """Of one count, or of ten puzzles, and of reading these: a reader of more forms takes more."""

    version = "1"
    params = [*WORK]
    param_names = ["core"]

    def setup_cache(self) -> dict[str, int]:
        try:
            return executed(WORK)
        except (OSError, subprocess.CalledProcessError):  # without valgrind, or if it does not work
            return {}

    def setup(self, found: dict[str, int], core: str) -> None:
        if core not in found:
            raise NotImplementedError(f"valgrind, the processor or this commit has no {core}")

    @measured("Instructions of a core", "instructions")
    def track_executed(self, found: dict[str, int], core: str) -> float:
        return digits(found[core])


class Size:
    """Of the compiled file."""

    version = "1"
    params = [*dict.fromkeys(core.split()[0] for core in WORK)]
    param_names = ["core"]

    def setup(self, core: str) -> None:
        try:
            self.path = Path(str(import_module(f"nqbench._{core}").__file__))
        except ImportError:
            raise NotImplementedError(f"this commit has no core {core}") from None

    @measured("Size of a core", "bytes")
    def track_size(self, core: str) -> int:
        return self.path.stat().st_size


def executed(work: dict[str, tuple[str, int, int]]) -> dict[str, int]:
    """Return how many instructions each piece of work executes, of those that succeed."""
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--log-file=%p.log",
         f"--cachegrind-out-file={os.devnull}", sys.executable, "-c", DRIVER, json.dumps(work)],
        capture_output=True, text=True, check=True, env={**environment(), "PYTHONHASHSEED": "0"})
    found = {}
    for core, idle, busy in (line.split("\t") for line in done.stdout.splitlines()):
        if "None" not in (idle, busy):
            less, more = (int(re.findall(r"I +refs: +([\d,]+)", Path(f"{pid}.log").read_text())[-1]
                              .replace(",", "")) for pid in (idle, busy))
            found[core] = more - less
    return found
