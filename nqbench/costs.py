"""Predict how many seconds a search will take, and how much memory.

Short runs for small n are timed here. From there, the cost grows like the search tree if the growth
of the tree is known: that of the plain tree is published (OEIS A319283), and is used for all
searches that backtrack. The growth of other searches is that of the short runs.
"""

from collections.abc import Callable
from math import exp, log, perm
from sys import float_info
from time import perf_counter

from nqbench.algorithms import PART, QueensAlgorithm, Search, Tree
from nqbench.algorithms.base import ONE
from nqbench.api import growth
from nqbench.forecast import Forecast
from nqbench.reference import published

SHORT_N = 6  # up to here every search takes a moment
MIN_SAMPLE_SECONDS = 0.005  # seconds that a run must take to be used for a prediction
GROWTH_WINDOW = 4  # rows over which the growth of the runs is measured
MAX_LOG_GROWTH = 600.0  # logarithm of a growth that counts as infinite
PLACEMENT = 120  # bytes of a placement that is kept, and 8 more for each row
NODE = 400  # bytes of a node of a drawn tree, 200 more for each queen and 8 for each row


def predict_seconds(algorithm: QueensAlgorithm, n: int,
                    run: Callable[[int], object]) -> float | None:
    """Predict the seconds of run(n), a search of this algorithm for all placements; None if that
    is not possible, as for a search for one solution.

    It calls run(m) for smaller m until a run takes some milliseconds.

    >>> from nqbench.algorithms import find
    >>> bitmask = find("bitmask")
    >>> 1.0 < predict_seconds(bitmask, 14, bitmask.count) < 10_000
    True
    >>> predict_seconds(find("a_star"), 14, print) is None
    True
    """
    if algorithm.finds == ONE:
        return None
    measured: dict[int, float] = {}
    for m in range(SHORT_N - GROWTH_WINDOW, n if n > SHORT_N else 0):
        measured[m] = _measure_seconds(run, m)
        if measured[m] > MIN_SAMPLE_SECONDS / 50:
            measured[m] = min(measured[m], _measure_seconds(run, m))  # the machine may be busy
        if m >= SHORT_N - 1 and measured[m] > MIN_SAMPLE_SECONDS:
            return extrapolate(algorithm, measured, n)
    return 0.0


def _measure_seconds(run: Callable[[int], object], m: int) -> float:
    start = perf_counter()
    run(m)
    return perf_counter() - start


def extrapolate(algorithm: QueensAlgorithm, measured: dict[int, float], n: int) -> float:
    """Predict the seconds of a search for n, from those of all smaller sizes up to the largest.

    >>> from nqbench.algorithms import find
    >>> extrapolate(find("recursive"), {7: 0.1, 8: 0.4}, 12) == 0.4 * growth("A319283", 8, 12)
    True
    >>> half = {m: 2.0 ** m for m in range(4, 9)}
    >>> round(extrapolate(find("width_limited:3"), half, 20))
    1048576
    """
    m = max(measured)
    if algorithm.finds == PART:
        depth = algorithm.value if isinstance(algorithm, Search) else None
        return measured[m] * nodes(n, depth) / nodes(m, depth) * (n / m)  # rows of a node
    if not algorithm.exhaustive:
        rate = (measured[m] / measured[m - GROWTH_WINDOW]) ** (1 / GROWTH_WINDOW)
        return measured[m] * exp(min((n - m) * log(rate), MAX_LOG_GROWTH))
    if algorithm.tree != Tree.NONE:
        return measured[m] * growth("A319283", m, n)
    forecast = Forecast()
    for size, value in measured.items():
        forecast.add(algorithm.name, size, value)
    return forecast.predict(algorithm.name, n)


def solutions(n: int) -> float:
    """Return the approximate number of solutions for n.

    >>> solutions(8), solutions(10**6)
    (92.0, inf)
    """
    return 92 * growth("A000170", 8, n)


def nodes(n: int, depth: int | None = None) -> float:
    """Return the approximate number of nodes of the plain tree, down to `depth` queens.

    >>> nodes(8), nodes(8, 2), nodes(20, 2)
    (2057.0, 51.0, 401.0)
    """
    whole = 2057 * growth("A319283", 8, n)
    if depth is None or depth >= n:
        return whole
    levels = published("A319284").get(n)
    if levels is not None:
        return float(sum(levels[:depth + 1]))
    bound = 0  # a whole number, which may exceed any float
    for k in range(depth + 1):
        bound += perm(n, k)
        if bound > min(whole, float_info.max):
            return whole
    return float(bound)


def orbits_size(n: int) -> float:
    """Return the approximate number of bytes that one placement of each orbit takes.

    >>> 10**4 < orbits_size(11) < 10**5
    True
    """
    return solutions(n) / 8 * (PLACEMENT + 8 * n)


def tree_size(n: int, depth: int) -> float:
    """Return the approximate number of bytes of a drawing of the plain tree, cut below `depth`
    queens.

    >>> tree_size(8, 2) < 10**6 < tree_size(12, 12)
    True
    """
    return nodes(n, depth) * (NODE + 200 * min(depth, n) + 8 * n)
