"""Tests: candidate squares."""

from nqbench.metrics import Counter

METRIC = Counter("tests", "squares", "candidate squares tested for conflict", order=30)
