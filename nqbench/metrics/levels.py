"""Levels: the profile of a search tree."""

from nqbench.metrics import Counter

METRIC = Counter("levels", "nodes", "nodes by number of queens placed; they sum to nodes",
                 by_level=True, order=20)
