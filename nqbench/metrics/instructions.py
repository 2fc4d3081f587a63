"""Instructions of the processor."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("instructions", "instructions", "instructions of one search, in user space",
                kind=Kind.GAUGE, order=10)
