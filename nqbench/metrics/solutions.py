"""The number of solutions."""

from nqbench.metrics import Kind, Metric

METRIC = Metric("solutions", "solutions", "solutions found, including mirror images",
                less_is_better=None, kind=Kind.COUNTER)
