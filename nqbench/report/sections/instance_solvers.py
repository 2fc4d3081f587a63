"""The algorithms for instances of queens as a set, compared over all random instances."""

from dataclasses import dataclass

import pandas as pd

from nqbench import analysis
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.plots.solver_sets import MOST
from nqbench.report.sections import Part, Section
from nqbench.report.tables import fewest_nodes


@dataclass(frozen=True)
class Facts:
    """The scores of all algorithms: nodes_allowed for each instance; rows: the table of scores;
    points: the most points of a line.
    """

    nodes_allowed: list[int]
    rows: pd.DataFrame
    points: int = MOST


def build(frames: Frames) -> Part | None:
    """Return the algorithms over the instances of each family that they have decided; None if no
    two have decided the same ones.
    """
    records = analysis.decided_together(frames.records)
    costs = {name: found for name, found in analysis.nodes_by_instance(records).items()
             if found.notna().any(axis=None)}
    if not costs:
        return None
    limits = records.groupby("family")["nodes_allowed"].min()[list(costs)]
    scores = pd.concat([
        analysis.par2(found, limits[name]).assign(family=name, limit=int(limits[name]))
        for name, found in costs.items()], ignore_index=True)
    scores = scores[["family", "algorithm", "problems", "solved", "par2", "limit"]]
    scores = scores.rename(columns={"problems": "instances", "solved": "decided"})
    profiles = {name: analysis.performance_profile(found) for name, found in costs.items()}
    sorted_costs = {name: analysis.cactus(found) for name, found in costs.items()}
    return Part(
        Facts(sorted(map(int, limits.unique())), scores.drop(columns="limit")),
        {"instance_par2": scores},
        {"instance_performance": lambda: plots.instance_performance(profiles),
         "instance_cactus": lambda: plots.instance_cactus(sorted_costs)}, {
            "instance_par2": "PAR2 scores: mean nodes over random instances of queens; an instance "
                             "that was not decided counts as twice the limit."}, records,
        fewest_nodes(scores, "family", "random boards"))


SECTION = Section("instance_solvers", "Algorithms for instances as a set", 88, build, named=False,
                  chapter="What pruning saves")
