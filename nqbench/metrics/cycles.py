"""Cycles of the processor."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("cycles", "cycles", "cycles of one search, in user space, on all its threads",
                kind=Kind.GAUGE, order=20)
