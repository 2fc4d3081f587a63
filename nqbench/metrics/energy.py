"""Energy."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("energy", "J",
                "joules of the whole processor package during one search",
                kind=Kind.GAUGE, order=60)
