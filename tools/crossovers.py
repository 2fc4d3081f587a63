"""Measure which engine counts faster, for nqbench/engine/crossovers.json.

    python tools/crossovers.py --rounds 9

Prints the entry of each kernel that runs here, or of those named: the ratios cross / join of the
process times of one thread. The engines take turns. It takes about five minutes.
"""

import argparse
import json
from statistics import median
from time import process_time

from nqbench import engine
from nqbench.records.context import context

SIZES = range(14, 18)  # below the cross is faster with any kernel, above the join


def take(n, kernel, algorithm):
    """Return the seconds of process time that one thread takes for n queens."""
    start = process_time()
    engine.count(n, kernel, jobs=1, algorithm=algorithm)
    return process_time() - start


def measure(kernel, sizes, rounds):
    """Return the ratios by n: the median, the least and the greatest of so many rounds."""
    found = {}
    for n in sizes:
        ratios = [take(n, kernel, "cross") / take(n, kernel, "join") for _ in range(rounds)]
        found[n] = [round(each, 3) for each in (median(ratios), min(ratios), max(ratios))]
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("kernels", nargs="*", default=engine.kernels())
    asked = parser.parse_args()
    here = context()
    for kernel in asked.kernels:
        print(json.dumps({kernel: {"machine": here["processor"], "commit": here["commit"][:8],
                                   "ratios": measure(kernel, SIZES, asked.rounds)}}))
