"""How long a search will take, and how much memory, is known before it begins."""

from math import inf

import pytest

from nqbench.problems import forecast
from nqbench.problems.forecast import extend
from nqbench.problems.published import published
from nqbench.problems.queens import find
from nqbench.util import cores


def test_a_mirror_for_even_n_only_does_not_mislead():
    assert extend({7: 1.0, 8: 2.5, 9: 25.0, 10: 62.5}, 11) >= 625


def test_endless_searches_take_for_ever():
    assert extend({8: 1.0}, 10**7) == inf


@pytest.fixture
def predict(monkeypatch):
    """The prediction for a search, given the seconds of its runs as a function of their size."""
    def call(name, n, seconds):
        monkeypatch.setattr(forecast, "_measure_seconds", lambda run, m: seconds(m))
        return forecast.predict_search(find(name), n, print)
    return call


@pytest.mark.parametrize("name", ["iterative", "somers", "fewest_first"])
def test_a_search_is_predicted_by_the_growth_of_the_tree(predict, name):
    found = [predict(name, n, lambda m: forecast.nodes(m) * 1e-6) for n in (14, 10**6)]
    assert found == [pytest.approx(published("A319283")[14] * 1e-6), inf]


@pytest.mark.parametrize(("start", "each"), [(0.0, 1e-6), (0.5, 1e-6), (0.0, 1e-3)])
def test_what_reports_no_steps_is_predicted_to_grow_like_the_plain_tree_without_its_start(
        predict, start, each):
    predicted = predict("brute_force", 14, lambda m: start + forecast.nodes(m) * each)
    assert 1 < predicted / (forecast.nodes(14) * each) < 3


def test_a_size_that_is_refused_is_not_measured(predict):
    assert 1 < predict("brute_force", 12, lambda m: forecast.nodes(m) * 1e-5 / (m > 3)) < 100


@pytest.mark.parametrize("least", [0, 4, 5])
def test_an_incomplete_search_that_is_slow_for_the_smallest_boards_is_predicted(predict, least):
    assert predict("width_limited:4", 9, lambda m: 2.0 ** m / (m >= least)) in (
        pytest.approx(2.0 ** 9), pytest.approx(2.0 ** 5 * forecast.UNKNOWN ** 4))


def test_small_boards_are_not_tried(monkeypatch):
    monkeypatch.setattr(forecast, "_measure_seconds", pytest.fail)
    assert forecast.predict_search(find("brute_force"), forecast.SHORT_N, print) == 0.0


def test_leaves_grow_faster_than_a_tree():
    taken = {m: m**m * 1e-6 for m in range(2, 7)}
    assert 0.5 < forecast.extrapolate(find("brute_force"), taken, 9) / (9**9 * 1e-6) < 2


def test_a_limited_depth_grows_like_a_power():
    at_30 = forecast.extrapolate(find("depth_limited:2"), {30: 1.0}, 300)
    assert 500 < at_30 < 2000
    assert forecast.extrapolate(find("depth_limited"), {10: 1.0}, 14) > 300


def test_memory_for_orbits_and_trees_grows_with_them():
    assert forecast.orbits_size(8) < 10_000 < 10**12 < forecast.orbits_size(22)
    assert forecast.nodes(12, 3) == sum(published("A319284")[12][:4])
    assert forecast.nodes(10**6) == inf
    assert forecast.nodes(10**5, 200) == inf  # its levels exceed any float


def test_a_prediction_is_for_the_kernel_and_the_threads_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(cores, "cores", lambda: 4)
    monkeypatch.setattr(forecast, "_time_engine", lambda *words: asked.append(words) or 1.0)
    one, two, *more = (forecast.predict_engine(20, "portable", jobs)
                       for jobs in (1, 2, 4, 400, None))
    assert one == 2 * two
    assert more == [one / 4] * 3
    assert set(asked) == {("cross", "portable")}
    with pytest.raises(ValueError, match="jobs must be 1 or more, not 0"):
        forecast.predict_engine(20, jobs=0)


@pytest.mark.parametrize(("place", "ratio"), [
    (("A000170", 8, 9), 352 / 92), (("A319283", 19, 21), 121.0), (("A319283", 8, 10**7), inf)])
def test_growth_goes_on_beyond_what_is_published(place, ratio):
    assert forecast.growth(*place) == ratio
