"""Count with every kernel of both engines, and compare with A000170.

    python tools/every_kernel.py --largest 19

Counts every n from 0 on, and prints a line for each n, engine and kernel; fails at the first count
that differs. `make kernels` is the same: n = 19 takes some ten minutes, n = 18 one.
"""

import argparse
import sys
from time import process_time

from nqbench import engine
from nqbench.problems.published import published

EXPECTED = published("A000170")


def check(largest, say=print):
    """Return whether all counts are the published ones."""
    for n in range(largest + 1):
        for name in engine.engines():
            for kernel in engine.kernels():
                start = process_time()
                found = engine.count(n, kernel, algorithm=name)
                say(f"{n:2} {name:9} {kernel:8} {found:15,} {process_time() - start:9.3f} s")
                if found != EXPECTED[n]:
                    say(f"A000170({n}) is {EXPECTED[n]:,}")
                    return False
    return True


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=19)
    sys.exit(not check(parser.parse_args().largest))
