"""Nodes: the size of a search tree."""

from nqbench.metrics import Counter

METRIC = Counter("nodes", "nodes", "partial placements accepted, the empty one (the root) included",
                 order=10)
