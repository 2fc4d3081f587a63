"""The time to hand a task to a worker."""

from nqbench.metrics import Metric

METRIC = Metric("dispatch", "seconds",
                "seconds of a task that does nothing, on a cluster of this machine")
