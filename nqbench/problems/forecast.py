"""How long will a search take here, how much memory, and why do we think so?

The trees grow with n, by a factor that itself grows. So what was measured for small n tells about
larger ones, the better the more is known of the growth:

- `Forecast` knows only what smaller n took. A search grows like the plain tree, unless it was seen
  to grow faster. The factor may alternate between even and odd n, as it does if a mirror is used,
  so growth is measured over two rows. From cost(m), with T(n) nodes of the plain tree:

      cost(n) = cost(m) x T(n) / T(m) x a margin x excess^(n-m),
      excess^2 = cost(m) / cost(m-2) x T(m-2) / T(m), at least 1

- `predict_search` makes short runs first. The growth of the plain tree is published (A319283), and
  is used for all searches that backtrack; that of other searches is the growth of their runs.
- `predict_engine` times an engine for one small n. It grows like what it counts, Q(n) or the plain
  tree, at a cost for each that was measured.

The sample of a plan is another question: `nqbench.engine.plans`.
"""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from functools import cache, partial
from math import exp, inf, log, perm
from sys import float_info
from time import perf_counter

from nqbench import engine
from nqbench.engine import processor
from nqbench.errors import InvalidValueError
from nqbench.problems.published import published
from nqbench.problems.queens import PART, QueensAlgorithm, Tree
from nqbench.problems.queens.base import ONE
from nqbench.util import cores
from nqbench.util.arguments import require_whole
from nqbench.util.clocks import sample

MARGIN = 1.3    # of a prediction: the times vary
UNKNOWN = 10.0  # growth assumed while fewer than three sizes are known
HUGE = 1e100    # seconds; anything longer counts as infinite
SHORT_N = 6  # up to here every search takes a moment
MIN_SAMPLE_SECONDS = 0.005  # seconds that a run must take to be used for a prediction
LONG_SAMPLE_SECONDS = 0.1  # that of a search whose growth is not known must take
ROUGH_SAMPLE_SECONDS = 0.03  # the same, if only the largest n is asked for
RUNS_SECONDS = 0.5  # seconds for such runs in all; a program may take long to start
GROWTH_WINDOW = 4  # rows over which the growth of the runs is measured
MAX_LOG_GROWTH = 600.0  # logarithm of a growth that counts as infinite
LARGE = 30  # a search for the first solution may take long for larger n
PLACEMENT = 120  # bytes of a placement that is kept, and 8 more for each row

SURELY_SHORT = 16  # no kernel needs a minute up to here, on any machine
# The n that takes milliseconds.
TIMED = {"cross": 15, "join": 16}
CHEAPER = 0.93  # of the time of the cross for a solution, from one n to the next
JOIN_COST = {17: 0.9, 18: 0.5, 19: 0.4, 20: 0.25, 21: 0.25}  # of a solution, against 16
LEAST_JOIN_COST = 0.2
NEXT = 11.0  # Q(n+1) / Q(n) beyond what is published


class Forecast(dict[Hashable, dict[int, float]]):
    """Measured costs by key and n, and the prediction for the next n.

    Examples
    --------
    >>> forecast = Forecast()
    >>> forecast.predict("bitmask", 7)  # nothing known
    0.0
    >>> for n, seconds in [(9, 0.2), (10, 0.9), (11, 4.5)]:
    ...     forecast.add("bitmask", n, seconds)
    >>> round(forecast.predict("bitmask", 12), 1)
    31.9
    >>> forecast.predict("bitmask", 13) > 100
    True
    """

    def add(self, key: Hashable, n: int, seconds: float) -> None:
        """Record the cost of size n."""
        self.setdefault(key, {})[n] = seconds

    def predict(self, key: Hashable, n: int) -> float:
        """Return the seconds that size n will take, 0 if no smaller size is known."""
        return extend(self.get(key, {}), n)


def extend(known: Mapping[int, float], n: int) -> float:
    """Return the cost of size n, given those of some sizes; 0 if no smaller size is known.

    >>> extend({9: 1.0}, 9), extend({9: 1.0}, 10), extend({9: 1.0}, 8)
    (1.0, 10.0, 0.0)
    >>> extend({7: 1.0, 8: 3.7, 9: 15.0}, 10) == 15.0 * growth("A319283", 9, 10) * MARGIN
    True
    """
    costs = {m: cost for m, cost in known.items() if m <= n}
    m = max(costs, default=n)
    if m == n:
        return costs.get(n, 0.0)
    one, two, three = (costs.get(m - k, 0.0) for k in (1, 2, 3))
    with suppress(OverflowError):
        if not (one and two):
            return costs[m] * UNKNOWN ** (n - m)
        excess = max(1.0, costs[m] / two / growth("A319283", m - 2, m)) ** 0.5
        first = max(1.0, (one / two if three else 1.0) / (growth("A319283", m, m + 1) * excess))
        cost = costs[m] * growth("A319283", m, n) * excess ** (n - m) * first * MARGIN
        return cost if cost < HUGE else inf
    return inf


def predict_search(algorithm: QueensAlgorithm, n: int,
                   run: Callable[[int], object]) -> float | None:
    """Predict the seconds of run(n), a search of this algorithm for all placements; None if that is
    not possible, as for a search for one solution.

    It calls run(m) for smaller m until a run takes some milliseconds.

    >>> from nqbench.problems.queens import find
    >>> bitmask = find("bitmask")
    >>> 1.0 < predict_search(bitmask, 14, bitmask.count) < 10_000
    True
    >>> predict_search(find("a_star"), 14, print) is None
    True
    """
    if algorithm.finds == ONE:
        return None
    measured = _measure(run, n if n > SHORT_N else 0, algorithm)
    return extrapolate(algorithm, measured, n) if measured else 0.0


def practical_n(algorithm: QueensAlgorithm, implementation: str = "python",
                seconds: float = 60.0) -> int | None:
    """Return the largest n, up to 30, for which counting all solutions is predicted to take less
    than so many seconds here; None if the algorithm does not count.

    >>> from nqbench.problems.queens import find
    >>> practical_n(find("brute_force"), seconds=1.0) in (5, 6, 7)
    True
    """
    if algorithm.finds == ONE:
        return None
    most = min(LARGE, algorithm.implementations[implementation].largest_n)
    if implementation == "cython" and algorithm.name in processor.ENGINES:
        first, predict = SURELY_SHORT, partial(predict_engine, name=algorithm.name)
    else:
        measured = _measure(partial(algorithm.count, implementation=implementation), most,
                            algorithm, ROUGH_SAMPLE_SECONDS)
        first, predict = max(measured, default=most), partial(extrapolate, algorithm, measured)
    return next((n for n in range(first, most) if predict(n + 1) > seconds), most)


def _measure(run: Callable[[int], object], n: int, algorithm: QueensAlgorithm,
             long: float = LONG_SAMPLE_SECONDS) -> dict[int, float]:
    """Return the seconds of run(m) for small m up to one that takes some milliseconds, more if the
    growth of the search is not known; none if those below n do not. What the smallest takes, such
    as the start of a program, is no part of the search.
    """
    unknown = algorithm.exhaustive and algorithm.tree == Tree.NONE
    enough = long if unknown else MIN_SAMPLE_SECONDS
    measured: dict[int, float] = {}
    start = perf_counter()
    for m in range(SHORT_N - GROWTH_WINDOW, n):
        try:
            measured[m] = _measure_seconds(run, m)
        except Exception:  # a user's function or program may refuse small boards
            if m < SHORT_N:
                continue
            raise
        if MIN_SAMPLE_SECONDS / 50 < measured[m] < LONG_SAMPLE_SECONDS:
            measured[m] = min(measured[m], _measure_seconds(run, m))  # the machine may be busy
        least = min(measured.values()) if unknown else 0.0
        if m >= SHORT_N - 1 and (measured[m] - least > enough or (
                unknown and perf_counter() - start > RUNS_SECONDS)):
            return {size: seconds - least for size, seconds in measured.items()}
    return {}


def _measure_seconds(run: Callable[[int], object], m: int) -> float:
    """Return the processor seconds of run(m), or those that passed if these are fewer."""
    taken = sample(partial(run, m))
    return min(taken.seconds(), taken.wall)


def extrapolate(algorithm: QueensAlgorithm, measured: dict[int, float], n: int) -> float:
    """Predict the seconds of a search for n, from those of all smaller sizes up to the largest.

    >>> from nqbench.problems.queens import find
    >>> extrapolate(find("recursive"), {7: 0.1, 8: 0.4}, 12) == 0.4 * growth("A319283", 8, 12)
    True
    >>> half = {m: 2.0 ** m for m in range(4, 9)}
    >>> round(extrapolate(find("width_limited:3"), half, 20))
    1048576
    """
    m = max(measured)
    if algorithm.finds == PART:
        depth = algorithm.parameters.get("depth")
        return measured[m] * nodes(n, depth) / nodes(m, depth) * (n / m)  # rows of a node
    if not algorithm.exhaustive:
        first = next(size for size in measured if size >= m - GROWTH_WINDOW)
        rate = (measured[m] / measured[first]) ** (1 / (m - first)) if first < m else UNKNOWN
        return measured[m] * exp(min((n - m) * log(rate), MAX_LOG_GROWTH))
    if algorithm.tree != Tree.NONE:
        return measured[m] * growth("A319283", m, n)
    return extend(measured, n)


def predict_engine(n: int, kernel: str | None = None, jobs: int | None = None,
                   name: str = "cross") -> float:
    """Predict the seconds that an engine takes for n queens, within a factor of two; 0 for n up to
    16, which takes a moment.

    Parameters
    ----------
    n
        number of queens, at most `nqbench.engine.LARGEST_N`.
    kernel
        one of `nqbench.engine.kernels`. Default: the fastest, also for a device, whose speed is not
        known without a sample.
    jobs
        threads; more than cores gain nothing. Default: one for each core.
    name
        "cross" or "join".

    Raises
    ------
    TypeError, ValueError
        if n or jobs is not allowed, or the kernel cannot be run here.

    Examples
    --------
    >>> predict_engine(27) > predict_engine(20) > 0
    True
    """
    n = require_whole(n)
    if n > engine.LARGEST_N:
        raise InvalidValueError(f"n must be at most {engine.LARGEST_N} for the engine, not {n}")
    threads = min(cores.choose_threads(jobs), cores.cores())
    if n <= SURELY_SHORT:
        return 0.0
    timed = processor.choose_kernel(None if processor.is_device(kernel) else kernel)
    seconds = _time_engine(name, timed) / threads
    return seconds * growth("A000170", TIMED[name], n) * (
        CHEAPER ** (n - TIMED[name]) if name == "cross" else JOIN_COST.get(n, LEAST_JOIN_COST))


@cache
def _time_engine(name: str, kernel: str) -> float:
    """Return the seconds that one thread takes for a small n, the better of two times."""
    count = partial(engine.count, kernel=kernel, jobs=1, algorithm=name)
    return min(_measure_seconds(count, TIMED[name]) for _ in range(2))


def growth(sequence: str, n: int, m: int) -> float:
    """Return the approximate ratio of the values for m and n of a published, growing sequence;
    infinity if it is too large for a float.

    >>> round(growth("A000170", 8, 12))
    154
    """
    known = published(sequence)
    last = known.first_n + len(known.values) - 1
    with suppress(OverflowError):
        return float(known[min(m, last)] / known[min(n, last)] * NEXT ** (
            max(m, last) - max(n, last)))
    return inf


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
