"""Mispredicted branches."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("branch_misses", "branches", "branches that the processor predicted wrongly",
                kind=Kind.GAUGE, order=30)
