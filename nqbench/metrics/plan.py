"""The time of a count beyond one machine."""

from nqbench.metrics import Metric

METRIC = Metric("plan", "seconds", "a sample of the parts of a count, with the seconds of each")
