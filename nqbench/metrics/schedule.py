"""The efficiency of many workers."""

from nqbench.metrics import Metric

METRIC = Metric("schedule", "share",
                "share of the time that the workers of a simulated cluster work",
                less_is_better=False)
