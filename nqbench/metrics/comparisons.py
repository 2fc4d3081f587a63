"""Comparisons, one by one."""

from nqbench.metrics import Counter

METRIC = Counter("comparisons", "comparisons",
                 "single comparisons made, as far as the short circuit lets them", order=50)
