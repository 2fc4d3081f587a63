"""Choose the engine that is predicted to be faster: the cross for small n, the join for large."""

from functools import cache
from time import perf_counter

from nqbench.engine import processor
from nqbench.engine.dividing import LARGEST_N
from nqbench.engine.threads import count

MEASURED_N = 14  # takes milliseconds
# How many times as long as for MEASURED_N a count takes, measured on one core with AVX-512 and
# AVX2, which differ by a tenth; with SSE4 the join grows up to a third more. Other n need no
# measurement: up to 15 the cross is faster wherever it has vectors, and from 19 on the join is
# several times faster everywhere.
GROWTH = {16: {"cross": 37, "join": 11}, 17: {"cross": 280, "join": 87},
          18: {"cross": 2_100, "join": 240}}
LARGEST_CROSS = {"portable": 13}  # else 15


def choose_engine(n: int, kernel: str | None = None) -> str:
    """Return the engine, cross or join, that is predicted to count n queens faster here.

    For 16 to 18 queens this measures both for some milliseconds, once in a process.

    Raises
    ------
    ValueError
        if the kernel cannot be run here.

    >>> choose_engine(8), choose_engine(24)
    ('cross', 'join')
    """
    chosen = processor.choose_kernel(kernel)
    if n <= LARGEST_CROSS.get(chosen, min(GROWTH) - 1) or n > LARGEST_N:
        return "cross"
    if n not in GROWTH or chosen in LARGEST_CROSS:
        return "join"
    return min(GROWTH[n], key=lambda engine: GROWTH[n][engine] * _measure(engine, chosen))


@cache
def _measure(engine: str, kernel: str) -> float:
    """Return the seconds that one thread takes for MEASURED_N queens, the better of two times."""
    def time() -> float:
        start = perf_counter()
        count(MEASURED_N, kernel, jobs=1, algorithm=engine)
        return perf_counter() - start

    return min(time(), time())
