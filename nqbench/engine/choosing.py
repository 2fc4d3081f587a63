"""Choose the engine that is predicted to be faster: the cross for small n, the join for large."""

from nqbench.engine import processor
from nqbench.engine.dividing import LARGEST_N

# Where one core takes less process time by the join (docs/engine.md). A measurement before a
# count depends on what else runs then.
LARGEST_CROSS = {"portable": 13, "avx512": 17}
OTHERS = 15  # with AVX2 or vectors of 128 bits


def choose_engine(n: int, kernel: str | None = None) -> str:
    """Return the engine, cross or join, that is predicted to count n queens faster.

    The choice depends on n and the kernel only, not on the load of the machine.

    Raises
    ------
    ValueError
        if the kernel cannot be run here.

    Examples
    --------
    >>> choose_engine(8), choose_engine(24)
    ('cross', 'join')
    """
    largest = LARGEST_CROSS.get(processor.choose_kernel(kernel), OTHERS)
    return "cross" if n <= largest or n > LARGEST_N else "join"
