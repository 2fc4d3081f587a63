"""Choose the engine that is predicted to be faster: the cross for small n, the join for large."""

from functools import cache
from math import inf
from time import perf_counter

from nqbench.engine import processor
from nqbench.engine.dividing import LARGEST_N
from nqbench.engine.threads import count

MEASURED_N = 14  # takes milliseconds
# How many times as long as for MEASURED_N a count takes, measured on one core with AVX-512 and
# AVX2, which differ by a tenth; with SSE4 the join grows by up to a sixth more. Other n need no
# measurement: up to 15 the cross is faster wherever it has vectors, and from 18 on the join is 2.5
# times as fast or more everywhere.
GROWTH = {16: {"cross": 37, "join": 11}, 17: {"cross": 280, "join": 87}}
ROUNDS = 5  # of a measurement, in turns: the machine may be busy
LARGEST_CROSS = {"portable": 13}  # else 15


def choose_engine(n: int, kernel: str | None = None) -> str:
    """Return the engine, cross or join, that is predicted to count n queens faster here.

    For 16 and 17 queens this measures both for some milliseconds, once in a process.

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
    if n <= LARGEST_CROSS.get(chosen, min(GROWTH) - 1) or n > LARGEST_N:
        return "cross"
    if n not in GROWTH or chosen in LARGEST_CROSS:
        return "join"
    seconds = _measure(chosen)
    return min(GROWTH[n], key=lambda engine: GROWTH[n][engine] * seconds[engine])


@cache
def _measure(kernel: str) -> dict[str, float]:
    """Return the least seconds that one thread takes by each engine for MEASURED_N queens."""
    least = dict.fromkeys(processor.ENGINES, inf)
    for engine in list(least) * ROUNDS:
        start = perf_counter()
        count(MEASURED_N, kernel, jobs=1, algorithm=engine)
        least[engine] = min(least[engine], perf_counter() - start)
    return least
