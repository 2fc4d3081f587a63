"""Processor time."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("cpu_seconds", "s", "seconds of processor time of one search, on all its threads",
                kind=Kind.GAUGE, order=70)
