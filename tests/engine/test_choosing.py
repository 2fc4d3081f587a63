"""Which engine counts by default."""

import pytest

import nqbench
from nqbench import engine
from nqbench.api import choose
from nqbench.engine import choosing

pytestmark = pytest.mark.skipif(not engine.available(), reason="there is no compiled engine")
KERNELS = engine.kernels()


@pytest.fixture
def seconds(monkeypatch):
    """Set how long both engines seem to take for the measured n, and note the measurements."""
    measured = []

    def set_seconds(cross, join):
        def measure(kernel):
            measured.append(kernel)
            return {"cross": cross, "join": join}
        monkeypatch.setattr(choosing, "_measure", measure)

    set_seconds(1.0, 1.0)
    set_seconds.measured = measured
    return set_seconds


def test_small_n_are_counted_by_cross_and_large_ones_by_join_without_measuring(seconds):
    assert [engine.choose_engine(n) for n in (0, 8, 15, 33, 1000)] == ["cross"] * 5
    assert [engine.choose_engine(n) for n in (18, 24, 32)] == ["join"] * 3
    assert engine.choose_engine(14, "portable") == engine.choose_engine(17, "portable") == "join"
    assert not seconds.measured


@pytest.mark.skipif(KERNELS == ["portable"], reason="the portable kernel measures nothing")
@pytest.mark.parametrize("n", [16, 17])
def test_in_between_the_predicted_times_decide(n, seconds):
    growth = choosing.GROWTH[n]
    seconds(1.0, 0.99 * growth["cross"] / growth["join"])
    assert engine.choose_engine(n) == choose(n)[0].name == "join"
    seconds(1.0, 1.01 * growth["cross"] / growth["join"])
    assert engine.choose_engine(n) == choose(n)[0].name == "cross"


def test_a_measurement_is_made_once(monkeypatch):
    counted = []
    choosing._measure.cache_clear()
    monkeypatch.setattr(choosing, "count", lambda n, kernel, jobs, algorithm: counted.append(
        algorithm))
    for n in (16, 17):
        engine.choose_engine(n, KERNELS[0])
    assert counted == ([] if KERNELS == ["portable"] else ["cross", "join"] * 5)
    choosing._measure.cache_clear()


def test_the_chosen_engine_counts_and_another_can_be_forced(seconds):
    assert choose(20)[0].name == "join"
    assert choose(20, "cross")[0].name == "cross"
    assert choose(20, implementation="cython")[0].name == "join"
    assert nqbench.count(12) == nqbench.count(12, "join") == 14200


@pytest.mark.parametrize("chosen", engine.engines())
def test_solutions_up_to_symmetry_are_counted_by_the_chosen_engine(monkeypatch, chosen):
    counted, counting = [], engine.counting

    def note(*words, algorithm, **choices):
        counted.append(algorithm)
        return counting(*words, algorithm=algorithm, **choices)

    monkeypatch.setattr(engine, "choose_engine", lambda n, kernel=None: chosen)
    monkeypatch.setattr(engine, "counting", note)
    assert nqbench.unique(12) == 1787
    assert counted == [chosen]
