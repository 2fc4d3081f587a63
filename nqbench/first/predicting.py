"""Predict the nodes of the pruned search for a first solution.

The search ends at the first solution, so its nodes cannot be sampled before this is known. But they
grow with n, more or less by a constant factor, with even and odd n apart.
"""

from collections.abc import Mapping
from math import exp, log, sqrt
from statistics import fmean, linear_regression
from time import thread_time

from nqbench.engine.planning import student_quantile
from nqbench.engine.processor import choose_kernel
from nqbench.errors import InvalidValueError
from nqbench.first.plain import free_columns
from nqbench.first.pruned import LIMIT, find_core, require_size

SIZES = 8  # of the same parity


def predict_nodes(n: int, known: Mapping[int, int]) -> tuple[float, float, float]:
    """Predict the nodes for n, with the ends of the 95 % prediction interval.

    Draw a straight line through the logarithms of the nodes of the 8 largest known sizes of the
    same parity, and expect that n is as far from it as these are (Student's t).

    Parameters
    ----------
    known
        nodes by the size of the board.

    Raises
    ------
    TypeError, ValueError
        if n is not larger than these sizes, or too large for the search, or if fewer than 8 sizes
        of its parity are known.

    Examples
    --------
    >>> nodes = {1: 1, 3: 11, 5: 99, 7: 1_010, 9: 9_900, 11: 101_000, 13: 990_000, 15: 10_100_000}
    >>> [f"{figure:.2g}" for figure in predict_nodes(17, nodes)]
    ['9.9e+07', '8.9e+07', '1.1e+08']
    """
    n = require_size(n)
    sizes = sorted(size for size in known if size % 2 == n % 2)[-SIZES:]
    if len(sizes) < SIZES or n <= sizes[-1]:
        raise InvalidValueError(f"the nodes for n = {n} cannot be predicted from those for n = "
                                f"{', '.join(map(str, sizes)) or 'none'}")
    logs = [log(known[size]) for size in sizes]
    slope, start = linear_regression(sizes, logs)
    mean = fmean(sizes)
    spread = sum((size - mean) ** 2 for size in sizes)
    wrong = sum((value - start - slope * size) ** 2
                for size, value in zip(sizes, logs, strict=True))
    error = sqrt(wrong / (SIZES - 2) * (1 + 1 / SIZES + (n - mean) ** 2 / spread))
    middle, margin = start + slope * n, student_quantile(SIZES - 2) * error
    return exp(middle), exp(middle - margin), exp(middle + margin)


def measure_rate(n: int, kernel: str | None, seconds: float) -> float:
    """Return the nodes per second of one core, by default with the fastest kernel, for prefixes of
    the greedy placement. Each is searched in as many nodes as in `nqbench first`.

    Raises
    ------
    ValueError
        if the compiled core is missing, or the kernel is unknown.
    """
    core, kernel = find_core(), choose_kernel(kernel)
    prefixes: list[tuple[int, ...]] = [()]
    while free := free_columns(n, prefixes[-1]):
        prefixes.append((*prefixes[-1], free[0]))
    nodes, start = 0, thread_time()
    while (taken := thread_time() - start) < seconds or not nodes:
        for prefix in prefixes:
            nodes += core.decide(n, [prefix], LIMIT, 1, kernel)[0][1]
    return nodes / taken
