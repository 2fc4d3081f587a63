"""Whether random instances of queens have a solution, and the nodes needed to decide it."""

from nqbench.metrics import Metric

METRIC = Metric("transition", "nodes", "nodes until an instance is decided, and whether it has a "
                "solution", less_is_better=None)
