"""Count the placements of k queens on k adjacent rows, for every k: the levels of the plain tree.

The same numbers come from two searches: `outwards` adds rows above and below a middle block,
`downwards` row by row. See docs/sequences.md.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path

from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint
from nqbench.engine.division import Division
from nqbench.engine.tasks import PATIENCE, entering_answers
from nqbench.engine.threads import LEAST_CAPACITY, QUICK_N, entering_counts
from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_text, require_whole

ROWS = processor.LEVELS


def count_levels(n: int, kernel: str | None = None, jobs: int | None = None,
                 rows: str = ROWS[0]) -> list[int]:
    """Return the number of placements of k queens on k adjacent rows of n columns, for k = 0 to n.

    This is the profile of the plain backtrack tree (OEIS A319284).

    Parameters
    ----------
    n
        number of columns, from 0 to 31.
    kernel
        one of `kernels`. Default: the fastest.
    jobs
        threads. Default: one for each core.
    rows
        order of the rows, "outwards" or "downwards"; the result is the same.

    Returns
    -------
    list of int
        n + 1 numbers.

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed, or the engine is not compiled.

    Examples
    --------
    >>> count_levels(8)
    [1, 8, 42, 140, 344, 568, 550, 312, 92]
    >>> sum(count_levels(12, rows="downwards"))
    856189
    """
    _, levels = deque(counting_levels(n, kernel, jobs, rows), maxlen=1).pop()
    return levels


def counting_levels(n: int, kernel: str | None = None, jobs: int | None = None,
                    rows: str = ROWS[0], split: int | None = None, capacity: int | None = None,
                    checkpoint: str | Path | Checkpoint | None = None,
                    say: Callable[[str], None] = lambda line: None,
                    ) -> Iterator[tuple[float, list[int]]]:
    """Count, and yield (share of the parts done, levels so far) ten times a second and at the end;
    see `count_levels` and `nqbench.engine.counting`.

    `split`, the rows of a prefix, and `capacity`, the states that wait on a level, do not change
    the result.

    Raises
    ------
    TypeError, ValueError
        as in `count_levels`, or if the checkpoint belongs to another count, version or process.
    OSError
        if the checkpoint cannot be read or written.
    """
    chosen = processor.choose_kernel(kernel)
    if capacity is not None:
        capacity = require_whole(capacity, "capacity", least=LEAST_CAPACITY)
    division = divide_levels(n, chosen, rows, split)
    threads = processor.choose_threads(jobs)
    for ledger in entering_counts(division, chosen, threads, capacity, checkpoint, say,
                                  alone=division.n <= QUICK_N):
        yield ledger.share, ledger.levels


def counting_levels_on(executor: Executor, n: int, workers: int | Callable[[], int],
                       checkpoint: str | Path | Checkpoint | None = None,
                       say: Callable[[str], None] = lambda line: None,
                       patience: float = PATIENCE,
                       rows: str = ROWS[0]) -> Iterator[tuple[float, list[int]]]:
    """Count on an executor; yield (share of the parts done, levels so far) after each answer.

    See `nqbench.engine.counting_on`, also for the errors.
    """
    division = divide_levels(n, processor.choose_kernel(), rows)
    for ledger in entering_answers(executor, division, workers, checkpoint, say, patience):
        yield ledger.share, ledger.levels


def divide_levels(n: int, kernel: str, rows: str = ROWS[0], split: int | None = None) -> Division:
    """Return how the count of the levels is divided.

    Raises
    ------
    TypeError, ValueError
        if an argument is not allowed.
    """
    if require_text(rows, "rows") not in ROWS:
        raise InvalidValueError(f"rows must be {' or '.join(ROWS)}, not {rows!r}")
    return Division.new(n, kernel, split, algorithm=rows)
