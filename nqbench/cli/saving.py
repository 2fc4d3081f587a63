"""Open the file in which a count saves its progress, and resume from it."""

from collections.abc import Iterable
from pathlib import Path

from nqbench._files import find_user_folder
from nqbench.cli.shared import allow, say
from nqbench.engine import Checkpoint, Division
from nqbench.engine.processor import LEVELS, choose_kernel
from nqbench.errors import InvalidValueError
from nqbench.forecast import SURELY_SHORT, predict_engine

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
    name is tried: count-N.checkpoint, count-N-2.checkpoint, and so on; for levels levels-N.
    """
    if division.n <= SURELY_SHORT:
        return []
    try:
        folder = find_user_folder("state")
    except OSError:  # nowhere
        return []
    name = "levels" if division.algorithm in LEVELS else "count"
    return [folder / f"{name}-{division.n}{suffix}.checkpoint"
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
