"""Nodes: the size of a search tree."""

from nqbench.metrics import Counter

METRIC = Counter("nodes", "nodes",
                 "partial placements accepted, including the empty one (the root)",
                 order=10)
