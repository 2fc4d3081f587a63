"""`nqbench count` with --estimate and --plan: the size of a tree, the time of a count."""

from collections.abc import Iterable, Sequence
from functools import partial
from math import exp
from time import perf_counter
from typing import Any

from nqbench import engine
from nqbench.cli.problems import Asked
from nqbench.cli.terminal import allow, echo, emit, progress, table
from nqbench.engine import plans as planning
from nqbench.engine.processor import find_devices, is_device
from nqbench.problems.published import published
from nqbench.problems.published.computed import find_empty, known_of_tree
from nqbench.search import estimates
from nqbench.search.algorithm import Algorithm
from nqbench.search.estimates import ENOUGH_SOLUTIONS, FIGURES, Estimate, Quantity
from nqbench.util.text import HOUR, format_bytes, format_seconds

# Q(n)^(1/n) / n tends to e^-LAW: Simkin, The number of n-queens configurations (2023); the
# constant by Nobel, Agrawal and Boyd, Computing tighter bounds on the n-queens constant (2022).
LAW = 1.944
SAMPLE_SECONDS, SHORT_SECONDS = 600.0, 20.0  # of a plan, if its engine is named, and by default
FEW_PROBES = 320  # probes at most that predict the time of all


def estimate(asked: Asked, algorithm: str | None, probes: int | None, seed: int, method: str,
             yes: bool, as_json: bool) -> None:
    """Print the estimated size of a tree, from random probes."""
    probes = probes or estimates.PROBES
    instance = asked.one()
    chosen, _ = asked.problem.choose(algorithm, "python")
    what = f"{chosen.name}, {asked.problem.text(instance)}{' queens' * asked.is_queens}"
    n = find_empty(chosen.problem, instance)
    known = {**known_of_tree(chosen, instance),
             "solutions": None if n is None else published("A000170").get(n)}
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
              "levels": [*map(quantity_as_json, found.levels)]})
        return
    table(f"{what}, {found.probes:,} probes ({method}), seed {seed}",
          ["", *FIGURES, "known"],
          [[name, *x.texts(), "" if known.get(name) is None else f"{known[name]:,}"]
           for name, x in found.table()], numeric=[*FIGURES, "known"])
    print_limits(found, n or 0)


def compare(asked: Asked, names: Sequence[str], probes: int | None, seed: int, yes: bool,
            as_json: bool) -> None:
    """Print the estimated sizes of several trees, and how they compare with the first one."""
    probes, instance = probes or estimates.PROBES, asked.one()
    chosen = [asked.problem.choose(name, "python")[0] for name in names]
    what = asked.problem.text(instance) + " queens" * asked.is_queens
    made = estimates.estimate_together(chosen, instance, probes, seed, [
        known_of_tree(each, instance) for each in chosen])
    announced = allow(sum(predict(each, instance, probes, seed, "stratified") for each in chosen),
                      yes)
    with progress(probes, announced) as show:
        for found in made:
            show(what, found[0].probes)
    first, *others = found
    compared = [(each, estimates.ratios(each, first)) for each in others]
    if as_json:
        emit({"n": instance if asked.is_queens else asked.problem.text(instance),
              "probes": first.probes, "seed": seed, "estimates": [
                  {"algorithm": each.what,
                   **{name: quantity_as_json(x) for name, x in each.named().items()},
                   "levels": [*map(quantity_as_json, each.levels)]} for each in found],
              "ratios": [{"algorithm": each.what, "to": first.what, **{
                  f"level {name}" if isinstance(name, int) else name: quantity_as_json(x)
                  for name, x in ratios.items()}} for each, ratios in compared]})
        return
    for each, ratios in compared:
        own, other = dict(each.table()), dict(first.table())
        numeric = [each.what, first.what, "ratio", "from", "to"]
        table(f"{what}, {each.what} to {first.what}, {first.probes:,} probes, seed {seed}",
              ["", *numeric],
              [[name, own[name].texts()[0], other[name].texts()[0], *ratio.texts()[:1],
                *ratio.texts()[2:]]
               for key, ratio in ratios.items()
               if (name := f"level {key}" if isinstance(key, int) else key) in own
               and name in other], numeric=numeric)


def predict(algorithm: Algorithm[Any, Any], instance: Any, probes: int, seed: int,
            method: str) -> float:
    """Return the seconds that an estimate will take, by one from few probes."""
    start, trial = perf_counter(), min(FEW_PROBES, probes)
    *_, few = estimates.sample(algorithm, instance, trial, seed, method, Quantity(1.0, 0.0))
    seconds, share = perf_counter() - start, probes / trial
    if method == "stratified":  # a run visits no node twice
        share = min(share, few.runs * few.nodes.mean / (trial * len(few.levels)))
    return seconds * share


def quantity_as_json(x: Quantity) -> dict[str, Any]:
    """Return an estimated number with its error, for JSON."""
    return {"estimate": x.mean, "standard_error": x.error, "interval": x.interval}


def print_limits(found: Estimate, n: int) -> None:
    """Print a line for each limit of an estimate; n is 0 for all but empty boards."""
    runs = f"{found.runs} runs" if found.runs < found.probes else f"{found.probes:,} probes"
    echo(f"{found.reached:,} of {runs} reached a solution.")
    if found.reached < min(ENOUGH_SOLUTIONS, found.runs):
        echo("These are too few to estimate the number of solutions: its interval is too narrow; "
             "use more --probes.")
    if n > 1 and found.solutions.mean > 0:
        rate = found.solutions.mean ** (1 / n) / n
        echo(f"Q(n)^(1/n) / n is {rate:.4f} by this estimate. It tends to e^-{LAW} = "
             f"{exp(-LAW):.4f}, but slowly, so this limit is no estimate for a single n.")


def plan(n: int, workers: int | None, cores: int | None, seed: int, algorithm: str | None,
         kernel: str | None, as_json: bool) -> None:
    """Print the predicted time and memory of a count by an engine."""
    cards = len(find_devices(kernel)) if kernel and is_device(kernel) else 0
    cores = cores or (1 if workers is not None else cards or engine.cores())
    chosen = engine.choose_engine(n, kernel) if algorithm is None else algorithm
    with progress(1.0) as show:
        sample = planning.sample(n, seed, partial(show, f"parts for n = {n} by {chosen}"), chosen,
                                 kernel, SAMPLE_SECONDS if algorithm else SHORT_SECONDS)
    planned = planning.plan(sample, workers or 1, cores)
    known = published("A000170").get(n)
    if as_json:
        emit({"n": n, "workers": workers or 1, "cores": cores, "seed": seed,
              **plan_as_json(sample, planned, known)})
        return
    table(f"{n} queens by {chosen}; workers: {workers or 1:,}, cores of each: {cores}, kernel: "
          f"{sample.kernel}", ["", chosen], describe_plan(sample, planned, known),
          numeric=[chosen])


def plan_as_json(sample: planning.Survey, planned: planning.Prediction,
                 known: int | None) -> dict[str, object]:
    """Return what a plan says about an engine, for JSON."""
    return {"algorithm": sample.algorithm, "kernel": sample.kernel, "drawn": len(sample.draws),
            "shrunk": sample.shrunk, "parts": sample.parts, "slices": sample.slices,
            "part_seconds": {"mean": sample.mean, "median": sample.longest(0.5),
                             "p95": sample.longest(0.95), "longest": sample.longest()},
            "core_hours": interval_as_json([seconds / HOUR for seconds in sample.seconds]),
            "wall_seconds": interval_as_json(planned.wall), "tasks": planned.tasks,
            "tasks_a_second": planned.load, "checkpoint_bytes": sample.checkpoint,
            "memory_bytes": sample.memory,
            "solutions": {**interval_as_json(sample.solutions), "known": known}}


def describe_plan(sample: planning.Survey, planned: planning.Prediction,
                  known: int | None) -> list[tuple[str, str]]:
    """Return the rows of the table of a plan."""
    return [("card-hours" if is_device(sample.kernel) else "core-hours",
             join_figures(f"{seconds / HOUR:,.4g}" for seconds in sample.seconds)),
            ("time", join_figures(map(format_seconds, planned.wall))),
            ("parts", f"{sample.parts:,}"),
            ("a part takes, mean", format_seconds(sample.mean)),
            ("a part takes, median", format_seconds(sample.longest(0.5))),
            ("95 % take at most", format_seconds(sample.longest(0.95))),
            ("the longest of the sample", format_seconds(sample.longest())),
            ("parts in the sample", f"{len(sample.draws)}"),
            ("tasks", f"{planned.tasks:,}"),
            ("tasks per second", f"{planned.load:,.3g}"),
            ("memory of a thread", format_bytes(sample.memory)),
            ("checkpoint", format_bytes(sample.checkpoint)),
            ("solutions, by the sample", join_figures(f"{each:,.4g}" for each in sample.solutions)),
            ("solutions, published", "none" if known is None else f"{known:,.4g}")]


def join_figures(figures: Iterable[str]) -> str:
    """Return an estimate with its interval in one text.

    >>> join_figures(["3", "2", "4"])
    '3 (2 to 4)'
    """
    estimate, low, high = figures
    return f"{estimate} ({low} to {high})"


def interval_as_json(figures: Sequence[float]) -> dict[str, object]:
    """Return an estimate with its interval, for JSON."""
    estimate, low, high = figures
    return {"estimate": estimate, "interval": [low, high]}
