"""Where the join spends its time."""

from nqbench.metrics import Metric

METRIC = Metric("phases", "moments", "how often a profiler found the join in each phase of a count",
                less_is_better=None)
