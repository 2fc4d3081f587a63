"""What a study was asked to measure."""

from nqbench.metrics import Metric

METRIC = Metric("study", "", "what a run measures, and whether it came to its end",
                less_is_better=None)
