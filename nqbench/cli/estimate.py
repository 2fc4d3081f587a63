"""The command `nqbench estimate`: the size of a tree from random probes."""

from collections.abc import Iterator
from math import exp
from time import perf_counter
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.count import PROFILED
from nqbench.cli.problems import Asked, instance_argument, verb
from nqbench.cli.shared import allow, emit
from nqbench.cli.terminal import progress, table
from nqbench.problems.published import published
from nqbench.search import estimates
from nqbench.search.algorithm import Algorithm, Tree
from nqbench.search.estimates import ENOUGH, FIGURES, Estimate, Quantity

# Q(n)^(1/n) / n tends to e^-LAW: Simkin, The number of n-queens configurations (2023); the
# constant by Nobel, Agrawal and Boyd, Computing tighter bounds on the n-queens constant (2022).
LAW = 1.944
FEW = 320  # probes at most that predict the time of all


@verb(examples=["nqbench estimate 27 --seed 1",
                "nqbench estimate 20 -a fewest_first",
                "nqbench estimate 'n=16 blocked=0:0' -a forward_checking"])
@instance_argument
@options.algorithm("Lead this search through its own tree. Default: bitmask, whose tree is the "
                   "plain one; fewest_lines for instances, textbook_bitmask for puzzles.")
@options.number("--probes", least=2, metavar="P", default=estimates.PROBES,
                help="Number of random paths; or, if stratified, of the nodes that a search visits "
                     f"on each level. Default: {estimates.PROBES:,}.")
@options.seed(help="Random seed: the same seed gives the same estimate.")
@options.option("--method", metavar="METHOD", default="stratified",
                help="Choose knuth (single paths), or stratified (many nodes of each level, which "
                     "vary less). Default: stratified.")
@options.yes()
@options.json
def estimate(asked: Asked, algorithm: str | None, probes: int, seed: int, method: str, yes: bool,
             as_json: bool) -> None:
    """Estimate the size of a tree from random probes.

    This works for trees that are too large to search. Each estimate comes with its standard error,
    its 95 % interval, and the known value if there is one. The search itself is led along random
    paths: its counters and the seconds of its timed build in Python are estimated, too.
    """
    instance = asked.one()
    chosen, _ = asked.problem.choose(algorithm or PROFILED.get(asked.problem.name), "python")
    what = f"{chosen.name}, {asked.problem.text(instance)}{' queens' * asked.is_queens}"
    known = {"nodes": published("A319283").get(instance) if chosen.tree == Tree.PLAIN else None,
             "solutions": published("A000170").get(instance)} if asked.is_queens else {}
    start = perf_counter()
    made = estimates.estimating(chosen, instance, probes, seed, method)
    announced = allow(predict(chosen, instance, probes, seed, method), yes)
    with progress(probes, announced) as show:
        for each in made:
            found = each
            show(what, found.probes)
    if as_json:
        emit({"n": instance if asked.is_queens else asked.problem.text(instance),
              "algorithm": chosen.name, "method": method, "probes": found.probes, "seed": seed,
              "reached": found.reached, "elapsed": perf_counter() - start, **{
                  name: {**quantity_as_json(x), "known": known.get(name)}
                  for name, x in found.named().items()},
              "levels": [quantity_as_json(level) for level in found.levels]})
        return
    table(f"{what}, {found.probes:,} probes ({method}), seed {seed}",
          ["", *FIGURES, "known"],
          [[name, *x.texts(), "" if known.get(name) is None else f"{known[name]:,}"]
           for name, x in found.rows()], numeric=[*FIGURES, "known"])
    for line in describe_limits(found, instance if asked.is_queens else 0):
        click.echo(line)


def predict(algorithm: Algorithm[Any, Any], instance: Any, probes: int, seed: int,
            method: str) -> float:
    """Return the seconds that an estimate will take, by one from few probes."""
    start, trial = perf_counter(), min(FEW, probes)
    *_, few = estimates.sample(algorithm, instance, trial, seed, method, Quantity(1.0, 0.0))
    seconds, share = perf_counter() - start, probes / trial
    if method == "stratified":  # a run visits no node twice
        share = min(share, few.runs * few.nodes.mean / (trial * len(few.levels)))
    return seconds * share


def quantity_as_json(x: Quantity) -> dict[str, Any]:
    """Return an estimated number with its error, for JSON."""
    return {"estimate": x.mean, "standard_error": x.error, "interval": x.interval}


def describe_limits(found: Estimate, n: int) -> Iterator[str]:
    """Yield a line for each limit of an estimate; n is 0 for other problems than n queens."""
    runs = f"{found.runs} runs" if found.runs < found.probes else f"{found.probes:,} probes"
    yield f"{found.reached:,} of {runs} reached a solution."
    if found.reached < min(ENOUGH, found.runs):
        yield ("These are too few to estimate the number of solutions: its interval is too "
               "narrow; use more --probes.")
    if n > 1 and found.solutions.mean > 0:
        rate = found.solutions.mean ** (1 / n) / n
        yield (f"Q(n)^(1/n) / n is {rate:.4f} by this estimate. It tends to e^-{LAW} = "
               f"{exp(-LAW):.4f}, but slowly, so this limit is no estimate for a single n.")
