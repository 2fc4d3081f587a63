"""Count the placements of k queens on k adjacent rows, for every k: the levels of the plain tree.

The same numbers come from two searches: `outwards` adds rows above and below a middle block,
`downwards` row by row. See docs/sequences.md.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import cache
from pathlib import Path
from time import perf_counter

from nqbench._arguments import require_text, require_whole
from nqbench.engine import processor
from nqbench.engine.checkpoint import Checkpoint
from nqbench.engine.dividing import Division
from nqbench.engine.executing import PATIENCE, entering_answers
from nqbench.engine.threads import LEAST_CAPACITY, QUICK_N, entering_counts
from nqbench.errors import InvalidValueError

ROWS = processor.LEVELS
MEASURED_N = 14  # takes milliseconds
MEASURED_NODES = 27_358_553
# A319283 beyond MEASURED_N, and then its growth: each ratio is so much larger than the one before.
NODES = {15: 171_129_072, 16: 1_141_190_303, 17: 8_017_021_932, 18: 59_365_844_491,
         19: 461_939_618_824}
GROWTH, STEP = 8.16, 0.38


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


def predict_level_seconds(n: int, kernel: str | None = None, jobs: int | None = None,
                          rows: str = ROWS[0]) -> float:
    """Predict the seconds that `count_levels` takes, within a factor of two.

    Raises
    ------
    TypeError, ValueError
        if n, jobs or kernel is not allowed.

    Examples
    --------
    >>> predict_level_seconds(22) > predict_level_seconds(18) > 0
    True
    """
    threads = min(processor.choose_threads(jobs), processor.cores())
    rate = MEASURED_NODES / _measure(processor.choose_kernel(kernel), rows)
    return predict_nodes(require_whole(n)) / rate / threads


def predict_nodes(n: int) -> float:
    """Return the number of nodes of all levels, extrapolated beyond n = 19.

    >>> predict_nodes(19), round(predict_nodes(20) / 1e12, 1)
    (461939618824.0, 3.8)
    """
    nodes = float(NODES.get(min(n, max(NODES)), MEASURED_NODES))
    ratio = GROWTH
    for _ in range(max(NODES), n):
        nodes *= ratio
        ratio += STEP
    return nodes


@cache
def _measure(kernel: str, rows: str) -> float:
    """Return the seconds that one thread takes for MEASURED_N queens, the better of two times."""
    def time() -> float:
        start = perf_counter()
        count_levels(MEASURED_N, kernel, 1, rows)
        return perf_counter() - start

    return min(time(), time())
