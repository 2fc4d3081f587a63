"""Dead ends: nodes without a child."""

from nqbench.metrics import Counter

METRIC = Counter("dead_ends", "nodes",
                 "nodes with fewer than n queens and without a child", order=70)
