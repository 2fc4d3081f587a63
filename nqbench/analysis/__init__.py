"""Records as tidy DataFrames.

    >>> import nqbench
    >>> records = nqbench.analysis.load("results")    # doctest: +SKIP
    >>> nqbench.analysis.timings(records)             # doctest: +SKIP
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
