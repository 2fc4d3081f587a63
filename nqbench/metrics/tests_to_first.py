"""Tests until the first solution."""

from nqbench.metrics import Counter

METRIC = Counter("tests_to_first", "squares",
                 "tests made when the first solution is reached, 0 without one", order=90)
