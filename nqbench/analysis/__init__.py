"""Records as tidy DataFrames.

    records = nqbench.analysis.load("results")
    nqbench.analysis.timings(records)
"""

from nqbench.analysis.comparison import Comparison, compare, compare_runs
from nqbench.analysis.frames import (
    POINT,
    anytime,
    checks,
    counters,
    definitions,
    descriptions,
    gauges,
    latest,
    left_out,
    load,
    machines,
    not_available,
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
    estimated_gains,
    gains,
    growth,
    kernels,
    ratios,
    survival,
)
from nqbench.analysis.uncertainty import (
    NOT_SIGNIFICANT,
    Ratio,
    holm,
    interval,
    ratio,
    typical,
    verdicts,
    warnings,
)
from nqbench.records.runs import find_side

__all__ = ["NOT_SIGNIFICANT", "POINT", "Comparison", "Ratio", "against_baseline", "anytime",
           "baseline", "checks", "compare", "compare_runs", "counters", "definitions",
           "descriptions", "effects", "estimated_gains", "find_side", "gains", "gauges", "growth",
           "holm", "interval", "kernels", "latest", "left_out", "load", "machines",
           "not_available", "profiles", "pruning", "ratio", "ratios", "samples",
           "study", "survival", "timings", "typical", "verdicts", "warnings"]
