"""The solvers of Sudoku as a set, compared over all puzzles."""

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
    """The scores of all solvers: nodes_allowed for each puzzle; rows: the table of scores;
    left_out: the number of combinations of solver and data set that were not searched; points: the
    most points of a line.
    """

    nodes_allowed: list[int]
    rows: pd.DataFrame
    left_out: int
    points: int = MOST


def build(frames: Frames) -> Part | None:
    """Return the solvers over the puzzles of each data set; None if none was measured."""
    rates = frames.rates
    costs = {name: found for name, found in analysis.nodes_by_puzzle(rates).items()
             if len(found.columns) > 1 and found.notna().any(axis=None)}
    if not costs:
        return None
    limits = rates.groupby("data_set")["nodes_allowed"].max()
    scores = pd.concat([
        analysis.par2(found, limits[name]).assign(data_set=name, limit=int(limits[name]))
        for name, found in costs.items()], ignore_index=True)
    searched = rates[rates["status"] != "left out"].groupby(["data_set", "algorithm"]).size()
    scores["searched"] = ["yes" if key in searched.index else "no"
                          for key in zip(scores["data_set"], scores["algorithm"], strict=True)]
    scores = scores[["data_set", "algorithm", "problems", "solved", "par2", "limit", "searched"]]
    scores = scores.rename(columns={"problems": "puzzles"})
    profiles = {name: analysis.performance_profile(found) for name, found in costs.items()}
    sorted_costs = {name: analysis.cactus(found) for name, found in costs.items()}
    return Part(
        Facts(sorted(map(int, limits[list(costs)].unique())), scores.drop(columns="limit"),
              int((scores["searched"] == "no").sum())),
        {"sudoku_par2": scores},
        {"sudoku_performance": lambda: plots.puzzle_performance(profiles),
         "sudoku_cactus": lambda: plots.puzzle_cactus(sorted_costs)}, {
            "sudoku_par2": "PAR2 scores: mean nodes over the puzzles of a data set; a puzzle that "
                           "was not solved counts as twice the limit."}, rates,
        fewest_nodes(scores, "data_set", "puzzles"))


SECTION = Section("sudoku_solvers", "Solvers of Sudoku as a set", 185, build, requires=("rates",),
                  named=False, chapter="Sudoku")
