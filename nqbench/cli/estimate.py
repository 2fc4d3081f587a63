"""The command `nqbench estimate`: the size of a tree from random probes."""

from collections.abc import Callable, Iterator
from functools import partial
from math import exp
from time import perf_counter
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.count import PROFILED
from nqbench.cli.problems import Asked, instance_argument, verb
from nqbench.cli.shared import allow, emit
from nqbench.cli.terminal import progress, table
from nqbench.engine import estimation
from nqbench.engine.estimation import ENOUGH, LAW
from nqbench.errors import InvalidValueError
from nqbench.problems.published import published
from nqbench.search import estimates
from nqbench.search.algorithm import Tree
from nqbench.search.estimates import FIGURES, Estimate, Quantity

MANY = 1_000_000  # probes of the plain tree


@verb(examples=["nqbench estimate 27 --probes 1000000 --seed 1",
                "nqbench estimate 20 -a fewest_first",
                "nqbench estimate 'n=16 blocked=0:0' -a forward_checking"])
@instance_argument
@options.algorithm("Lead this search through its own tree. Default: the plain tree of N queens, by "
                   "compiled code; fewest_lines, or textbook_bitmask for puzzles.")
@options.number("--probes", least=2, metavar="P",
                help="Number of random paths; or, if stratified, of the nodes that a search visits "
                     f"on each level. Default: {MANY:,} for the plain tree, else "
                     f"{estimates.PROBES:,}.")
@options.seed(help="Random seed: the same seed gives the same estimate.")
@options.option("--method", metavar="METHOD",
                help="Choose knuth (single paths), or stratified (many nodes of each level, which "
                     "vary less). Default: knuth for the plain tree, else stratified.")
@options.jobs(queens=True, help="Use JOBS threads (the plain tree only). Default: all cores.")
@options.yes()
@options.json
def estimate(asked: Asked, algorithm: str | None, probes: int | None, seed: int,
             method: str | None, jobs: int | None, yes: bool, as_json: bool) -> None:
    """Estimate the size of a tree from random probes.

    This works for trees that are too large to search. Each estimate comes with its standard error,
    its 95 % interval, and the known value if there is one. With -a, the search itself is led along
    random paths, and its counters and the seconds of its timed build in Python are estimated, too.
    """
    instance = asked.one()
    make: Callable[..., Iterator[Estimate]]
    tree = Tree.PLAIN
    if asked.is_queens and algorithm is None:
        what, probes, method = f"{instance} queens", probes or MANY, method or "knuth"
        make = partial(estimation.estimating, instance, seed=seed, method=method, jobs=jobs)
    else:
        if jobs is not None:
            raise InvalidValueError("--jobs is for the plain tree; leave out --jobs or --algorithm")
        chosen, _ = asked.problem.choose(algorithm or PROFILED.get(asked.problem.name), "python")
        probes, method = probes or estimates.PROBES, method or "stratified"
        what = f"{chosen.name}, {asked.problem.text(instance)}{' queens' * asked.is_queens}"
        make = partial(estimates.estimating, chosen, instance, seed=seed, method=method)
        tree = chosen.tree
    known = {"nodes": published("A319283").get(instance) if tree == Tree.PLAIN else None,
             "solutions": published("A000170").get(instance)} if asked.is_queens else {}
    found, elapsed = watch(make(probes=probes), what, probes, yes)
    if as_json:
        emit({"n": instance if asked.is_queens else asked.problem.text(instance),
              "algorithm": algorithm, "method": method, "probes": found.probes, "seed": seed,
              "reached": found.reached, "elapsed": elapsed, **{
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


def watch(made: Iterator[Estimate], what: str, probes: int, yes: bool) -> tuple[Estimate, float]:
    """Return the last estimate, and its seconds; the second one predicts the time of all."""
    begin = perf_counter()
    first = next(made)
    start = perf_counter()
    found = next(made, first)
    share = (found.probes - first.probes) / probes
    announced = allow((perf_counter() - start) / share if share else 0.0, yes)
    with progress(probes, announced) as show:
        for each in made:
            found = each
            show(what, found.probes)
    return found, perf_counter() - begin


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
