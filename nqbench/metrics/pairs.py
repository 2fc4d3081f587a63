"""Pairs of half boards."""

from nqbench.metrics import Counter

METRIC = Counter("pairs", "pairs",
                 "pairs of half boards, those that are never compared included",
                 order=120)
