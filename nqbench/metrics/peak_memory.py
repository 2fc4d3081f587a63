"""Peak memory."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("peak_memory", "bytes",
                "peak of the bytes that Python allocated after the start of a search",
                kind=Kind.GAUGE, order=50)
