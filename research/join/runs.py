"""What would a trie of the shorter list share, and how many sets of diagonals are there?

    python research/join/runs.py 18 20 22 24
    python research/join/runs.py --subsets 12 14 16

The first prints, for random choices of rows, how many words of a class follow each other with the
same first 6, 12 and 18 rest bits, if the words of each class were sorted by them: the rarest or the
most used diagonals first. The second counts the subsets of the diagonals of western and of eastern
halves, and those of both (research/join/trials.md).
"""

import random
from functools import reduce
from statistics import fmean
from typing import Any

import click
import numpy as np

from nqbench.engine import kernels
from nqbench.engine.processor import find_core

FIRST = (6, 12, 18)  # bits: one, two and three tables
CHOICES = {18: 300, 20: 200, 22: 100}  # of rows; for other n:
FEWEST = 24


def average_runs(words: Any, rest_bits: int) -> list[float]:
    """Return the words of a class on average; then of a run with the same first bits, for each of
    `FIRST`, the rarest bits first; then the most used ones first.

    >>> average_runs(np.array([0b1_01, 0b1_01, 0b1_11, 0b0_01], np.uint64), 2)[:2]
    [2.0, 1.3333333333333333]
    """
    places = np.arange(rest_bits, dtype=np.uint64)
    used = [int((words >> place & np.uint64(1)).sum()) for place in places]
    classes = words >> np.uint64(rest_bits)
    runs = [words.size / np.unique(classes).size]
    for order in (np.argsort(used, kind="stable"), np.argsort(used, kind="stable")[::-1]):
        for first in FIRST:
            key = reduce(lambda key, place: key << np.uint64(1) | words >> np.uint64(place)
                         & np.uint64(1), order[:first], classes)
            runs.append(words.size / np.unique(key).size)
    return runs


def find_subsets(halves: Any) -> Any:
    """Return every subset of the bits of some words, sorted.

    >>> find_subsets([0b101, 0b100]).tolist()
    [0, 1, 4, 5]
    """
    found = []
    for half in map(int, halves):
        subsets = np.zeros(1, np.uint64)
        for place in range(half.bit_length()):
            if half >> place & 1:
                subsets = np.concatenate([subsets, subsets | np.uint64(1 << place)])
        found.append(subsets)
        if len(found) == 1000:
            found = [np.unique(np.concatenate(found))]
    return np.unique(np.concatenate(found))


@click.command()
@click.argument("sizes", type=click.IntRange(8, 32), nargs=-1, required=True)
@click.option("--subsets", is_flag=True, help="Count sets of diagonals.")
def main(sizes: tuple[int, ...], subsets: bool) -> None:
    """Print averages over random choices of rows, of one job each, with seed 0."""
    core, drawing = find_core("join"), random.Random(0)
    for n in sizes:
        engine = core.Engine(n, 1)
        number = (6 if n == 16 else 8 if n == 18 else 20) if subsets else CHOICES.get(n, FEWEST)
        parts = [drawing.randrange(engine.parts) for _ in range(number)]
        rows = []
        if subsets:
            kernel = core.Kernel(kernels()[0])
            for part in parts:
                (hole, western), = engine.jobs(part)
                sides = [np.array(kernel.halves(n, hole, western, east), np.uint64)
                         for east in (False, True)]
                diagonals = np.uint64((1 << kernel.enter(n, hole, sum(
                    row < n // 2 for row in western))) - 1)
                west, east = (find_subsets(side & diagonals) for side in sides)
                rows.append([*(side.size for side in sides), west.size, east.size,
                             np.intersect1d(west, east, assume_unique=True).size])
        else:
            kernel = core.Kernel(kernels()[0])
            for part in parts:
                kernel.complete(engine, [part])
                words, rest_bits = kernel.shorter
                if words:
                    rows.append(average_runs(np.frombuffer(words, np.uint64), rest_bits))
        click.echo(f"n = {n}, {number} choices: " + ", ".join(
            f"{fmean(column):,.1f}" for column in zip(*rows, strict=True)))


if __name__ == "__main__":
    main()
