"""Misses of the cache."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("cache_misses", "accesses",
                "accesses to memory that the last level of the cache missed",
                kind=Kind.GAUGE, order=40)
