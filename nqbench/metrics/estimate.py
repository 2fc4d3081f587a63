"""The size of the plain tree, estimated."""

from nqbench.metrics import Metric

METRIC = Metric("estimate", "nodes", "mean over random probes, and its standard error",
                less_is_better=None)
