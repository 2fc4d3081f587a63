"""Count with every kernel of both engines, and compare with A000170; the levels with A319283, two n
fewer, since they take longer.

    python tools/every_kernel.py --largest 19

Counts every n from 0 on, and prints a line for each n, engine and kernel; fails at the first count
that differs. `make kernels` is the same: n = 19 takes some ten minutes, n = 18 one.
"""

import argparse
import sys
from time import process_time

from nqbench import engine
from nqbench.engine.processor import LEVELS as ROWS
from nqbench.problems.published import published

EXPECTED = published("A000170")
NODES = published("A319283")
FEWER = 2


def check(largest, say=print):
    """Return whether all counts are the published ones."""
    for n in range(largest + 1):
        counted = [(name, "A000170", EXPECTED, lambda kernel, n=n, name=name: engine.count(
            n, kernel, algorithm=name)) for name in engine.engines()]
        counted += [(rows, "A319283", NODES, lambda kernel, n=n, rows=rows: sum(engine.count_levels(
            n, kernel, rows=rows))) for rows in ROWS if n <= largest - FEWER]
        for name, sequence, expected, count in counted:
            for kernel in engine.kernels():
                start = process_time()
                found = count(kernel)
                say(f"{n:2} {name:9} {kernel:8} {found:15,} {process_time() - start:9.3f} s")
                if found != expected[n]:
                    say(f"{sequence}({n}) is {expected[n]:,}")
                    return False
    return True


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=19)
    sys.exit(not check(parser.parse_args().largest))
