"""Pairs of half boards that need no comparison."""

from nqbench.metrics import Counter

METRIC = Counter("pairs_excluded", "pairs",
                 "pairs of half boards that the index excludes, because they share a diagonal that "
                 "is used often", less_is_better=False, order=130)
