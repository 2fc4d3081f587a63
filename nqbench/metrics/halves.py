"""Halves: placements of half a board."""

from nqbench.metrics import Counter

METRIC = Counter("halves", "halves",
                 "half boards made, of all that are joined",
                 order=110)
