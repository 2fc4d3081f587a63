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
from contextlib import suppress
from importlib import import_module
from itertools import islice
from math import inf, sqrt
from typing import Any, NamedTuple

from nqbench.engine.processor import choose_threads
from nqbench.errors import InvalidValueError
from nqbench.search.estimates import Estimate, Quantity, require_method
from nqbench.util.arguments import require_whole

LARGEST_N = 64
CHUNK = 1024  # probes with random numbers of their own
# Q(n)^(1/n) / n tends to e^-LAW: Simkin, The number of n-queens configurations (2023); the
# constant by Nobel, Agrawal and Boyd, Computing tighter bounds on the n-queens constant (2022).
LAW = 1.944
ENOUGH = 100  # solutions reached; with fewer, the interval for their number is too narrow

_core: Any = None
with suppress(ImportError):  # built without a C compiler: Python gives the same sums
    _core = import_module("nqbench._probes")


class ChunkSums(NamedTuple):
    """Sums over the probes of one chunk."""

    reached: int
    nodes: float
    nodes_squared: float
    levels: list[float]
    levels_squared: list[float]


class Random:
    """xoshiro256++ of Blackman and Vigna (2019), the same as in the core."""

    def __init__(self, seed: int, chunk: int) -> None:
        start = _split(_split(seed) + chunk)  # neighbours share no part of their state
        self.s = [_split(start + k * _GOLDEN) for k in range(4)]

    def next(self) -> int:
        """Return the next 64 random bits."""
        a, b, c, d = self.s
        bits = _rotate((a + d) & _WORD, 23) + a & _WORD
        c ^= a
        d ^= b
        self.s = [a ^ d, b ^ c, c ^ (b << 17 & _WORD), _rotate(d, 45)]
        return bits


_WORD = (1 << 64) - 1
_GOLDEN = 0x9e3779b97f4a7c15


def _split(z: int) -> int:
    """Return the next value of splitmix64, of Steele, Lea and Flood (2014)."""
    z = z + _GOLDEN & _WORD
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & _WORD
    z = (z ^ z >> 27) * 0x94d049bb133111eb & _WORD
    return z ^ z >> 31


def _rotate(x: int, by: int) -> int:
    return (x << by | x >> (64 - by)) & _WORD


def knuth(n: int, random: Random) -> list[float]:
    """Return the estimate of one probe for each level that it reaches."""
    full = (1 << n) - 1
    columns = left = right = 0
    levels = [1.0]
    for _ in range(n):
        free = full & ~(columns | left | right)
        if not free:
            break
        children = free.bit_count()
        for _ in range((random.next() >> 32) * children >> 32):
            free &= free - 1
        bit = free & -free
        columns, left, right = columns | bit, (left | bit) << 1 & full, (right | bit) >> 1
        levels.append(levels[-1] * children)
    return levels


def stratified(n: int, random: Random) -> list[float]:
    """Return the estimate of one probe through all strata, for each level that it reaches."""
    full = (1 << n) - 1
    levels: list[float] = []
    here = {n: (1.0, 0, 0, 0)}  # by number of children: weight, and lines taken
    while here and len(levels) <= n:
        levels.append(0.0)
        below: dict[int, tuple[float, int, int, int]] = {}
        for _, (weight, columns, left, right) in sorted(here.items()):
            levels[-1] += weight
            free = full & ~(columns | left | right) if len(levels) <= n else 0
            while free:
                bit = free & -free
                free -= bit
                child = columns | bit, (left | bit) << 1 & full, (right | bit) >> 1
                children = (full & ~(child[0] | child[1] | child[2])).bit_count()
                total, *kept = below.get(children, (0.0, 0, 0, 0))
                total += weight
                draw = (random.next() >> 11) / 2**53
                below[children] = total, *(child if draw * total < weight else kept)
        here = below
    return levels


def _sum_chunk(n: int, seed: int, chunk: int, probes: int, method: str) -> ChunkSums:
    if _core is not None:
        return ChunkSums(*_core.sums(n, seed, chunk, probes, method == "stratified"))
    return _sum_in_python(n, seed, chunk, probes, method)


def _sum_in_python(n: int, seed: int, chunk: int, probes: int, method: str) -> ChunkSums:
    random = Random(seed, chunk)
    probe = stratified if method == "stratified" else knuth
    reached, nodes, squared = 0, 0.0, 0.0
    levels, levels_squared = [0.0] * (n + 1), [0.0] * (n + 1)
    for _ in range(probes):
        total = 0.0
        found = probe(n, random)
        for level, estimate in enumerate(found):
            total += estimate
            levels[level] += estimate
            levels_squared[level] += estimate * estimate
        nodes += total
        squared += total * total
        reached += len(found) == n + 1
    return ChunkSums(reached, nodes, squared, levels, levels_squared)


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
        if n, probes, seed, method or jobs is not allowed.

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
    if seed > _WORD:
        raise InvalidValueError(f"the seed must be less than 2^64, not {seed}")
    require_method(method)
    threads = choose_threads(jobs)
    return _estimating(n, probes, seed, method, threads)


def _estimating(n: int, probes: int, seed: int, method: str, threads: int) -> Iterator[Estimate]:
    sizes = ((chunk, min(CHUNK, probes - chunk * CHUNK)) for chunk in range(-(-probes // CHUNK)))
    made = reached = 0
    nodes = squared = 0.0
    levels, levels_squared = [0.0] * (n + 1), [0.0] * (n + 1)
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[int, Future[ChunkSums]]] = deque()

        def submit(number: int) -> None:
            for chunk, size in islice(sizes, number):
                waiting.append((size, pool.submit(_sum_chunk, n, seed, chunk, size, method)))

        try:
            submit(4 * threads)
            while waiting:
                size, done = waiting.popleft()
                sums = done.result()
                submit(1)
                made += size
                reached += sums.reached
                nodes, squared = nodes + sums.nodes, squared + sums.nodes_squared
                for level in range(n + 1):
                    levels[level] += sums.levels[level]
                    levels_squared[level] += sums.levels_squared[level]
                if not waiting or made % (64 * CHUNK) == 0:
                    yield Estimate(
                        f"{n} queens", method, made, seed, made, reached,
                        _mean(made, nodes, squared), [_mean(made, *both) for both in zip(
                            levels, levels_squared, strict=True)])
        finally:
            pool.shutdown(cancel_futures=True)


def _mean(probes: int, total: float, squared: float) -> Quantity:
    mean = total / probes
    variance = max(0.0, squared - probes * mean * mean) / (probes - 1) if probes > 1 else inf
    return Quantity(mean, sqrt(variance / probes))
