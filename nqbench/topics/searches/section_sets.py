"""Solvers as a set, and against the baseline of a study."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis import NOT_SIGNIFICANT
from nqbench.analysis.uncertainty import NOT_KNOWN
from nqbench.problems.solver import SolverKey
from nqbench.report import style
from nqbench.report.formats import plural
from nqbench.report.frames import ENOUGH, Frames
from nqbench.report.marks import name as named
from nqbench.report.marks import series, tell
from nqbench.report.sections import Part, Section
from nqbench.report.solver_sets import cactus, performance
from nqbench.report.style import (
    COLOUR,
    MARKER,
    MEDIAN,
    dashes,
    figure,
    label_lines,
    one_two_five,
    sizes,
    solver,
)
from nqbench.report.tables import Taken, at_largest_common


@dataclass(frozen=True)
class SolversFacts:
    """The scores of all solvers.

    sizes: the n that are compared; limit: of one search, in seconds; allowed: whether the limit is
    that of the study, and not the longest search; rows: the table of scores.
    """

    sizes: list[int]
    limit: float
    allowed: bool
    rows: pd.DataFrame


def make_solvers(frames: Frames) -> Part | None:
    """Return the solvers over all n of the main run; None if there are no two to compare."""
    costs = analysis.seconds_by_n(frames.main, ENOUGH)
    if costs.empty or len(costs.columns) < 2:
        return None
    limit = analysis.limit_of_search(frames.main, costs)
    scores = analysis.par2(costs, limit).assign(limit=limit)
    profile, sorted_costs = analysis.performance_profile(costs), analysis.cactus(costs)
    return Part(
        SolversFacts(list(costs.index), limit, limit > np.nanmax(costs.to_numpy()),
                     scores.drop(columns="limit")),
        {"par2": scores}, {"performance": lambda: performance(profile),
                           "cactus": lambda: cactus(sorted_costs)}, {
            "par2": "PAR2 scores: mean seconds to find all solutions over "
                    f"n = {costs.index[0]} to {costs.index[-1]}, medians of {{samples}}; an n that "
                    "was not solved counts as twice the limit."},
        finding=solvers_finding(scores, list(costs.index)))


def solvers_finding(scores: pd.DataFrame, sizes: list[int]) -> str:
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


# The words for each verdict on a solver.
WORDS = {"faster": "significantly faster", "slower": "significantly slower",
         NOT_SIGNIFICANT: "not significantly faster or slower",
         NOT_KNOWN: "measured in {few}, which allows no verdict"}


@dataclass(frozen=True)
class BaselineFacts:
    """The solvers against the baseline at n, the largest n that most of them reached.

    over: the baseline; rows: the others there, the fastest first.
    """

    n: int
    over: SolverKey
    rows: pd.DataFrame
    taken: Taken

    @property
    def shown(self) -> pd.DataFrame:
        """The table at n."""
        return self.rows.drop(columns="n").dropna(axis="columns", how="all")

    @property
    def groups(self) -> list[tuple[str, pd.DataFrame]]:
        """The solvers by their verdict, in words."""
        found = [(words, self.rows[self.rows["verdict"] == verdict])
                 for verdict, words in WORDS.items()]
        return [(words.format(few=self.taken.few), rows) for words, rows in found if len(rows)]

    @property
    def finding(self) -> str:
        """The number of solvers that are faster."""
        faster = int((self.rows["verdict"] == "faster").sum())
        return (f"{faster or 'None'} of {len(self.rows)} {plural(len(self.rows), 'solver')} "
                f"{plural(faster or 1, 'is', 'are')} significantly faster than {self.over}")

    @property
    def costly(self) -> pd.DataFrame:
        """The solvers that save nodes and lose time."""
        return self.rows[(self.rows["nodes"] > 1) & (self.rows["verdict"] == "slower")]


def make_baseline(frames: Frames) -> Part | None:
    """Return the solvers of the main run against the baseline of its study; None if it has none
    that was timed, or nothing to compare with it.
    """
    over = analysis.baseline(frames.main)
    timings = frames.timings[frames.timings["n"] >= ENOUGH]
    if over is None:
        return None
    found = analysis.against_baseline(timings, frames.counters, over)
    if found.empty:
        return None
    rows = at_largest_common(found).sort_values("ratio", ascending=False, kind="stable")
    key = SolverKey(*over)
    made = BaselineFacts(int(rows["n"].iloc[0]), key, rows, frames.taken)
    return Part(
        made, {"baseline": found.assign(baseline=str(key))},
        {"baseline": lambda: against_baseline(found, style.solver(*over))}, {
            "baseline": f"Time and nodes of the baseline, {key}, divided by those of each "
                        "solver; above 1 is a gain: medians of {samples}, with 95 % bootstrap "
                        "intervals (low, high)."}, finding=made.finding)


GREY = "#6e6e6e"
ROOM = 0.28  # room for the labels, as a part of the width


def against_baseline(found: pd.DataFrame, over: str) -> Figure:
    """Draw the time of the baseline over that of each solver against n: median, and its 95 %
    bootstrap interval.
    """
    with figure(7.2, 4.6) as (made, (axes,)):
        axes.axhline(1, xmax=1 - ROOM, color=GREY, linewidth=0.8)
        ends = [(float(found["n"].max()), 1.0, over, GREY)]
        for key, rows in found.groupby(["algorithm", "implementation"], sort=False):
            name, way = map(str, cast("tuple[str, str]", key))
            colour, label = COLOUR[name], solver(name, way)
            with series(axes, named(name, way)):
                axes.fill_between(rows["n"], rows["low"], rows["high"], color=colour, alpha=0.18,
                                  linewidth=0)
                if len(rows) == 1:  # a band without a width
                    axes.vlines(rows["n"], rows["low"], rows["high"], color=colour, linewidth=3,
                                alpha=0.35)
                axes.plot(rows["n"], rows["ratio"], color=colour, linestyle=dashes(way),
                          marker=MARKER[name], label=label)
            tell(axes, label, rows[["n", "ratio", "low", "high"]], "n", "ratio")
            last = rows.iloc[-1]
            ends.append((last["n"], last["ratio"], label, colour))
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, 0.5), max(high, 2.0))  # three marks of the scale, even in a close-up
        one_two_five(axes.yaxis)
        axes.set_title(f"Times faster than {over}")
        axes.set_ylabel(f"time of {over} / own time\n{MEDIAN}")
        label_lines(axes, ends, ROOM)
        sizes(axes, found["n"])
    return made


SECTIONS = (
    Section("solvers", "Solvers as a set", 145, make_solvers, requires=("timings",), named=False,
            chapter="How fast"),
    Section("baseline", "Against the baseline", 15, make_baseline, requires=("timings",),
            timed=True, chapter="How fast"),
)
