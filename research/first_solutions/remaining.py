"""Estimate how many nodes the search for a first solution still takes, from its checkpoint:

    timeout --signal INT 60 python search.py 48 --save 48.first
    python remaining.py 48 48.first

Prints the prefixes that are open, from left to right, with the nodes below each (95 % interval) and
the sum so far: nobody knows below which the solution is. The nodes are estimated by Knuth's method,
1975: a probe takes the nodes that decide a prefix, and, if they do not reject it, extends it by a
column at random, and counts what follows as often as there are columns.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import click
from first import decide
from search import LIMIT, Frontier, Prefix, Progress, free_columns

ROWS = 16


def probe(n: int, prefix: Prefix, random: Random) -> float:
    """Return an unbiased estimate of the nodes below a prefix."""
    nodes, weight = 0.0, 1
    while True:
        (rejected, some), = decide(n, [prefix], LIMIT, 1)
        nodes += weight * some
        free = [] if rejected else free_columns(n, prefix)
        if not free:
            return nodes
        weight *= len(free)
        prefix = (*prefix, random.choice(free))


def open_prefixes(progress: Progress) -> Iterator[Prefix]:
    """Yield what is to the right of the path, from left to right, in prefixes of ROWS or more."""
    todo = sorted(Frontier(progress).open, reverse=True)
    while todo:
        prefix = todo.pop()
        if len(prefix) >= ROWS:
            yield prefix
        else:
            todo += [(*prefix, column) for column in reversed(free_columns(progress.n, prefix))]


@click.command(help=__doc__.partition("\n\n")[0])
@click.argument("n", type=int)
@click.argument("checkpoint", type=Path)
@click.option("--probes", type=int, default=1000, show_default=True, help="Of each prefix.")
@click.option("--most", type=int, default=60, show_default=True, help="Prefixes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
def main(n: int, checkpoint: Path, probes: int, most: int, seed: int) -> None:
    total, random = 0.0, Random(seed)
    for prefix in islice(open_prefixes(Progress.load(checkpoint, n)), most):
        found = [probe(n, prefix, random) for _ in range(probes)]
        mean, error = fmean(found), 1.96 * stdev(found) / probes ** 0.5
        total += mean
        print(*(column + 1 for column in prefix), f": {mean:.2g} nodes ({max(0, mean - error):.2g} "
              f"to {mean + error:.2g}), {total:.2g} so far", flush=True)


if __name__ == "__main__":
    main()
