"""The command `audit`, and the file in which a count saves its progress."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter

import click

from nqbench import engine
from nqbench.cli import options
from nqbench.cli.shared import allow, emit, say
from nqbench.cli.terminal import progress, table
from nqbench.engine import Checkpoint, Division
from nqbench.engine.ledger import Ledger
from nqbench.engine.processor import choose_kernel
from nqbench.errors import InvalidValueError
from nqbench.problems.forecast import SURELY_SHORT, predict_engine
from nqbench.problems.published import published
from nqbench.util.files import find_user_folder

LONG = 60.0  # seconds; a longer count saves its progress
NAMES = 99  # of default checkpoints for an n


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
    division = Division.new(n, choose_kernel(kernel), algorithm=algorithm)
    paths = default_paths(division) if path is None else [Path(path)]
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
        if n <= SURELY_SHORT or predict_engine(n, kernel, jobs, algorithm) < LONG:
            return None, announced
        checkpoint = open_first([each for each in paths if each not in existing], division,
                                refused)
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
    if division.n <= SURELY_SHORT:
        return []
    try:
        folder = find_user_folder("state")
    except OSError:  # nowhere
        return []
    return [folder / f"count-{division.n}{suffix}.checkpoint"
            for suffix in ("", *(f"-{number}" for number in range(2, NAMES + 1)))]


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


def describe_progress(share: float, found: str, checkpoint: Checkpoint | None,
                      saves: bool = True) -> str:
    """Return the message for an interrupted count, given what was found in words. `saves` says
    whether its progress can be saved.

    >>> describe_progress(0.25, "1,000 nodes", None, saves=False)
    '25.0% of the parts counted, 1,000 nodes so far; progress is not saved'
    """
    saved = "progress is not saved"
    if checkpoint:
        saved = f"progress is saved in {checkpoint.path}: run the same command to resume"
    elif saves:
        saved += ("; --checkpoint FILE saves it, which is the default only for counts of over a "
                  "minute")
    return f"{share:.1%} of the parts counted, {found} so far; {saved}"


def find_contradictions(n: int, total: int) -> list[str]:
    """Return a line for each known property of Q(n) that a total contradicts."""
    from nqbench.problems.published.invariants import invariants

    return [f"{total:,} solutions are impossible: {known.name} says {known.expected:,}, not "
            f"{known.found:,}" for known in invariants(n, total) if not known.ok]


def find_contradictions_of(counted: Ledger) -> list[str]:
    """Return a line for what contradicts the counted parts: a known property if all are counted,
    otherwise more than is known of the whole.
    """
    n, found = counted.division.n, counted.solutions
    if counted.done >= counted.division.parts:
        return find_contradictions(n, found)
    most = published("A000170").get(n)
    return [f"{found:,} solutions are impossible: all parts together have {most:,}"] * (
        most is not None and found > most)


@options.command(examples=["nqbench count 18 --checkpoint 18.checkpoint",
                           "nqbench audit 18.checkpoint --sample 100"])
@click.argument("path", metavar="CHECKPOINT", type=click.Path(path_type=Path))
@options.number("--sample", least=1, default=20, metavar="K", help="Number of parts to recount.")
@options.seed(help="Random seed of the sample.")
@options.kernel_or_device(help=f"Choose {options.KERNELS}; {options.DEVICES}. Default: a kernel "
                               "that did not count the parts.")
@options.yes()
@options.json
def audit(path: Path, sample: int, seed: int, kernel: str | None, yes: bool,
          as_json: bool) -> None:
    """Recount random parts of a checkpoint, and compare.

    Use another kernel than the count did. Sum the parts by the number of images of their jobs
    (crosses or choices of rows); the completions of a job are the ways to complete one image,
    and compare a complete count with what is known. The file stays unchanged, and a count that is
    writing to it may continue. The exit status is 1 if something differs.
    """
    counted = engine.read_checkpoint(path, say)
    found = []
    parts = min(sample, counted.done) or 1
    start = perf_counter()
    with progress(parts) as show:
        for recount in engine.audit(path, sample, seed, kernel):
            found.append(recount)
            if len(found) == 1:
                allow((perf_counter() - start) * (parts - 1), yes)
            show(f"part {recount.part}", len(found))
    wrong = [recount for recount in found if not recount.ok]
    contradictions = find_contradictions_of(counted)
    if as_json:
        emit({"checkpoint": str(path), "n": counted.division.n, "parts": counted.division.parts,
              "counted": counted.done,
              "solutions": counted.solutions,
              "by_images": {str(images): {"parts": sums.parts, "completions": sums.completions}
                            for images, sums in counted.by_images.items()},
              "counted_again": len(found), "ok": not wrong and not contradictions,
              "contradictions": contradictions,
              "differ": [{"part": r.part, "kept": r.stored, "again": r.recounted} for r in wrong]})
    else:
        table(f"n = {counted.division.n}: {counted.done:,} of {counted.division.parts:,} parts, "
              f"{counted.solutions:,} solutions", ["images", "parts", "completions", "solutions"],
              [[images, f"{sums.parts:,}", f"{sums.completions:,}",
                f"{images * sums.completions:,}"]
               for images, sums in counted.by_images.items() if sums.parts],
              numeric=["images", "parts", "completions", "solutions"])
    if not as_json:
        print_recounts(found)
    for line in contradictions:
        say(line)
    sys.exit(1 if wrong or contradictions else 0)


def print_recounts(found: Sequence[engine.Recount]) -> None:
    """Print the parts that differ, and how many are the same."""
    wrong = [recount for recount in found if not recount.ok]
    for recount in wrong:
        click.echo(f"part {recount.part}: {recount.stored} in the file, {recount.recounted} "
                   "recounted")
    nothing = bool(found) and all(recount.stored == recount.recounted == 0 for recount in found)
    click.echo(f"{len(found) - len(wrong)} of {len(found)} recounted parts are the same"
               + " (all have 0 completions)" * nothing)
