"""Estimate the size of a search tree from random probes, with a standard error.

Knuth's probe goes down one random path from the root. At a node with d children it takes
one of them, each with probability 1 / d. A node at level k, reached through d_1, d_2, ..., d_k
choices, stands for d_1 d_2 ... d_k nodes of its level: the mean of this product is the true
number, for any tree. So 1 + d_1 + d_1 d_2 + ... estimates all nodes, and at level n
the product estimates the solutions. The standard error follows from the variance of the probes.

Chen's stratified probe goes down with many representatives at once. The nodes of a level
are put into strata by their number of children. Each stratum keeps one representative, chosen
with a probability in proportion to its weight; it gets the weight of the stratum. A probe takes
longer and varies less.

A child is drawn by the upper 32 bits of a random number; the bias is at most one part in 2^26,
far below any error of sampling. Each chunk of probes has its own random numbers, so that the same
seed gives the same estimate on any number of threads.

Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975);
Chen, Heuristic sampling, SIAM Journal on Computing 21 (1992); The Art of Computer Programming
4B, 7.2.2.
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import islice
from math import inf, sqrt
from operator import add
from typing import Any

from nqbench.errors import NOT_COMPILED, InvalidValueError
from nqbench.search.estimates import Estimate, Quantity, require_method
from nqbench.util.arguments import require_whole
from nqbench.util.cores import choose_threads, find_core

LARGEST_N = 64
LARGEST_SEED = (1 << 64) - 1
CHUNK = 1024  # probes with random numbers of their own
# Q(n)^(1/n) / n tends to e^-LAW: Simkin, The number of n-queens configurations (2023); the
# constant by Nobel, Agrawal and Boyd, Computing tighter bounds on the n-queens constant (2022).
LAW = 1.944
ENOUGH = 100  # solutions reached; with fewer, the interval for their number is too narrow

_core = find_core("nqbench._probes")


def available() -> bool:
    """Return whether the probes were compiled."""
    return _core is not None


def estimate(n: int, probes: int = 1_000_000, seed: int = 0, method: str = "knuth",
             jobs: int | None = None) -> Estimate:
    """Estimate nodes, levels and solutions of the plain tree of n from random probes.

    Parameters
    ----------
    n
        number of queens.
    probes
        random walks from the root.
    seed
        random seed; the same seed gives the same estimate.
    method
        "knuth" or "stratified".
    jobs
        threads; the estimate does not depend on them. Default: one for each core.

    Returns
    -------
    Estimate
        mean, standard error and 95 % confidence interval of each quantity.

    Raises
    ------
    TypeError, ValueError
        if n, probes, seed, method or jobs is not allowed, or if the probes are not compiled.

    Examples
    --------
    >>> found = estimate(8, probes=100_000, seed=1)
    >>> low, high = found.nodes.interval
    >>> low < 2057 < high
    True
    """
    return deque(estimating(n, probes, seed, method, jobs), maxlen=1).pop()


def estimating(n: int, probes: int = 1_000_000, seed: int = 0, method: str = "knuth",
               jobs: int | None = None) -> Iterator[Estimate]:
    """Yield the estimate from the probes made so far, regularly and at the end."""
    n = require_whole(n)
    probes, seed = require_whole(probes, "probes", least=2), require_whole(seed, "seed")
    if n > LARGEST_N:
        raise InvalidValueError(f"n must be at most {LARGEST_N} for an estimate, not {n}")
    if seed > LARGEST_SEED:
        raise InvalidValueError(f"the seed must be less than 2^64, not {seed}")
    require_method(method)
    threads = choose_threads(jobs)
    if not available():
        raise InvalidValueError(f"estimates of the plain tree are not available: {NOT_COMPILED}; "
                                "estimate that of a search, such as bitmask")
    return _estimating(n, probes, seed, method, threads)


def _estimating(n: int, probes: int, seed: int, method: str, threads: int) -> Iterator[Estimate]:
    sizes = ((chunk, min(CHUNK, probes - chunk * CHUNK)) for chunk in range(-(-probes // CHUNK)))
    made = reached = 0
    sums = squares = [0.0] * (n + 2)  # over the probes: of the nodes, and of each level
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[int, Future[Any]]] = deque()

        def submit(number: int) -> None:
            for chunk, size in islice(sizes, number):
                waiting.append((size, pool.submit(
                    _core.sums, n, seed, chunk, size, method == "stratified")))

        try:
            submit(4 * threads)
            while waiting:
                size, done = waiting.popleft()
                solved, nodes, nodes_squared, levels, levels_squared = done.result()
                submit(1)
                made += size
                reached += solved
                sums = list(map(add, sums, (nodes, *levels)))
                squares = list(map(add, squares, (nodes_squared, *levels_squared)))
                if not waiting or made % (64 * CHUNK) == 0:
                    first, *others = map(partial(_mean, made), sums, squares)
                    yield Estimate(f"{n} queens", method, made, seed, made, reached, first, others)
        finally:
            pool.shutdown(cancel_futures=True)


def _mean(probes: int, total: float, squared: float) -> Quantity:
    mean = total / probes
    variance = max(0.0, squared - probes * mean * mean) / (probes - 1) if probes > 1 else inf
    return Quantity(mean, sqrt(variance / probes))
