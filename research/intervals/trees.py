"""How often does the 95 % interval of an estimated tree contain its true size? Estimate trees that
can be searched, again and again, each time from another seed.

    python research/intervals/trees.py --seeds 200

The table is in docs/metrics.md. The counts are the same on every machine, but for the seconds,
which are not compared: how far they are off is in the last column, as a factor.
"""

from itertools import product
from math import exp, log
from statistics import fmean
from time import thread_time

import click
import pandas as pd

from nqbench.problems import PROBLEMS
from nqbench.search import estimates
from nqbench.search.implementations import exhaust

TREES = [
    ("queens", "bitmask", "10"), ("queens", "recursive", "9"), ("queens", "fewest_first", "10"),
    ("queens", "forward_checking", "10"), ("queens", "canonical", "10"),
    ("instances", "fewest_lines", "n=10 blocked=0:0,3:4"),
    ("instances", "arc_consistency", "n=9 placed=0:3"),
    ("sudoku", "textbook_bitmask",
     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7."),
]


@click.command()
@click.option("--seeds", default=200, show_default=True, help="Estimates of each tree.")
@click.option("--probes", default=1000, show_default=True, help="Probes of each estimate.")
def main(seeds: int, probes: int) -> None:
    """Print the share of intervals that contain the true value."""
    rows = []
    for (problem, name, text), method in product(TREES, estimates.METHODS):
        algorithm = PROBLEMS[problem].find(name)
        instance = algorithm.check(PROBLEMS[problem].parse(text))
        tally = algorithm.profile(instance)
        true = {"nodes": tally.nodes, "tests": tally.tests, "solutions": tally.solutions}
        held, reach = dict.fromkeys(true, 0), []
        speed = estimates.speed(algorithm, instance, method)
        for seed in range(seeds):
            *_, last = estimates.sample(algorithm, instance, probes, seed, method, speed)
            found = last.named()
            for what, value in true.items():
                low, high = found[what].interval
                held[what] += low <= value <= high
            reach.append(found["nodes"].error / true["nodes"])
        start = thread_time()
        exhaust(algorithm.python.run("bare", instance))
        off = log(found["seconds"].mean / (thread_time() - start))
        rows.append([name, text[:20], method, f"{true['nodes']:,}", f"{fmean(reach):.1%}",
                     *(f"{each / seeds:.1%}" for each in held.values()),
                     f"{exp(abs(off)):.2f}"])
    print(f"{seeds} estimates of each tree from {probes:,} probes")
    print(pd.DataFrame(rows, columns=["search", "instance", "method", "nodes", "error", *held,
                                      "seconds off by"]).to_string(index=False))


if __name__ == "__main__":
    main()
