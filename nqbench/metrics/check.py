"""The check of a published value."""

from nqbench.metrics import Metric

METRIC = Metric("check", "", "whether our count is the published value", less_is_better=None)
