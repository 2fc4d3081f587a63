"""Energy."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("energy", "J",
                "joules of one search: all that the processor package took meanwhile",
                kind=Kind.GAUGE, order=60)
