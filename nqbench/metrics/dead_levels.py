"""Dead ends by level."""

from nqbench.metrics import Counter

METRIC = Counter("dead_levels", "nodes",
                 "dead ends by number of queens placed; they sum to dead_ends", by_level=True,
                 order=80)
