"""Records as tidy DataFrames.

    records = nqbench.analysis.load("results")
    nqbench.analysis.timings(records)
"""

from nqbench.analysis.across import SERIES, changes, history
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

__all__ = ["POINT", "SERIES", "changes", "checks", "counters", "history", "kernels", "latest",
           "left_out", "load", "machines", "profiles", "pruning", "ratio", "ratios", "timings"]
