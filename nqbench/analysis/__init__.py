"""Records as tidy DataFrames.

    records = nqbench.analysis.load("results")
    nqbench.analysis.timings(records)
"""

from nqbench.analysis.across import SERIES, changes, history
from nqbench.analysis.baselines import against_baseline, baseline
from nqbench.analysis.by_instance import savings_by_instance, searches_in_pairs
from nqbench.analysis.comparing import Comparison, compare, compare_runs, find_side
from nqbench.analysis.engines import (
    SAMPLED,
    costs,
    engine_ratios,
    join_phases,
    latest_engines,
)
from nqbench.analysis.frames import (
    POINT,
    checks,
    counters,
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
    study,
    timings,
)
from nqbench.analysis.predictions import (
    errors_of_estimates,
    estimated_levels,
    estimates,
    extrapolation,
    law,
)
from nqbench.analysis.puzzles import latest_rates, nodes_by_difficulty, rates_of_solvers
from nqbench.analysis.ratios import Ratio, kernels, ratio, ratios
from nqbench.analysis.run_lengths import (
    fit_tail,
    run_lengths,
    saved_by_restarts,
    survival_of_runs,
    tail_indices,
)
from nqbench.analysis.savings import branching_factor, gains, shapes, survival
from nqbench.analysis.solver_sets import (
    cactus,
    decided_together,
    limit_of_search,
    nodes_by_instance,
    nodes_by_puzzle,
    par2,
    performance_profile,
    seconds_by_n,
)
from nqbench.analysis.transitions import half_points, transitions
from nqbench.analysis.uncertainty import (
    NOT_SIGNIFICANT,
    chance,
    holm,
    interval,
    verdicts,
    verdicts_by_n,
    warnings,
)

__all__ = ["NOT_SIGNIFICANT", "POINT", "SAMPLED", "SERIES", "Comparison", "Ratio",
           "against_baseline", "baseline", "branching_factor", "cactus", "chance",
           "changes", "checks", "compare", "compare_runs", "costs", "counters", "decided_together",
           "descriptions", "engine_ratios", "errors_of_estimates", "estimated_levels", "estimates",
           "extrapolation", "find_side", "fit_tail", "gains", "gauges", "half_points", "history",
           "holm", "interval", "join_phases", "kernels", "latest", "latest_engines",
           "latest_rates", "law", "left_out", "limit_of_search",
           "load", "machines", "nodes_by_difficulty", "nodes_by_instance", "nodes_by_puzzle",
           "not_available", "outcomes", "par2", "performance_profile", "profiles",
           "pruning", "rates_of_solvers", "ratio", "ratios", "run_lengths", "saved_by_restarts",
           "savings_by_instance", "searches_in_pairs", "seconds_by_n", "shapes",
           "study", "survival", "survival_of_runs", "tail_indices", "timings",
           "transitions", "verdicts", "verdicts_by_n", "warnings"]
