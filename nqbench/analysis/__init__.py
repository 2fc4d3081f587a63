"""Records as tidy DataFrames.

    records = nqbench.analysis.load("results")
    nqbench.analysis.timings(records)
"""

from nqbench.analysis.comparison import compare
from nqbench.analysis.frames import (
    POINT,
    checks,
    counters,
    definitions,
    descriptions,
    latest,
    left_out,
    load,
    profiles,
    pruning,
    samples,
    study,
    timings,
)
from nqbench.analysis.solvers import (
    against_baseline,
    baseline,
    effects,
    effects_by_size,
    estimated_gains,
    gains,
    kernels,
    ratios,
    survival,
)
from nqbench.analysis.uncertainty import (
    NOT_SIGNIFICANT,
    holm,
    interval,
    ratio,
    typical,
    verdicts,
    warnings,
)

__all__ = ["NOT_SIGNIFICANT", "POINT", "against_baseline", "baseline", "checks", "compare",
           "counters", "definitions", "descriptions", "effects", "effects_by_size",
           "estimated_gains", "gains", "holm", "interval", "kernels", "latest", "left_out", "load",
           "profiles", "pruning", "ratio", "ratios", "samples", "study", "survival", "timings",
           "typical", "verdicts", "warnings"]
