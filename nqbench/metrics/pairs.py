"""Pairs of half boards."""

from nqbench.metrics import Counter

METRIC = Counter("pairs", "pairs",
                 "pairs of half boards, including those that are never compared",
                 order=120)
