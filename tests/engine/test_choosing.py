"""Which engine counts by default."""

import crossovers as measuring
import pytest

import nqbench
from nqbench import engine
from nqbench.api import choose
from nqbench.engine import processor

pytestmark = pytest.mark.skipif(not engine.available(), reason="there is no compiled engine")


@pytest.mark.parametrize(("kernel", "largest"), [
    ("portable", 13), ("sse4", 15), ("neon", 15), ("avx2", 15), ("avx512", 15)])
def test_the_cross_counts_up_to_the_n_where_the_join_took_less(monkeypatch, kernel, largest):
    """NEON has no entry: it is taken to be like SSE4."""
    monkeypatch.setattr(processor, "choose_kernel", lambda name: name)
    assert {engine.choose_engine(n, kernel) for n in range(largest + 1)} == {"cross"}
    assert {engine.choose_engine(n, kernel) for n in range(largest + 1, 33)} == {"join"}
    assert engine.choose_engine(33, kernel) == engine.choose_engine(1000, kernel) == "cross"


def test_the_tool_measures_an_entry():
    found = measuring.measure("portable", [8], 3)[8]
    assert len(found) == 3
    assert 0 < found[1] <= found[0] <= found[2]


def test_the_chosen_engine_counts_and_another_can_be_forced():
    assert choose(20)[0].name == "join"
    assert choose(20, "cross")[0].name == "cross"
    assert choose(20, implementation="cython")[0].name == "join"
    assert nqbench.count(12) == nqbench.count(12, "join") == 14200
