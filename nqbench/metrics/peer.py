"""The time of a peer."""

from nqbench.metrics import Metric

METRIC = Metric("peer", "s", "seconds of one count by another package, or by nqbench beside it")
