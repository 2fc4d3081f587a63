"""Records as tidy DataFrames.

    records = nqbench.analysis.load("results")
    nqbench.analysis.timings(records)
"""

from nqbench.analysis.frames import (
    POINT,
    checks,
    counters,
    latest,
    left_out,
    load,
    machines,
    profiles,
    pruning,
    timings,
)
from nqbench.analysis.ratios import kernels, ratio, ratios

__all__ = ["POINT", "checks", "counters", "kernels", "latest", "left_out", "load", "machines",
           "profiles", "pruning", "ratio", "ratios", "timings"]
