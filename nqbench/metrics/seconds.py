"""The time of a search."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("seconds", "s", "seconds of one search", kind=Kind.TIME)
