"""Run lengths: the nodes of runs in random orders, over seeds or over instances."""

from nqbench.metrics import Metric

METRIC = Metric("run_length", "nodes", "nodes of each run of a search in a random order, and "
                "whether it came to its end", less_is_better=None)
