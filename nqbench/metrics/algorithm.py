"""What an algorithm from outside is."""

from nqbench.metrics import Metric

METRIC = Metric("algorithm", "", "what an algorithm from outside is, and its recorded searches",
                less_is_better=None)
