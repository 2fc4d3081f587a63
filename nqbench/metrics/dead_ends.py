"""Dead ends: nodes without a child."""

from nqbench.metrics import Counter

METRIC = Counter("dead_ends", "nodes", "nodes short of n queens that have no child", order=70)
