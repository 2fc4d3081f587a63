"""Nodes until the first solution."""

from nqbench.metrics import Counter

METRIC = Counter("nodes_to_first", "nodes",
                 "nodes accepted when the first solution is reached, 0 without one", order=100)
