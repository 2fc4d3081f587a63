"""The command `nqbench estimate`: the size of a tree from random probes."""

from collections.abc import Iterator
from math import exp
from time import perf_counter
from typing import Any

import click

from nqbench.cli import options
from nqbench.cli.shared import allow, emit
from nqbench.cli.terminal import progress, table
from nqbench.engine import estimation
from nqbench.engine.estimation import ENOUGH, LAW, Estimate, Quantity
from nqbench.problems.published import published

FEW = 10_000  # probes whose time predicts that of many


@options.command(examples=["nqbench estimate 27 --probes 1000000 --seed 1",
                           "nqbench estimate 40 --method stratified --probes 100000"])
@options.n
@options.number("--probes", least=2, default=1_000_000, metavar="P",
                help="Number of random probes.")
@options.seed(help="Random seed: the same seed gives the same estimate.")
@options.option("--method", default="knuth", metavar="METHOD",
                help="Choose knuth, or stratified: slower probes that vary less.")
@options.jobs(help="Use JOBS threads. Default: all cores.")
@options.yes()
@options.json
def estimate(n: int, probes: int, seed: int, method: str, jobs: int | None, yes: bool,
             as_json: bool) -> None:
    """Estimate the size of a tree from random probes.

    This works for trees of N queens that are too large to search. Each estimate comes with its
    standard error, its 95 % interval by the normal approximation, and the known value if there
    is one.
    """
    start = perf_counter()
    if probes > FEW:
        estimation.estimate(n, FEW, seed, method, jobs)
    announced = allow((perf_counter() - start) * probes / FEW, yes)
    start = perf_counter()
    with progress(probes, announced) as show:
        for found in estimation.estimating(n, probes, seed, method, jobs):
            show(f"{n} queens, {method}", found.probes)
    seconds = perf_counter() - start
    known = {name: published(sequence).get(n)
             for name, sequence in (("nodes", "A319283"), ("solutions", "A000170"))}
    if as_json:
        emit({"n": n, "method": method, "probes": probes, "seed": seed, "reached": found.reached,
              "seconds": seconds, **{
                  name: {**quantity_as_json(getattr(found, name)), "known": known[name]}
                  for name in ("nodes", "solutions")},
              "levels": [quantity_as_json(level) for level in found.levels]})
        return
    table(f"{n} queens, {probes:,} probes ({method}), seed {seed}",
          ["", *estimation.FIGURES, "known"],
          [[name, *x.texts(), "" if known.get(name) is None else f"{known[name]:,}"]
           for name, x in found.rows()], numeric=[*estimation.FIGURES, "known"])
    for line in describe_limits(found):
        click.echo(line)


def quantity_as_json(x: Quantity) -> dict[str, Any]:
    """Return an estimated number with its error, for JSON."""
    return {"estimate": x.mean, "standard_error": x.error, "interval": x.interval}


def describe_limits(found: Estimate) -> Iterator[str]:
    """Yield a line for each limit of an estimate."""
    yield f"{found.reached:,} of {found.probes:,} probes reached a solution."
    if found.reached < ENOUGH:
        yield ("These are too few to estimate the number of solutions: its interval is too "
               "narrow; use more --probes.")
    if found.n > 1 and found.solutions.mean > 0:
        rate = found.solutions.mean ** (1 / found.n) / found.n
        yield (f"Q(n)^(1/n) / n is {rate:.4f} by this estimate. It tends to e^-{LAW} = "
               f"{exp(-LAW):.4f}, but slowly, so this limit is no estimate for a single n.")
