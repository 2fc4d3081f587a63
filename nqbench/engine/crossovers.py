"""Choose the engine that counts n queens faster: the cross for small n, the join for large ones.

Which one is faster depends on the kernel. crossovers.json has the measured ratios of the process
times of one core, cross / join: for each n the median, the least and the greatest. So a count
measures nothing, whatever else the machine does. Only for a kernel without an entry both engines
are timed for a small n. Its ratios are assumed to grow with n like those of `ALIKE`.
`python tools/crossovers.py` measures the entries of this machine again.
"""

import json
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from nqbench.engine import processor
from nqbench.engine.devices import is_device
from nqbench.engine.division import LARGEST_N
from nqbench.engine.threads import count

ENTRIES: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_suffix(".json").read_text("utf-8"))
ALIKE = "sse4"  # has vectors of 128 bits, like neon
TIMED_N = 14  # takes milliseconds, without a thread
ROUNDS = 5


def choose_engine(n: int, kernel: str | None = None) -> str:
    """Return the engine, cross or join, that is predicted to count n queens faster.

    Raises
    ------
    ValueError
        if the kernel cannot be run here.

    Examples
    --------
    >>> choose_engine(8), choose_engine(24)
    ('cross', 'join')
    """
    chosen = processor.choose_kernel(kernel)
    if is_device(chosen):
        return "join"
    known = ENTRIES.get(chosen, ENTRIES[ALIKE])["ratios"]
    if f"{n}" not in known:
        return "join" if max(map(int, known)) < n <= LARGEST_N else "cross"
    ratio = known[f"{n}"][0]
    if chosen not in ENTRIES:
        ratio *= _ratio(chosen) / known[f"{TIMED_N}"][0]
    return "join" if ratio > 1 else "cross"


@cache
def _ratio(kernel: str) -> float:
    """Return the ratio of the least times of both engines, which take turns."""
    rounds = [time_engines(TIMED_N, kernel) for _ in range(ROUNDS)]
    return min(cross for cross, _ in rounds) / min(join for _, join in rounds)


def time_engines(n: int, kernel: str) -> tuple[float, float]:
    """Return the seconds of process time that one thread takes for n queens, by the cross and the
    join.
    """
    start = process_time()
    count(n, kernel, jobs=1)
    between = process_time()
    count(n, kernel, jobs=1, algorithm="join")
    return between - start, process_time() - between
