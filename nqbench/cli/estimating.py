"""The command `nqbench estimate`: the size of a tree from random probes."""

from collections.abc import Iterator
from math import exp
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nqbench.cli.shared import Size, command, emit, example, json_option, n_argument
from nqbench.cli.terminal import progress, table

if TYPE_CHECKING:
    from nqbench.estimation import Estimate, Quantity

@command(epilog=example("nqbench estimate 27 --probes 1000000 --seed 1",
                            "nqbench estimate 40 --method stratified --probes 100000"))
@n_argument
@click.option("--probes", type=Size("--probes", least=2), default=1_000_000, show_default=True,
              metavar="P", help="Random probes of the tree.")
@click.option("--seed", type=Size("--seed"), default=0, show_default=True, metavar="S",
              help="Of the random numbers: the same seed gives the same estimate.")
@click.option("--method", default="knuth", show_default=True, metavar="METHOD",
              help="knuth, or stratified: dearer probes that vary less.")
@click.option("-j", "--jobs", type=Size("--jobs", least=1), metavar="JOBS",
              help="Threads. Default: all cores.")
@json_option
def estimate(n: int, probes: int, seed: int, method: str, jobs: int | None,
             as_json: bool) -> None:
    """Estimate the tree of N queens, and its solutions, from random probes.

    For an N that nobody can search. Each figure comes with its standard error and its 95 %
    interval by the normal approximation, and stands beside the known value where there is
    one.
    """
    from nqbench import estimation
    from nqbench.reference import published

    start = perf_counter()
    with progress(probes) as show:
        for found in estimation.estimating(n, probes, seed, method, jobs):
            show(f"{n} queens, {method}", found.probes)
    seconds = perf_counter() - start
    known = {name: published(sequence).get(n)
             for name, sequence in (("nodes", "A319283"), ("solutions", "A000170"))}
    if as_json:
        emit({"n": n, "method": method, "probes": probes, "seed": seed, "reached": found.reached,
              "seconds": seconds, **{
                  name: {**quantity(getattr(found, name)), "known": known[name]}
                  for name in ("nodes", "solutions")},
              "levels": [quantity(level) for level in found.levels]})
        return
    table(f"{n} queens, {probes:,} probes ({method}), seed {seed}",
          ["", *estimation.FIGURES, "known"],
          [[name, *x.texts(), "" if known.get(name) is None else f"{known[name]:,}"]
           for name, x in found.rows()], numeric=[*estimation.FIGURES, "known"])
    for line in remarks(found):
        click.echo(line)


def quantity(x: "Quantity") -> dict[str, Any]:
    return {"estimate": x.mean, "standard_error": x.error, "interval": x.interval}


def remarks(found: "Estimate") -> Iterator[str]:
    """What to keep in mind about an estimate, a line each."""
    from nqbench.estimation import ENOUGH, LAW

    yield f"{found.reached:,} of {found.probes:,} probes reached a solution."
    if found.reached < ENOUGH:
        yield ("So few say little about the number of solutions: take its interval for too narrow, "
               "and more probes.")
    if found.n > 1 and found.solutions.mean > 0:
        rate = found.solutions.mean ** (1 / found.n) / found.n
        yield (f"Q(n)^(1/n) / n is {rate:.4f} by this estimate. It tends to e^-{LAW} = "
               f"{exp(-LAW):.4f}, but slowly: the law is no estimate for any one n.")
