"""Costs are predicted from smaller sizes, without running anything."""

from nqbench.forecast import Forecast


def test_growth_follows_the_last_sizes():
    forecast = Forecast()
    for n, seconds in [(8, 1.0), (9, 5.0), (10, 25.0)]:
        forecast.add("tree", n, seconds)
    assert 125 <= forecast.predict("tree", 11) <= 125 * 1.5
    assert forecast.predict("tree", 12) > forecast.predict("tree", 11) * 4


def test_a_mirror_for_even_n_only_does_not_mislead():
    forecast = Forecast()
    for n, seconds in [(7, 1.0), (8, 2.5), (9, 25.0), (10, 62.5)]:
        forecast.add("even", n, seconds)
    assert forecast.predict("even", 11) >= 625


def test_brute_force_is_predicted_to_explode():
    forecast = Forecast()
    for n in range(3, 8):
        forecast.add("leaves", n, n**n * 1e-6)
    assert 0.8 < forecast.predict("leaves", 8) / (8**8 * 1e-6) < 2
    assert forecast.predict("leaves", 10) > 3600


def test_known_sizes_are_not_predicted():
    forecast = Forecast()
    forecast.add("tree", 8, 1.5)
    assert forecast.predict("tree", 8) == 1.5
    assert forecast.predict("other", 8) == 0.0


def test_what_no_float_can_hold_takes_for_ever():
    forecast = Forecast()
    forecast.add("tree", 8, 1.0)
    assert forecast.predict("tree", 10**7) == float("inf")
