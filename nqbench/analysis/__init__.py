"""Records as tidy DataFrames.

    records = nqbench.analysis.load("results")
    nqbench.analysis.timings(records)
"""

from nqbench.analysis.across import SERIES, changes, history
from nqbench.analysis.comparison import Comparison, compare, compare_runs, find_side
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
    outcomes,
    profiles,
    pruning,
    samples,
    study,
    timings,
)
from nqbench.analysis.ratios import Ratio, against_baseline, baseline, kernels, ratio, ratios
from nqbench.analysis.savings import (
    branching_factor,
    effects,
    estimated_gains,
    gains,
    shapes,
    survival,
)
from nqbench.analysis.scaling import TimeByCounters, growth, models, time_by_counters
from nqbench.analysis.solver_sets import (
    cactus,
    limit_of_search,
    par2,
    performance_profile,
    seconds_by_n,
)
from nqbench.analysis.uncertainty import (
    NOT_SIGNIFICANT,
    chance,
    holm,
    interval,
    verdicts,
    verdicts_by_n,
    warnings,
)

__all__ = ["NOT_SIGNIFICANT", "POINT", "SERIES", "Comparison", "Ratio", "TimeByCounters",
           "against_baseline", "anytime", "baseline", "branching_factor", "cactus", "chance",
           "changes", "checks", "compare", "compare_runs", "counters", "definitions",
           "descriptions", "effects", "estimated_gains", "find_side", "gains", "gauges", "growth",
           "history", "holm", "interval", "kernels", "latest", "left_out", "limit_of_search",
           "load", "machines", "models", "not_available", "outcomes", "par2", "performance_profile",
           "profiles", "pruning", "ratio", "ratios", "samples", "seconds_by_n", "shapes", "study",
           "survival", "time_by_counters", "timings", "verdicts", "verdicts_by_n", "warnings"]
