"""The solvers of queens as a set, compared over all n."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nqbench import analysis
from nqbench.report import plots, style
from nqbench.report.frames import ENOUGH, Frames
from nqbench.report.sections import Part, Section


@dataclass(frozen=True)
class Facts:
    """The scores of all solvers.

    sizes: the n that are compared; limit: of one search, in seconds; allowed: whether the limit is
    that of the study, and not the longest search; rows: the table of scores.
    """

    sizes: list[int]
    limit: float
    allowed: bool
    rows: pd.DataFrame


def build(frames: Frames) -> Part | None:
    """Return the solvers over all n of the main run; None if there are no two to compare."""
    costs = analysis.seconds_by_n(frames.main, ENOUGH)
    if costs.empty or len(costs.columns) < 2:
        return None
    limit = analysis.limit_of_search(frames.main, costs)
    scores = analysis.par2(costs, limit).assign(limit=limit)
    profile, sorted_costs = analysis.performance_profile(costs), analysis.cactus(costs)
    return Part(
        Facts(list(costs.index), limit, limit > np.nanmax(costs.to_numpy()),
              scores.drop(columns="limit")),
        {"par2": scores}, {"performance": lambda: plots.performance(profile),
                           "cactus": lambda: plots.cactus(sorted_costs)}, {
            "par2": "PAR2 scores: mean seconds to find all solutions over "
                    f"n = {costs.index[0]} to {costs.index[-1]}, medians of {{samples}}; an n that "
                    "was not solved counts as twice the limit."},
        finding=find(scores, list(costs.index)))


def find(scores: pd.DataFrame, sizes: list[int]) -> str:
    """Return the solver that alone counted at all n, or else the one with the best score; empty if
    two have it.
    """
    whole = scores[scores["solved"] == scores["problems"]]
    if len(whole) == 1:
        solver = style.solver(*whole[["algorithm", "implementation"]].iloc[0])
        return f"Only {solver} counts all boards from {sizes[0]} to {sizes[-1]} queens in time"
    best = scores[scores["par2"] == scores["par2"].min()]
    if len(best) > 1:
        return ""
    name, implementation, problems, solved = best[
        ["algorithm", "implementation", "problems", "solved"]].iloc[0]
    return (f"{style.solver(name, implementation)} solves {solved} of {problems} n, with the best "
            "score")


SECTION = Section("solvers", "Solvers as a set", 145, build, requires=("timings",), named=False,
                  chapter="How fast")
