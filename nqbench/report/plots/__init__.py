"""The plots: each function takes tidy frames and returns a matplotlib figure.

See `nqbench.analysis` for the columns of the frames.
"""

from nqbench.report.plots.baselines import against_baseline
from nqbench.report.plots.by_instance import by_instance
from nqbench.report.plots.commits import across_commits
from nqbench.report.plots.engines import solution_costs
from nqbench.report.plots.estimating import (
    FIRST_ROOT,
    PROFILED,
    estimated_profiles,
    estimates,
    extrapolated,
)
from nqbench.report.plots.growth import cython, families, nodes, rate, same_lines, time, work
from nqbench.report.plots.new_numbers import estimate_errors, exact_profiles, squares_tried
from nqbench.report.plots.puzzles import puzzle_difficulty, puzzle_rates
from nqbench.report.plots.run_lengths import run_survival
from nqbench.report.plots.saving import heat, levels, mirror, profile_curves, savings
from nqbench.report.plots.solver_sets import (
    cactus,
    instance_cactus,
    instance_performance,
    performance,
    puzzle_cactus,
    puzzle_performance,
)
from nqbench.report.plots.steps import steps
from nqbench.report.plots.transitions import transition

__all__ = ["FIRST_ROOT", "PROFILED", "across_commits", "against_baseline", "by_instance", "cactus",
           "cython", "estimate_errors", "estimated_profiles", "estimates",
           "exact_profiles", "extrapolated", "families", "heat", "instance_cactus",
           "instance_performance", "levels", "mirror", "nodes", "performance",
           "profile_curves", "puzzle_cactus", "puzzle_difficulty", "puzzle_performance",
           "puzzle_rates", "rate", "run_survival", "same_lines", "savings", "solution_costs",
           "squares_tried", "steps", "time", "transition", "work"]
