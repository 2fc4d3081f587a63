"""The commands `count` and `profile`: count solutions, and the steps of a search."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Any

import click

from nqbench import api, engine
from nqbench.api import choose, choose_listed, choose_profiled
from nqbench.cli import options
from nqbench.cli.engine import (
    describe_progress,
    find_contradictions,
    open_checkpoint,
    share_left,
)
from nqbench.cli.options import require_only
from nqbench.cli.problems import Asked, Batch, instance_argument, is_part, verb
from nqbench.cli.shared import allow, emit, say
from nqbench.cli.terminal import print_counters, progress, table, waiting
from nqbench.engine.devices import find_devices, is_device
from nqbench.engine.processor import ENGINES, choose_kernel
from nqbench.engine.threads import QUICK_N
from nqbench.errors import InvalidValueError, LostError, MiscountError
from nqbench.problems.forecast import orbits_size, predict_engine, predict_search
from nqbench.problems.published import published
from nqbench.problems.queens import PART, QueensAlgorithm
from nqbench.search.symmetry import Symmetry

SYMMETRY = "symmetry"
PROFILED = {"sudoku": "textbook_bitmask"}  # by default, where another one is than for solutions


@verb(examples=["nqbench count 12", "nqbench count 14 -a somers@cython",
                "nqbench count 'n=7 torus'",
                "nqbench count puzzles.txt --limit 1000", "nqbench count 8 --unique",
                "nqbench count 12 --by symmetry", "nqbench count 27 --estimate --seed 1",
                "nqbench count 20 -a fewest_first --estimate", "nqbench count 24 --plan",
                "nqbench count 28 -a join --plan --workers 100 -j 8"])
@instance_argument
@options.algorithm("Default: the fastest, or fewest_lines for instances of queens. Of an estimate: "
                   "bitmask, whose tree is the plain one; textbook_bitmask for puzzles.")
@options.number("--limit", least=1, metavar="K", queens=False,
                help="Stop counting at K. Default: 2 for puzzles, else count all.")
@options.bounded
@options.jobs(queens=True,
              help="Use JOBS threads (cython implementations and the algorithm threads only); of a "
                   "plan, on each worker. Default: all cores for cross and join, else 1.")
@options.kernel_or_device(
    queens=True, help=f"Choose the kernel of cross or join: {options.KERNELS}; {options.DEVICES}. "
                      "Default: the fastest kernel that runs here.")
@options.queens("--unique", is_flag=True, help="Count up to rotation and reflection.")
@options.queens("--by", metavar="WHAT", help="Choose symmetry: count the solutions of each kind.")
@options.checkpoint(queens=True)
@options.cluster(queens=True)
@click.option("--estimate", "estimated", is_flag=True,
              help="Estimate the size of the tree from random probes instead.")
@options.number("--probes", least=2, metavar="P",
                help="Of an estimate: number of random paths; or, if stratified, of the nodes that "
                     "a search visits on each level. Default: 4,000.")
@options.option("--method", metavar="METHOD", default="stratified",
                help="Of an estimate: knuth (single paths), or stratified (many nodes of each "
                     "level, which vary less).")
@options.queens("--plan", "planned", is_flag=True,
                help="Predict the time and memory of the count instead, from a sample of its "
                     "parts; of up to ten minutes if -a names an engine.")
@options.number("--workers", least=1, metavar="W", queens=True,
                help="Of a plan: number of machines. Default: one, with the cores of this one.")
@options.seed(help="Random seed of an estimate or a plan.")
@options.yes()
@options.json
def count(asked: Asked, algorithm: str | None, limit: int | None, bounds: dict[str, Any],
          estimated: bool, probes: int | None, method: str, planned: bool, workers: int | None,
          seed: int, by: str | None, as_json: bool, **options: Any) -> None:
    """Count the solutions of a problem; estimate or plan that.

    For N queens the fastest algorithm counts by default, and a long count by cross or join can be
    interrupted at any time; the same command resumes it. Only these two save progress, and count on
    a cluster. For each other instance, the answer is also whether there is none, one or several.
    Exit status 1 if a search gave up.

    An estimate works for trees that are too large to search: the search itself is led along random
    paths, and its counters and the seconds of its timed build in Python are estimated, too. Each
    number comes with its standard error, its 95 % interval, and the known value if there is one.

    A plan times a sample of the parts here. The prediction is for cores like those of this machine
    with no other load; the 95 % intervals are those of the sampling. As a check, the table shows
    the predicted number of solutions beside the known one.
    """
    yes = options["yes"]
    if estimated:
        require_only("with --estimate", "algorithm estimated probes method seed yes as_json")
        from nqbench.cli.estimate import estimate

        estimate(asked, algorithm or PROFILED.get(asked.problem.name), probes, seed, method, yes,
                 as_json)
        return
    if planned:
        require_only("with --plan", "algorithm planned kernel workers jobs seed as_json")
        from nqbench.cli.estimate import plan

        plan(asked.one(), workers, options["jobs"], seed, algorithm, options["kernel"], as_json)
        return
    require_only("without --estimate or --plan", "algorithm limit seconds nodes backtracks jobs "
                 "kernel unique by checkpoint cluster yes as_json")
    if by is not None:
        require_only("with --by", "by yes as_json")
        if by != SYMMETRY:
            raise InvalidValueError(f"--by must be {SYMMETRY}, not {by!r}")
        count_by_symmetry(asked.one(), yes, as_json)
        return
    if asked.is_queens:
        count_queens(asked.one(), algorithm, as_json=as_json, **options)
        return
    batch, gave_up = Batch(asked, algorithm), False
    if not batch.algorithm.exhaustive:
        raise InvalidValueError(f"{batch.algorithm.name} finds {batch.algorithm.finds} and cannot "
                                "count; use solve")
    most = limit or (2 if batch.is_sudoku else sys.maxsize)
    with batch.telling(as_json, most) as tell:
        for instance, outcome in batch.outcomes(most, 0, **bounds):
            gave_up = gave_up or outcome.gave_up is not None
            if as_json:
                tell(batch.facts(instance, outcome))
            else:
                click.echo(f"{outcome.found}{' or more' * is_part(outcome)}, "
                           f"{batch.answer(instance, outcome)}")
    sys.exit(1 if gave_up else 0)


def count_queens(  # noqa: PLR0912 - a branch for each way of counting
        n: int, algorithm: str | None, jobs: int | None, kernel: str | None, unique: bool,
        checkpoint: str | None, cluster: str | None, yes: bool, as_json: bool) -> None:
    """Count the solutions for N queens."""
    if algorithm is None and (kernel, checkpoint, cluster) != (None, None, None):
        algorithm = choose_engine(n, kernel, checkpoint)
    chosen, way = (choose_listed if unique else choose)(n, algorithm)
    by_engine = is_engine(chosen, way)
    if not by_engine:
        chosen.no_choices({"cluster": cluster, "checkpoint": checkpoint}, f" in {way}")
    reject_combinations(cluster, checkpoint, None if is_device(kernel) else kernel, jobs)
    by_solutions = unique and chosen.name not in ENGINES
    saved: engine.Checkpoint | None = None
    if by_solutions:
        chosen.no_choices({"kernel": kernel})
        if jobs not in (None, 1):
            raise InvalidValueError(f"--jobs must be 1 with --unique for {chosen.name}, not {jobs}")
        predicted = predict_search(chosen, n, partial(chosen.unique, implementation=way))
        announced = allow(predicted, yes, orbits_size(n))
    else:
        predicted = (None if cluster or is_device(kernel) else
                     predict_count(chosen, n, way, jobs, kernel))
        saved, announced = (
            open_checkpoint(n, predicted, yes, checkpoint, kernel, jobs, chosen.name) if by_engine
            else (None, allow(predicted, yes)))
    start = perf_counter()
    if by_solutions:
        with waiting(f"{n} queens, {chosen.name}", predicted, announced):
            start = perf_counter()
            found, workers = chosen.unique(n, way), 1
    elif cluster is not None:
        found, workers = count_on_cluster(cluster, f"{n} queens on {cluster}", "solutions", n,
                                          chosen.name, saved, kernel)
    else:
        found, start = count_with_progress(chosen, n, way, jobs, kernel, saved, predicted,
                                           announced)
        workers = count_threads(chosen, n, way, jobs, kernel)
    if saved is not None:
        for contradiction in find_contradictions(n, found):
            raise MiscountError(contradiction)
        if not checkpoint:
            saved.path.unlink(missing_ok=True)
    if unique and not by_solutions:
        found = Symmetry.of(n, found).fundamental
    seconds = perf_counter() - start
    shortfall = describe_shortfall(chosen, n, found, unique)
    if shortfall:
        say(shortfall)
    if as_json:
        emit({"n": n, "algorithm": chosen.name, "implementation": way,
              "kernel": kernel or (engine.kernels()[0] if by_engine and cluster is None else None),
              "unique": unique, "jobs": workers, "solutions": found, "complete": not shortfall,
              "seconds": seconds})
    else:
        click.echo(found)


def choose_engine(n: int, kernel: str | None, checkpoint: str | None) -> str | None:
    """Return the engine that wrote the checkpoint; if there is none yet, the faster one; None if n
    is too large for any.
    """
    if n > engine.LARGEST_N:
        return None
    if checkpoint:
        with suppress(OSError, InvalidValueError):  # a new file; what is wrong is said later
            found = engine.division_of(checkpoint).algorithm
            if found in ENGINES:
                return found
    return engine.choose_engine(n, kernel) if engine.available() else "cross"


def reject_combinations(cluster: str | None, checkpoint: str | None, kernel: str | None,
                        jobs: int | None) -> None:
    """Reject options that exclude each other.

    Raises
    ------
    InvalidValueError
        naming the options.
    """
    if cluster is not None and (kernel, jobs) != (None, None):
        raise InvalidValueError(
            "--kernel and --jobs are not supported with --cluster: each worker uses its "
            "fastest kernel, or one --device")
    if "" in (checkpoint, cluster):
        raise InvalidValueError("--checkpoint and --cluster must not be empty")


def is_engine(algorithm: QueensAlgorithm, way: str) -> bool:
    """Return whether a counting engine counts."""
    return algorithm.name in ENGINES and way == "cython"


def predict_count(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None = None,
                  kernel: str | None = None) -> float | None:
    """Predict the seconds that a count takes; None if that is not possible."""
    if is_engine(algorithm, way):
        return predict_engine(n, kernel, jobs, algorithm.name)
    return predict_search(algorithm, n, partial(
        algorithm.count, implementation=way, jobs=jobs, kernel=kernel))


def count_threads(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None,
                  kernel: str | None) -> int:
    """Return how many threads count."""
    if is_engine(algorithm, way):
        parts = engine.Division.new(n, choose_kernel(kernel), algorithm=algorithm.name).parts
        return 1 if n <= QUICK_N else min(jobs or engine.cores(), parts)
    return 1 if algorithm.finds == PART else min(jobs or 1, max(n, 1))


def describe_shortfall(algorithm: QueensAlgorithm, n: int, found: int, unique: bool) -> str | None:
    """Return why a count is not that of all solutions; None if it is."""
    if algorithm.exhaustive:
        return None
    if algorithm.finds == PART:
        depth = algorithm.parameters.get("depth")
        if depth is None or depth >= n:
            return None
        return (f"{found:,} partial placements of {depth} queen{'s' * (depth != 1)}, "
                "not solutions")
    known = published("A002562" if unique else "A000170").get(n)
    if found == known:
        return None
    return f"{found:,}{' found' if known is None else f' of {known:,}'}, incomplete search"


def watch(what: str, noun: str, counting: Iterator[tuple[float, Any]],
          saved: engine.Checkpoint | None, announced: bool, saves: bool = True) -> Any:
    """Show the progress of a count, also at an interrupt, and return what is found at its end.

    `saves` says whether progress can be saved.
    """
    share, total = 0.0, 0
    found: Any = 0
    try:
        with progress(1.0, announced) as show:
            for share, found in counting:
                total = sum(found) if isinstance(found, list) else found
                show(f"{what}: {total:,} {noun} so far", share)
    except (KeyboardInterrupt, LostError):
        say(describe_progress(share, f"{total:,} {noun}", saved, saves))
        raise
    return found


def count_on_cluster(address: str, what: str, noun: str, n: int, algorithm: str,
                     saved: engine.Checkpoint | None, device: str | None = None) -> tuple[Any, int]:
    """Count by an engine on a cluster, which is for work of days; return what is found, and the
    number of workers at the beginning. A local cluster has a worker for each device.
    """
    from nqbench.engine.cluster import cluster

    if device and address == "local":
        address = f"local:{len(find_devices(device))}"
    with cluster(address, say) as (executor, workers):
        at_start = workers()
        seconds = predict_engine(n, jobs=1, name=algorithm) / max(at_start, 1)
        announced = allow(seconds * share_left(saved), yes=True)
        counting = engine.counting_on(executor, n, workers, saved, say, algorithm=algorithm,
                                      device=device)
        return watch(what, noun, counting, saved, announced), at_start


def count_with_progress(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None = None,
                        kernel: str | None = None, checkpoint: engine.Checkpoint | None = None,
                        predicted: float | None = None,
                        announced: bool = False) -> tuple[int, float]:
    """Count, with a progress bar for a long count; return the solutions and the start time.

    The bar does not change the work. With one thread a search runs the bare build, which a study
    times, and the bar goes by the predicted time. The engine and threads report their progress,
    which is printed at an interrupt.
    """
    what = f"{n} queens, {algorithm.name}"
    if algorithm.name not in ENGINES and jobs in (None, 1):
        with waiting(what, predicted, announced):
            start = perf_counter()
            return algorithm.count(n, way, jobs, kernel=kernel), start
    choices = ({"checkpoint": checkpoint, "say": say}
               if checkpoint is not None or is_device(kernel) else {})
    start = perf_counter()
    counting = algorithm.counting(n, way, jobs, kernel=kernel, **choices)
    return watch(what, "solutions", counting, checkpoint, announced,
                 is_engine(algorithm, way)), start


def count_by_symmetry(n: int, yes: bool, as_json: bool) -> None:
    """Count the solutions for N queens by their symmetry."""
    chosen, way = choose(n, choose_engine(n, None, None))
    announced = allow(predict_count(chosen, n, way), yes)
    found = Symmetry.of(n, count_with_progress(chosen, n, way, announced=announced)[0])
    if as_json:
        emit({"n": n, **{name: value for name, value, _ in found.rows()}})
    else:
        table(f"symmetry of the solutions, n = {n}", ["", "number", "OEIS"],
              [[name.replace("_", " "), f"{value:,}", oeis] for name, value, oeis in found.rows()],
              numeric=["number"])


@verb(examples=["nqbench profile 8 -a iterative", "nqbench profile 8 -a somers --json",
                "nqbench profile 'n=12 placed=0:0' -a forward_checking",
                "nqbench profile easy50 -a fewest_first"])
@instance_argument
@options.algorithm("Default: bitmask, fewest_lines for instances of queens, or textbook_bitmask "
                   "for puzzles.")
@options.number("--limit", least=1, default=1, metavar="K", queens=False,
                help="Stop each search at its K-th solution.")
@options.bounded
@options.yes(queens=True)
@options.json
def profile(asked: Asked, algorithm: str | None, limit: int, bounds: dict[str, Any], yes: bool,
            as_json: bool) -> None:
    """Count the nodes, tests and other steps of a search.

    The search for N queens finds all solutions. The counters are those of `nqbench.search.tally`. A
    node of a puzzle is a grid that the search reaches, at first the givens, and its level is the
    number of digits placed. Several instances make a table. Exit status 1 if a search gave up.
    """
    if asked.is_queens:
        profile_queens(asked.one(), algorithm or api.DEFAULT, yes, as_json)
        return
    batch = Batch(asked, algorithm or PROFILED.get(asked.problem.name))
    found, name = [*batch.outcomes(limit, 0, **bounds)], batch.algorithm.name
    if as_json:
        with batch.telling(as_json, limit) as tell:
            for instance, outcome in found:
                tell(batch.facts(instance, outcome, **outcome.counters))
    else:
        what = (batch.problem.text(found[0][0]) if len(found) == 1 else
                f"{len(found)} {batch.noun}s")
        print_counters(f"{name}, {what}", batch.noun, [
            {"answer": batch.answer(instance, outcome), **outcome.counters}
            for instance, outcome in found])
    sys.exit(1 if any(outcome.gave_up for _, outcome in found) else 0)


def profile_queens(n: int, algorithm: str, yes: bool, as_json: bool) -> None:
    """Count the steps of a search for N queens."""
    from nqbench.search.refusals import SECONDS, examine

    chosen, way = choose_profiled(n, algorithm)
    predicted = predict_search(chosen, n, partial(chosen.profile, implementation=way))
    with waiting(f"{n} queens, {chosen.name}", predicted, allow(predicted, yes)):
        tally = chosen.profile(n, way)
        named, short = bool(tally.refusals()), (predicted or 0) < SECONDS
        rules = examine(chosen.python, n, tally, SECONDS) if named and short else []
    if as_json:
        emit({"n": n, "algorithm": chosen.name, "implementation": way,
              "solutions": tally.solutions, **tally.counters(),
              **({"rules": rules} if named else {})})
        return
    table(f"{chosen.name} ({way}), n = {n}", ["counter", "value"], tally.rows())
    if rules:
        print_rules(rules)
    elif named:
        click.echo(f"what its rules save and take is measured in searches of up to {SECONDS:g} s")


def print_rules(rows: list[dict[str, Any]]) -> None:
    """Print what each rule refuses, saves and takes, by level."""
    from nqbench.search.refusals import in_words

    head = ["rule", "level", "refused", "nodes saved", "share of time"]
    table("what its rules save and take; ±: standard error of what is sampled or timed", head,
          [*map(in_words, rows)], numeric=head[1:])
    for fault in dict.fromkeys(row["fault"] for row in rows if row["fault"]):
        say(fault)
