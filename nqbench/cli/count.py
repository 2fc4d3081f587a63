"""The command `count`: count solutions; a long count saves its progress."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from nqbench import engine
from nqbench.api import choose, choose_listed
from nqbench.cli import options
from nqbench.cli.options import require_only
from nqbench.cli.problems import (
    PROFILED,
    Asked,
    Batch,
    describe_wrong,
    instance_argument,
    is_part,
    verb,
)
from nqbench.cli.terminal import allow, echo, emit, progress, say, table, waiting
from nqbench.engine import Checkpoint, Division
from nqbench.engine.processor import ENGINES, choose_kernel, find_devices, is_device
from nqbench.engine.threads import QUICK_N
from nqbench.errors import IN_PYTHON, InvalidValueError, LostError, MiscountError
from nqbench.problems.plugins import is_outside
from nqbench.problems.queens import PART, QueensAlgorithm
from nqbench.search.algorithm import Algorithm
from nqbench.util.files import find_user_folder
from nqbench.util.text import plural

SYMMETRY = "symmetry"
SAVED = 60.0  # seconds; a longer count saves its progress
MOST_CHECKPOINTS = 99  # of default checkpoints for an n


@verb(examples=["nqbench count 12", "nqbench count 14 -a somers@cython",
                "nqbench count 'n=7 torus'",
                "nqbench count puzzles.txt --limit 1000", "nqbench count 8 --unique",
                "nqbench count 12 --by symmetry", "nqbench count 27 --estimate --seed 1",
                "nqbench count 24 -a bitmask -a forward_checking --estimate",
                "nqbench count 24 --plan",
                "nqbench count 28 -a join --plan --workers 100 -j 8"])
@instance_argument
@options.algorithm("Default: the fastest, or fewest_lines for instances of queens. Of an estimate: "
                   "bitmask, whose tree is the plain one; textbook_bitmask for puzzles. With "
                   "--estimate it may be repeated: each tree is compared with the first one.",
                   "names", multiple=True)
@options.number("--limit", least=1, metavar="K", queens=False,
                help="Stop counting at K. Default: 2 for puzzles, else count all.")
@options.bounded
@options.number("-j", "--jobs", least=1, metavar="JOBS", queens=True,
                help="Use JOBS threads (cython implementations and the algorithm threads only); of "
                     "a plan, on each worker. Default: all cores for cross and join, else 1.")
@options.kernel_or_device(
    queens=True, help=f"Choose the kernel of cross or join: {options.KERNELS}; {options.DEVICES}. "
                      "Default: the fastest kernel that runs here.")
@options.queens("--unique", is_flag=True, help="Count up to rotation and reflection.")
@options.queens("--by", metavar="WHAT", help="Choose symmetry: count the solutions of each kind.")
@options.queens("--checkpoint", metavar="FILE",
                help="Save progress in FILE, and resume from it. Default: a file in the user's "
                     "state folder, for counts of over a minute.")
@options.queens("--cluster", metavar="ADDRESS",
                help="Work on a Dask cluster: the address of its scheduler, or local, or "
                     "local:WORKERS.")
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
def count(asked: Asked, names: tuple[str, ...], limit: int | None, bounds: dict[str, Any],
          estimated: bool, probes: int | None, method: str, planned: bool, workers: int | None,
          seed: int, by: str | None, as_json: bool, **options: Any) -> None:
    """Count the solutions of a problem; estimate or plan that.

    For N queens the fastest algorithm counts by default, and a long count by cross or join can be
    interrupted at any time; the same command resumes it. Only these two save progress, and count on
    a cluster. For each other instance, the answer is also whether there is none, one or several.
    Exit status 1 if a search gave up or contradicts A000170, or if an invalid puzzle was skipped.

    An estimate works for trees that are too large to search: the search itself is led along random
    paths, and its counters and the seconds of its timed build in Python are estimated, too. Each
    number comes with its standard error, its 95 % interval, and the known value if there is one.
    Several searches visit the same random nodes, so the ratio of their trees, which alone has its
    interval in the table, is more precise than either estimate, and a part of a tree is never
    estimated to be larger.

    A plan times a sample of the parts here. The prediction is for cores like those of this machine
    with no other load; the 95 % intervals are those of the sampling. As a check, the table shows
    the predicted number of solutions beside the known one.
    """
    yes = options["yes"]
    if estimated:
        require_only("with --estimate", "names estimated probes method seed yes as_json")
        from nqbench.cli.estimate import compare, estimate

        if len(names) > 1:
            require_only("with several -a", "names estimated probes seed yes as_json")
            compare(asked, names, probes, seed, yes, as_json)
        else:
            estimate(asked, names[0] if names else PROFILED.get(asked.problem.name), probes, seed,
                     method, yes, as_json)
        return
    if len(names) > 1:
        raise InvalidValueError("-a may be given several times only with --estimate")
    algorithm = names[0] if names else None
    if planned:
        require_only("with --plan", "names planned kernel workers jobs seed as_json")
        from nqbench.cli.estimate import plan

        plan(asked.one(), workers, options["jobs"], seed, algorithm, options["kernel"], as_json)
        return
    require_only("without --estimate or --plan", "names limit seconds nodes backtracks jobs "
                 "kernel unique by checkpoint cluster yes as_json")
    if by is not None:
        require_only("with --by", "by yes as_json")
        if by != SYMMETRY:
            raise InvalidValueError(f"--by must be {SYMMETRY}, not {by!r}")
    if asked.is_queens:
        count_queens(asked.one(), algorithm, by=by, as_json=as_json, **options)
        return
    batch, failed = Batch(asked, algorithm), False
    if not batch.algorithm.exhaustive:
        raise InvalidValueError(f"{batch.algorithm.name} finds {batch.algorithm.finds} and cannot "
                                "count; use solve")
    warn_uncompiled(batch.algorithm, algorithm)
    most = limit or (2 if batch.is_sudoku else sys.maxsize)
    with batch.telling(as_json, most) as tell:
        for instance, outcome in batch.outcomes(most, 0, **bounds):
            failed |= outcome.gave_up is not None or batch.report_wrong(instance, outcome)
            if as_json:
                tell(batch.facts(instance, outcome))
            else:
                echo(f"{outcome.found}{' or more' * is_part(outcome)}, "
                     f"{batch.answer(instance, outcome)}")
    sys.exit(1 if failed or batch.skipped else 0)


def count_queens(  # noqa: PLR0912 - a branch for each way of counting
        n: int, algorithm: str | None, jobs: int | None, kernel: str | None, unique: bool,
        by: str | None, checkpoint: str | None, cluster: str | None, yes: bool,
        as_json: bool) -> None:
    """Count the solutions for N queens."""
    if algorithm is None and (kernel, checkpoint, cluster) != (None, None, None):
        algorithm = choose_engine(n, kernel, checkpoint)
    chosen, way = (choose_listed if unique else choose)(n, algorithm)
    by_engine = is_engine(chosen, way)
    warn_uncompiled(chosen, algorithm)
    if not by_engine:
        chosen.no_choices({"cluster": cluster, "checkpoint": checkpoint}, f" in {way}")
    reject_combinations(cluster, checkpoint, None if is_device(kernel) else kernel, jobs)
    if is_device(kernel) and jobs is not None:
        raise InvalidValueError("--jobs is not supported with --device: a card has one thread")
    saved: Checkpoint | None = None
    predicted, announced = None, False
    run = partial(chosen.count, implementation=way, jobs=jobs, kernel=kernel)
    by_solutions = unique and chosen.name not in ENGINES
    if by_solutions:
        chosen.no_choices({"kernel": kernel})
        if jobs not in (None, 1):
            raise InvalidValueError(f"--jobs must be 1 with --unique for {chosen.name}, not {jobs}")
        run = partial(chosen.unique, implementation=way)
    if not by_engine:
        from nqbench.problems.forecast import orbits_size, predict_search

        predicted = predict_search(chosen, n, run)
        announced = allow(predicted, yes, orbits_size(n) if by_solutions else 0.0)
    elif checkpoint is not None or n > QUICK_N:
        from nqbench.problems.forecast import predict_engine

        unknown = cluster is not None or is_device(kernel)
        predicted = None if unknown else predict_engine(n, kernel, jobs, chosen.name)
        saved, announced = open_checkpoint(n, predicted, yes, checkpoint, kernel, jobs, chosen.name)
    if is_outside(chosen) and "program" in vars(chosen):
        say(f"it {chosen.form_in_words}")
    start = perf_counter()
    if cluster is not None:
        found, workers = count_on_cluster(cluster, n, chosen.name, saved, kernel)
    else:
        found, start = count_with_progress(chosen, n, way, jobs, kernel, saved, predicted,
                                           announced, run)
        workers = count_threads(chosen, n, way, jobs, kernel)
    if saved is not None:
        from nqbench.checking.verification import find_contradictions

        for contradiction in find_contradictions(n, found):
            raise MiscountError(contradiction)
        if not checkpoint:
            saved.path.unlink(missing_ok=True)
    if by is not None or (unique and not by_solutions):
        from nqbench.search.variants import Symmetry

        kinds = Symmetry.of(n, found)
        if by is not None:
            print_symmetry(n, kinds.rows(), as_json)
            return
        found = kinds.fundamental
    tell_count(chosen, n, found, {
        "implementation": way, "unique": unique, "jobs": workers,
        "kernel": kernel or (engine.kernels()[0] if by_engine and cluster is None else None),
        "seconds": perf_counter() - start}, as_json)


def warn_uncompiled(chosen: Algorithm[Any, Any], asked: str | None) -> None:
    """Say that a search runs in Python because its core is missing, unless that was asked for."""
    if chosen.uncompiled and not (asked or "").endswith("@python"):
        say(IN_PYTHON)


def tell_count(algorithm: QueensAlgorithm, n: int, found: int, facts: dict[str, Any],
               as_json: bool) -> None:
    """Print a count, with facts about it; exit with status 1 if an outside algorithm is wrong."""
    shortfall = describe_shortfall(algorithm, n, found, facts["unique"])
    if shortfall:
        say(shortfall)
    if as_json:
        emit({"n": n, "algorithm": algorithm.name, "solutions": found, "complete": not shortfall,
              **facts})
    else:
        echo(found)
    sys.exit(1 if shortfall and algorithm.exhaustive else 0)


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


def count_threads(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None,
                  kernel: str | None) -> int:
    """Return how many threads count."""
    if is_device(kernel):
        return len(find_devices(kernel or ""))
    if is_engine(algorithm, way):
        parts = Division.new(n, choose_kernel(kernel), algorithm=algorithm.name).parts
        return 1 if n <= QUICK_N else min(jobs or engine.cores(), parts)
    return 1 if algorithm.finds == PART else min(jobs or 1, max(n, 1))


def describe_shortfall(algorithm: QueensAlgorithm, n: int, found: int, unique: bool) -> str | None:
    """Return why a count is not that of all solutions, or how that of an outside algorithm differs
    from the published one; None if it does not.
    """
    if algorithm.exhaustive and not is_outside(algorithm):
        return None
    if algorithm.finds == PART:
        depth = algorithm.parameters.get("depth")
        if not is_outside(algorithm) and (depth is None or depth >= n):
            return None
        deep = "" if depth is None else f" of {depth} {plural(depth, 'queen')}"
        return f"{found:,} partial {plural(found, 'placement')}{deep}, not solutions"
    from nqbench.problems.published import published

    sequence = "A002562" if unique else "A000170"
    if algorithm.exhaustive:
        return describe_wrong(algorithm, n, found, sequence)
    known = published(sequence).get(n)
    return None if found == known else (
        f"{found:,}{' found' if known is None else f' of {known:,}'}, incomplete search")


def open_checkpoint(n: int, predicted: float | None = None, yes: bool = False,
                    path: str | None = None, kernel: str | None = None, jobs: int | None = None,
                    algorithm: str = "cross") -> tuple[Checkpoint | None, bool]:
    """Announce a count, and open its checkpoint: `path`, or by default one of `default_paths`.

    An existing file is read first, so its faults are reported before the count is announced, and
    only the rest of an interrupted count is. A new file is written only after that, by default
    only for a count of over a minute. `predicted` are the seconds of the whole count.

    Return the checkpoint, None if there is none, and whether the count was announced.

    Raises
    ------
    InvalidValueError
        if `path` does not fit this count, or the count takes too long; see `allow`.
    """
    from nqbench.problems.forecast import SURELY_SHORT, predict_engine

    division = Division.new(n, choose_kernel(kernel), algorithm=algorithm)
    defaults = default_paths(division) if n > SURELY_SHORT else []
    paths = defaults if path is None else [Path(path)]
    existing = [each for each in paths if each.exists()]
    refused: list[str] = []
    checkpoint = None
    if path is None:
        checkpoint = open_first(existing, division, refused)
    elif existing:
        checkpoint = Checkpoint(path, division, say)
    try:
        announced = allow(predicted and predicted * share_left(checkpoint), yes)
    except InvalidValueError:
        if checkpoint:
            checkpoint.close()
        raise
    counted = checkpoint.count_parts() if checkpoint else 0
    if path is not None:
        checkpoint = checkpoint or Checkpoint(path, division, say)
    elif checkpoint is None:
        if n <= SURELY_SHORT or predict_engine(n, kernel, jobs, algorithm) < SAVED:
            return None, announced
        checkpoint = open_first([each for each in paths if each not in existing], division, refused)
    for line in refused:
        say(line)
    if counted and checkpoint:
        say(f"resuming {checkpoint.path}: {counted:,} of {division.parts:,} parts are counted")
    elif path is None:
        say(f"progress is saved in {checkpoint.path}" if checkpoint else "progress is not saved")
    return checkpoint, announced


def default_paths(division: Division) -> list[Path]:
    """Return the files in which a long count may save its progress by default.

    An interrupted count resumes from its file, even if it is short. A file that another process
    uses, that another version or engine wrote, or that cannot be read stays unchanged; the next
    name is tried: count-N.checkpoint, count-N-2.checkpoint, and so on.
    """
    try:
        folder = find_user_folder("state")
    except OSError:  # nowhere
        return []
    return [folder / f"count-{division.n}{suffix}.checkpoint"
            for suffix in ("", *(f"-{number}" for number in range(2, MOST_CHECKPOINTS + 1)))]


def open_first(paths: Iterable[Path], division: Division, refused: list[str]) -> Checkpoint | None:
    """Open the first checkpoint that can be opened; append to `refused` why others cannot."""
    for path in paths:
        new = not path.exists()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return Checkpoint(path, division, say)
        except InvalidValueError as error:
            refused.append(f"{error}; the file is left unchanged")
        except OSError as error:
            refused.append(f"{error.filename} cannot be opened ({error.strerror})")
            if new:  # no other name will work
                break
    return None


def share_left(checkpoint: Checkpoint | None) -> float:
    """Return the share of the parts that are not counted yet."""
    if checkpoint is None or not checkpoint.division.parts:
        return 1.0
    return 1 - checkpoint.count_parts() / checkpoint.division.parts


def describe_progress(share: float, found: int, checkpoint: Checkpoint | None,
                      saves: bool = True) -> str:
    """Return the message for an interrupted count. `saves` says whether its progress can be saved.

    >>> describe_progress(0.25, 1000, None, saves=False)
    '25.0% of the parts counted, 1,000 solutions so far; progress is not saved'
    """
    saved = "progress is not saved"
    if checkpoint:
        saved = f"progress is saved in {checkpoint.path}: run the same command to resume"
    elif saves:
        saved += ("; --checkpoint FILE saves it, which is the default only for counts of over a "
                  "minute")
    return f"{share:.1%} of the parts counted, {found:,} solutions so far; {saved}"


def watch(what: str, counting: Iterator[tuple[float, int]], saved: Checkpoint | None,
          announced: bool, saves: bool = True) -> int:
    """Show the progress of a count, also at an interrupt, and return the solutions at its end.

    `saves` says whether progress can be saved.
    """
    share, found = 0.0, 0
    try:
        with progress(1.0, announced) as show:
            for share, found in counting:
                show(f"{what}: {found:,} solutions so far", share)
    except (KeyboardInterrupt, LostError):
        say(describe_progress(share, found, saved, saves))
        raise
    return found


def count_on_cluster(address: str, n: int, algorithm: str, saved: Checkpoint | None,
                     device: str | None) -> tuple[int, int]:
    """Count by an engine on a cluster, which is for work of days; return the solutions, and the
    number of workers at the beginning. A local cluster has a worker for each device.
    """
    from nqbench.engine.cluster import cluster
    from nqbench.engine.tasks import counting_on
    from nqbench.problems.forecast import predict_engine

    what = f"{n} queens on {address}"
    if device and address == "local":
        address = f"local:{len(find_devices(device))}"
    with cluster(address, say) as (executor, workers):
        at_start = workers()
        seconds = predict_engine(n, jobs=1, name=algorithm) / max(at_start, 1)
        announced = allow(seconds * share_left(saved), yes=True)
        counting = counting_on(executor, n, workers, saved, say, algorithm=algorithm, device=device)
        return watch(what, counting, saved, announced), at_start


def count_with_progress(algorithm: QueensAlgorithm, n: int, way: str, jobs: int | None,
                        kernel: str | None, checkpoint: Checkpoint | None,
                        predicted: float | None, announced: bool,
                        run: Callable[[int], int]) -> tuple[int, float]:
    """Count, with a progress bar for a long count; return the solutions and the start time.

    The bar does not change the work. With one thread `run` calls the bare build, which a study
    times, and the bar goes by the predicted time. The engine and threads report their progress,
    which is printed at an interrupt.
    """
    what = f"{n} queens, {algorithm.name}"
    if algorithm.name not in ENGINES and jobs in (None, 1):
        with waiting(what, predicted, announced):
            start = perf_counter()
            return run(n), start
    choices = ({"checkpoint": checkpoint, "say": say}
               if checkpoint is not None or is_device(kernel) else {})
    start = perf_counter()
    counting = algorithm.counting(n, way, jobs, kernel=kernel, **choices)
    return watch(what, counting, checkpoint, announced, is_engine(algorithm, way)), start


def print_symmetry(n: int, rows: Sequence[tuple[str, int, str]], as_json: bool) -> None:
    """Print the number of solutions of each symmetry."""
    if as_json:
        emit({"n": n, **{name: value for name, value, _ in rows}})
    else:
        table(f"symmetry of the solutions, n = {n}", ["", "number", "OEIS"],
              [[name.replace("_", " "), f"{value:,}", oeis] for name, value, oeis in rows],
              numeric=["number"])
