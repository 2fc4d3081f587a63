"""Comparisons, one by one."""

from nqbench.metrics import Counter

METRIC = Counter("comparisons", "comparisons",
                 "single comparisons made; short-circuit evaluation skips the rest", order=50)
