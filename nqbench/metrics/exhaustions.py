"""Exhaustions: backtracks."""

from nqbench.metrics import Counter

METRIC = Counter("exhaustions", "rows", "rows whose last candidate has been tried (backtracks)",
                 order=60)
