"""The description of an external algorithm."""

from nqbench.metrics import Metric

METRIC = Metric("algorithm", "",
                "the description of an external algorithm, and its recorded searches",
                less_is_better=None)
