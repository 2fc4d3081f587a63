"""Scans: iterations of inner loops."""

from nqbench.metrics import Counter

METRIC = Counter("scans", "iterations",
                 "iterations of the inner loops that look at earlier queens or squares", order=40)
