"""How often does the 95 % interval of an estimated tree, or of the ratio of two, contain the truth?
Estimate trees that can be searched, again and again, each time from another seed.

    python research/intervals/trees.py --seeds 100 --probes 320

The tables are in docs/metrics.md. The counts are the same on every machine.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import click
import pandas as pd

from nqbench.problems import PROBLEMS, plugins
from nqbench.problems.published.computed import known_of_tree
from nqbench.search import estimates
from nqbench.search.estimates import Quantity
from nqbench.search.steering import SteeringError

PUZZLES = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7.",
    "1...56789..67.91..789.2.456....6.897365897..4.9.2.436553..42978..2978..1978531642")
SIZES = {"queens": ("8", "10"), "instances": ("n=8", "n=10 blocked=0:0,3:4"), "sudoku": PUZZLES}
RULES = Path(__file__).with_name("rules.py")
# Two searches, of which the second one's tree is within that of the first one, and n.
PAIRS = [
    *(("queens", "bitmask", "forward_checking", n) for n in (10, 12, 14)),
    *(("instances", "search:ahead=fc", "search:ahead=ac", f"n={n}") for n in (10, 12)),
    *(("queens", "bitmask", "bitmask_even_mirror", n) for n in (10, 12)),
    *(("instances", "search:ahead=fc", "search:ahead=fc,symmetry=sbds", f"n={n}") for n in (8, 10)),
    *(("queens", f"{RULES}::ruled", f"{RULES}::ruled:{rule}", n)
      for rule in ("emptied", "paired") for n in (10, 12))]
UNTIMED = Quantity(1.0, 0.0)


def holds(found: Quantity, true: float) -> bool:
    """Return whether an interval contains the truth, but for rounding."""
    low, high = found.interval
    return low - 1e-9 * true <= true <= high + 1e-9 * true


def last(made: Iterator[Any]) -> Any:
    """Return the last of several."""
    *_, found = made
    return found


def single(problem: str, name: str, text: str, seeds: int, probes: int) -> list[Any]:
    """Return how often the intervals of one tree hold, as a row of the table."""
    algorithm = PROBLEMS[problem].find(name)
    estimates.require_steerable(algorithm)
    instance = algorithm.check(PROBLEMS[problem].parse(text))
    tally = algorithm.profile(instance)
    made = [last(estimates.sample(algorithm, instance, probes, seed, "stratified", UNTIMED))
            for seed in range(seeds)]
    return [text[:20], name, tally.nodes, fmean(each.nodes.error for each in made) / tally.nodes,
            fmean(holds(each.nodes, tally.nodes) for each in made),
            fmean(holds(each.solutions, tally.solutions) for each in made)]


def paired(problem: str, names: Sequence[str], text: object, seeds: int,
           probes: int) -> list[Any]:
    """Return how often the intervals of a ratio hold, and how much narrower they are than those of
    a quotient of two estimates.
    """
    both = [plugins.find(name, problem) for name in names]
    instance = both[0].check(PROBLEMS[problem].parse(str(text)))
    nodes = [algorithm.profile(instance).nodes for algorithm in both]
    for algorithm in both:
        estimates.require_steerable(algorithm)
    true, held, widths, quotients = nodes[1] / nodes[0], 0, [], []
    for seed in range(seeds):
        found = estimates.ratios(*reversed(last(estimates.sample_together(
            both, instance, probes, seed, [UNTIMED] * 2,
            [known_of_tree(each, instance) for each in both]))))["nodes"]
        low, high = found.interval
        held += holds(found, true)
        widths.append((high - low) / true)
        alone = [last(estimates.sample(algorithm, instance, probes, 2 * seed + k, "stratified",
                                       UNTIMED)).nodes for k, algorithm in enumerate(both)]
        quotients.append(2 * alone[0].reach * sum((x.error / x.mean)**2 for x in alone)**0.5)
    return [str(text), *(name.rpartition("/")[2] for name in names), true, held / seeds,
            fmean(widths), fmean(quotients)]


@click.command()
@click.option("--seeds", default=100, show_default=True, help="Estimates of each tree.")
@click.option("--probes", default=320, show_default=True, help="Probes of each estimate.")
@click.option("--only", type=click.Choice(["trees", "pairs"]), help="Print one of the tables.")
def main(seeds: int, probes: int, only: str | None) -> None:
    """Print the share of intervals that contain the true value."""
    rows = []
    for problem, sizes in SIZES.items() if only != "pairs" else ():
        for name, text in product(PROBLEMS[problem].catalogue, sizes):
            try:
                rows.append(single(problem, name, text, seeds, probes))
            except SteeringError:
                continue
    if rows:
        print(f"{seeds} estimates of each tree from {probes:,} probes")
        print(pd.DataFrame(rows, columns=["instance", "search", "nodes", "error", "nodes held",
                                          "solutions held"]).to_string(index=False))
    rows = [paired(problem, names, text, seeds, probes)
            for problem, *names, text in PAIRS if only != "trees"]
    if rows:
        print(f"{seeds} ratios of each pair from {probes:,} probes")
        print(pd.DataFrame(rows, columns=["instance", "search", "within it", "ratio", "held",
                                          "width", "unpaired"]).to_string(index=False))


if __name__ == "__main__":
    main()
