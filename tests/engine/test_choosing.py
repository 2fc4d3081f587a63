"""Which engine counts by default."""

import pytest

import nqbench
from nqbench import engine
from nqbench.api import choose
from nqbench.engine import processor

pytestmark = pytest.mark.skipif(not engine.available(), reason="there is no compiled engine")


@pytest.mark.parametrize(("kernel", "largest"), [
    ("portable", 13), ("sse4", 15), ("neon", 15), ("avx2", 15), ("avx512", 17)])
def test_the_cross_counts_up_to_the_n_where_the_join_takes_less(monkeypatch, kernel, largest):
    """Process time of one core: the join is 1.98 times as fast for n = 16 with AVX2, and 0.95 times
    with AVX-512. Kernels that this machine cannot run have a choice, too: nothing is measured.
    """
    monkeypatch.setattr(processor, "choose_kernel", lambda name: name)
    assert {engine.choose_engine(n, kernel) for n in range(largest + 1)} == {"cross"}
    assert {engine.choose_engine(n, kernel) for n in range(largest + 1, 33)} == {"join"}
    assert engine.choose_engine(33, kernel) == engine.choose_engine(1000, kernel) == "cross"


def test_the_chosen_engine_counts_and_another_can_be_forced():
    assert choose(20)[0].name == "join"
    assert choose(20, "cross")[0].name == "cross"
    assert choose(20, implementation="cython")[0].name == "join"
    assert nqbench.count(12) == nqbench.count(12, "join") == 14200
