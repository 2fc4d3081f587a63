"""Peak memory."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("peak_memory", "bytes",
                "most bytes that Python had allocated above the start of a search",
                kind=Kind.GAUGE, order=50)
