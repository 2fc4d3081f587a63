"""Which engine counts by default."""

import crossovers as measuring
import pytest

import nqbench
from nqbench import engine
from nqbench.api import choose
from nqbench.engine import processor, threads

pytestmark = pytest.mark.skipif(not engine.available(), reason="there is no compiled engine")


@pytest.mark.parametrize(("kernel", "largest"), [
    ("portable", 13), ("sse4", 15), ("avx2", 15), ("avx512", 17)])
def test_the_cross_counts_up_to_the_n_where_the_join_took_less(monkeypatch, kernel, largest):
    """Kernels that this machine cannot run have an entry, too: nothing is measured."""
    monkeypatch.setattr(processor, "choose_kernel", lambda name: name)
    monkeypatch.setattr(threads, "time_engines", pytest.fail)
    assert {engine.choose_engine(n, kernel) for n in range(largest + 1)} == {"cross"}
    assert {engine.choose_engine(n, kernel) for n in range(largest + 1, 33)} == {"join"}
    assert engine.choose_engine(33, kernel) == engine.choose_engine(1000, kernel) == "cross"


@pytest.mark.parametrize(("kernel", "times", "largest"), [
    ("fast", 0.3, 17), ("like_sse4", 1, 15), ("slow", 3, 13)])
def test_a_kernel_without_an_entry_is_measured_once(monkeypatch, kernel, times, largest):
    """If the cross takes so many times as long as with SSE4. The first round is slow."""
    ratio, measured = threads.ENTRIES["sse4"]["ratios"]["14"][0] * times, []

    def measure(n, kernel):
        measured.append((n, kernel))
        return (ratio, 1.0) if len(measured) > 1 else (100 * ratio, 300.0)

    monkeypatch.setattr(processor, "choose_kernel", lambda name: name)
    monkeypatch.setattr(threads, "time_engines", measure)
    assert [n for n in range(33) if engine.choose_engine(n, kernel) == "cross"] == [
        *range(largest + 1)]
    assert measured == [(14, kernel)] * threads.ROUNDS
    assert engine.choose_engine(33, kernel) == "cross"


def test_the_tool_measures_an_entry():
    assert "sse4" in threads.ENTRIES  # the growth of kernels without an entry
    found = measuring.measure("portable", [8], 3)[8]
    assert len(found) == 3
    assert 0 < found[1] <= found[0] <= found[2]


def test_the_chosen_engine_counts_and_another_can_be_forced():
    assert choose(20)[0].name == "join"
    assert choose(20, "cross")[0].name == "cross"
    assert choose(20, implementation="cython")[0].name == "join"
    assert nqbench.count(12) == nqbench.count(12, "join") == 14200
