"""The estimators have the known distribution, and both implementations give the same sums."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_probes import Random, knuth, sum_chunk

from nqbench.engine import estimation
from nqbench.engine.estimation import estimate
from nqbench.problems.published import published
from nqbench.search.estimates import METHODS, Quantity

# Mean and variance of Knuth's estimator of the nodes of the plain tree.
KNOWN = {4: (17, 8), 5: (54, 156), 6: (153, 2636)}
PROBES = 400_000


class Choices(Random):
    """Random numbers that lead through given children, then always to the first."""

    def __init__(self, shares):
        self.shares = iter(shares)

    def next(self):
        return next(self.shares, Share(0))


class Share(Fraction):
    """A share of the children in the place of random bits: bits * d >> 32 is share * d."""

    def __rshift__(self, by):
        return self

    def __mul__(self, d):
        return int(Fraction(self) * d) << 32


def distribution(n):
    """Every path of Knuth's probe, as (probability, estimate of the nodes)."""
    waiting = [((), Fraction(1))]
    while waiting:
        shares, probability = waiting.pop()
        levels = knuth(n, Choices(shares))
        children = [int(b / a) for a, b in pairwise(levels)]
        if len(shares) >= len(children):
            yield probability, int(sum(levels))
            continue
        d = children[len(shares)]
        waiting += [((*shares, Share(2 * k + 1, 2 * d)), probability / d) for k in range(d)]


@pytest.mark.parametrize("n", [4, 5, 6])
def test_every_path_of_the_probe_gives_the_known_mean_and_variance(n):
    paths = list(distribution(n))
    assert sum(p for p, _ in paths) == 1
    mean = sum(p * x for p, x in paths)
    assert (mean, sum(p * x * x for p, x in paths) - mean**2) == KNOWN[n]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [4, 10, 16])
def test_nodes_levels_and_solutions_lie_within_their_errors(n, method):
    found = estimate(n, PROBES if method == "knuth" else PROBES // 8, seed=2, method=method)
    truth = dict(published("A319284").up_to(n))
    for known, level in zip(truth.get(n, []), found.levels, strict=False):
        assert abs(level.mean - known) <= 4 * level.error + 1e-9 * known
    assert abs(found.nodes.mean - published("A319283")[n]) <= 4 * found.nodes.error
    assert abs(found.solutions.mean - published("A000170")[n]) <= 4 * found.solutions.error


def test_strata_vary_less_than_single_paths():
    errors = {method: estimate(12, 20_000, method=method).nodes.error for method in METHODS}
    assert errors["stratified"] < errors["knuth"]


@given(st.integers(0, 24), st.integers(0, 2**64 - 1), st.integers(0, 2**20),
       st.sampled_from(METHODS))
def test_the_core_and_python_give_the_same_sums(n, seed, chunk, method):
    assert estimation._core is not None, "the core was not compiled"
    assert estimation._core.sums(n, seed, chunk, 5, method == "stratified") == (
        sum_chunk(n, seed, chunk, 5, method))


def test_neighbouring_seeds_and_chunks_share_nothing():
    words = [word for seed in (0, 1, 2, 3, 2**64 - 1) for chunk in range(100)
             for word in Random(seed, chunk).s]
    assert len(set(words)) == len(words) == 2000


def test_the_largest_board_fits_into_the_masks():
    assert estimation._core.sums(64, 1, 0, 3, True) == (
        sum_chunk(64, 1, 0, 3, "stratified"))
    assert estimate(64, 5000).nodes.mean > 1e60


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_estimate_on_any_number_of_threads(method):
    one, two = (estimate(9, 10_000, seed=5, method=method, jobs=jobs) for jobs in (1, 3))
    assert one == two
    assert estimate(9, 10_000, seed=6, method=method) != one


def test_the_last_chunk_is_as_short_as_it_takes():
    found = list(estimation.estimating(6, 1500, jobs=2))
    assert found[-1].probes == 1500
    assert replace(found[-1], probes=0).levels[0] == Quantity(1.0, 0.0)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("method", METHODS)
def test_boards_too_small_to_vary(n, method):
    found = estimate(n, 1000, method=method)
    assert found.solutions.mean == published("A000170")[n]
    assert len(found.levels) == n + 1


@pytest.mark.parametrize(("words", "says"), [
    ({"n": 65}, "n must be at most 64 for an estimate, not 65"),
    ({"n": 8, "probes": 1}, "probes must be 2 or more, not 1"),
    ({"n": 8, "method": "chen"}, "no method 'chen', only knuth and stratified"),
    ({"n": 8, "seed": 2**64}, "the seed must be less than 2\\^64"),
    ({"n": 8, "jobs": 0}, "jobs must be 1 or more, not 0")])
def test_what_makes_no_sense_is_refused(words, says):
    with pytest.raises(ValueError, match=says):
        estimate(**words)


def test_without_the_core_a_search_can_be_estimated(monkeypatch):
    monkeypatch.setattr(estimation, "_core", None)
    with pytest.raises(ValueError, match=r"not available: .* a search, such as bitmask"):
        estimate(8)
