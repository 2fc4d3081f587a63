"""Random instances of queens: which have a solution, what each idea saves, solvers as a set."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.problems.instances.families import FAMILIES
from nqbench.report.frames import Frames
from nqbench.report.marks import name as named
from nqbench.report.marks import series, tell
from nqbench.report.sections import Part, Section
from nqbench.report.solver_sets import MOST, by_panel, cactuses, performances
from nqbench.report.style import COLOUR, MARKER, figure, one_two_five
from nqbench.report.tables import fewest_nodes
from nqbench.topics.instances.frames import (
    BOARDS,
    SAME_TREE,
    SAVES,
    half_points,
    savings_by_instance,
    searches_in_pairs,
    transitions,
)
from nqbench.util.text import format_float, format_justified

ABOUT_HALF = 0.25, 0.75  # shares of instances with a solution


@dataclass(frozen=True)
class TransitionFinding:
    """The results of the instances of a family.

    name, amount, axis: those of the family; n: the largest n whose shares cross one half, None if
    there is none; half: its row in the table of these points; hardest, easiest: the largest and the
    smallest median of nodes for that n; at, share: the density of the hardest, and the share of its
    instances that have a solution; first: whether it is the least density.
    """

    name: str
    amount: str
    axis: str
    n: int | None = None
    half: pd.Series | None = None
    hardest: float = 0.0
    easiest: float = 0.0
    at: float = 0.0
    share: float = 0.0
    first: bool = False

    @property
    def near_half(self) -> bool:
        """Whether the hardest instances are those of which about half have a solution."""
        return self.hardest > self.easiest and ABOUT_HALF[0] <= self.share <= ABOUT_HALF[1]


@dataclass(frozen=True)
class TransitionsFacts:
    """The findings, and the least and the largest number of instances for a point."""

    findings: list[TransitionFinding]
    instances: int
    most: int
    gave_up: int

    @property
    def finding(self) -> str:
        """Where the first family is hardest, if about half of these instances have a solution, or
        else where half of them have one; empty if no shares cross one half.
        """
        for each in self.findings:
            if each.near_half:
                return (f"Random boards of {each.n} queens are hardest at about "
                        f"{format_float(each.at)} {each.axis}")
            if each.half is not None:
                middle = format_justified(*each.half[["density", "low", "high"]])
                return (f"Half of the boards of {each.n} queens have a solution at {middle} "
                        f"{each.axis}")
        return ""

    @property
    def at_half(self) -> list[TransitionFinding]:
        """The families that are hardest where about half of the instances have a solution."""
        return [each for each in self.findings if each.near_half]


def make_transitions(frames: Frames) -> Part:
    """Return a figure for each family, the table of all points, and the table of the half points.
    """
    found = frames.of(transitions)
    middles = half_points(found)
    families = list(found["family"].drop_duplicates())
    made = TransitionsFacts([transitions_finding(name, found, middles) for name in families],
                            int(found["instances"].min()),
                            int(found["instances"].max()), int(found["gave_up"].sum()))
    return Part(
        made, {"transitions": found, "half_points": middles},
        {f"transition_{name}": partial(transition, found[found["family"] == name])
         for name in families},
        {"transitions": "Random instances of queens: how many have a solution, and the nodes until "
                        "an instance is decided.",
         "half_points": "Where half of the random instances have a solution, with 95 % intervals."},
        frames.records[frames.records["metric"] == "transition"], made.finding)


def transitions_finding(name: str, found: pd.DataFrame, middles: pd.DataFrame) -> TransitionFinding:
    """Return the finding of a family, at the largest n whose shares cross one half."""
    family = FAMILIES[name]
    crossing = middles[middles["family"] == name].sort_values("n")
    if crossing.empty:
        return TransitionFinding(name, family.amount, family.axis)
    half = crossing.iloc[-1]
    points = found[(found["family"] == name) & (found["n"] == half["n"])]
    hardest = points.loc[points["nodes"].astype(float).idxmax()]
    return TransitionFinding(name, family.amount, family.axis, int(half["n"]), half,
                             hardest["nodes"], points["nodes"].min(), hardest["density"],
                             hardest["share"],
                             bool(hardest["density"] == points["density"].min()))


LOOKS = (("#56b4e9", "o"), ("#0072b2", "s"), ("#009e73", "D"), ("#e69f00", "^"), ("#d55e00", "v"),
         ("#882255", "P"))


def transition(found: pd.DataFrame) -> Figure:
    """Draw for one family the share of solvable instances and the median of the nodes against the
    density, a line for each n, with 95 % intervals of the shares.
    """
    family = FAMILIES[found["family"].iloc[0]]
    with figure(10.4, 4.0, 2) as (made, (shares, nodes)):
        for k, (n, rows) in enumerate(found.groupby("n")):
            colour, marker = LOOKS[k % len(LOOKS)]
            known = rows[np.isfinite(rows["nodes"].astype(float))]
            with series(shares, f"n = {n}"), series(nodes, f"n = {n}"):
                shares.vlines(rows["density"], rows["low"], rows["high"], color=colour,
                              linewidth=1, alpha=0.6)
                shares.plot(rows["density"], rows["share"], color=colour, marker=marker,
                            label=f"n = {n}")
                nodes.plot(known["density"], known["nodes"], color=colour, marker=marker)
            tell(shares, f"n = {n}", rows[["density", "share", "low", "high", "instances"]],
                 "density", "share")
            tell(nodes, f"n = {n}", known[["density", "nodes", "instances"]], "density", "nodes")
        shares.set_ylim(-0.03, 1.03)
        shares.set_title("Share of instances with a solution")
        shares.legend(frameon=False)
        nodes.set_yscale("log")
        one_two_five(nodes.yaxis)
        nodes.set_title("Nodes to decide an instance, median")
        for axes in (shares, nodes):
            axes.set_xlabel(family.axis)
        made.supylabel("lines: 95 % intervals", fontsize=9)
    return made


@dataclass(frozen=True)
class InstanceFinding:
    """What the ideas save on the boards of a family, for the n with the most instances.

    best: the row of the idea that saves the most, None if none does significantly; others: the rows
    of the other ideas that save nodes; same: those with the same tree; rest: all other rows.
    """

    name: str
    amount: str
    n: int
    instances: int
    best: pd.Series | None
    others: pd.DataFrame
    same: pd.DataFrame
    rest: pd.DataFrame


@dataclass(frozen=True)
class ByInstanceFacts:
    """The findings, and the table of all ideas."""

    findings: list[InstanceFinding]
    rows: pd.DataFrame

    @property
    def finding(self) -> str:
        """The largest saving on the median board of the first family."""
        best = self.findings[0].best
        if best is None:
            return ""
        times = format_justified(best["ratio"], best["low"], best["high"])
        return (f"{best['idea']} takes {times} times fewer nodes than {best['without']} on random "
                "boards")


def make_by_instance(frames: Frames) -> Part:
    """Return a figure for each family, and the table of all ideas."""
    pairs = frames.of(searches_in_pairs)
    found = savings_by_instance(pairs)
    findings, figures = [], {}
    for name, rows in found.groupby("family", sort=False):
        most = rows[rows["instances"] == rows["instances"].max()]
        here = rows[rows["n"] == most["n"].max()]
        findings.append(by_instance_finding(str(name), here))
        shown = pairs[(pairs[BOARDS] == here.iloc[0][BOARDS]).all(axis=1) & pairs["idea"].isin(
            here.loc[here["verdict"] != SAME_TREE, "idea"])]
        if len(shown):
            figures[f"by_instance_{name}"] = partial(by_instance, shown)
    made = ByInstanceFacts(findings, found)
    return Part(
        made, {"savings_by_instance": found}, figures,
        {"savings_by_instance": "Random instances of queens: in how many an idea takes fewer nodes "
                                "than the same search without it, and the median of the ratios."},
        frames.records[frames.records["metric"] == "transition"], made.finding)


def by_instance_finding(name: str, rows: pd.DataFrame) -> InstanceFinding:
    """Return the finding of the boards of a family and an n."""
    saving = rows[rows["verdict"] == SAVES].sort_values("ratio", ascending=False, kind="stable")
    same = rows[rows["verdict"] == SAME_TREE]
    first = rows.iloc[0]
    return InstanceFinding(name, FAMILIES[name].amount, int(first["n"]),
                           int(rows["instances"].max()),
                           saving.iloc[0] if len(saving) else None, saving[1:], same,
                           rows.drop([*saving.index, *same.index]))


DECIDED, CENSORED = "#0072b2", "#d55e00"
ACROSS = 2
ROOM = 1.3  # times the nodes, around all points


def by_instance(pairs: pd.DataFrame) -> Figure:
    """Draw the nodes of each instance with an idea against those without it, with a panel for each
    idea; an instance on which a search gave up is an orange triangle at the limit.
    """
    panels = [rows for _, rows in pairs.groupby(["idea", "without"], sort=False)]
    down = -(-len(panels) // ACROSS)
    with figure(8.4, 3.6 * down + 0.4, ACROSS, down) as (made, drawn):
        for axes in drawn[len(panels):]:
            axes.remove()
        for axes, rows in zip(drawn, panels, strict=False):
            both = rows["ended"] & rows["ended_without"]
            axes.set_xscale("log")
            axes.set_yscale("log")
            for some, colour, marker in ((both, DECIDED, "o"), (~both & rows["ended"], CENSORED,
                                         ">"), (~rows["ended"], CENSORED, "^")):
                axes.scatter(rows["nodes_without"][some], rows["nodes"][some], color=colour,
                             s=9 if marker == "o" else 22, marker=marker, alpha=0.6, linewidths=0)
            axes.plot(rows["nodes_without"].median(), rows["nodes"].median(), "P", markersize=8,
                      color="#1b1b1b", label="medians")
            middle = rows[["nodes_without", "nodes"]].median().to_frame().T
            tell(axes, "medians", middle, "nodes_without", "nodes")
            nodes = rows[["nodes", "nodes_without"]].to_numpy(dtype=float)
            ends = [nodes.min() / ROOM, nodes.max() * ROOM]
            axes.plot(ends, ends, color="#7f7f7f", linewidth=0.8)
            axes.set_xlim(*ends)
            axes.set_ylim(*ends)
            axes.set_title(rows["idea"].iloc[0])
            axes.set_xlabel(f"nodes of {rows['without'].iloc[0]}")
            axes.set_ylabel(f"nodes of {rows['idea'].iloc[0]}")
        made.supxlabel("a point is an instance; below the line the idea takes fewer nodes; "
                       "triangles: gave up; cross: medians", fontsize=9)
    return made


@dataclass(frozen=True)
class InstanceSolversFacts:
    """The scores of all algorithms: nodes_allowed for each instance; rows: the table of scores;
    points: the most points of a line.
    """

    nodes_allowed: list[int]
    rows: pd.DataFrame
    points: int = MOST


def make_instance_solvers(frames: Frames) -> Part | None:
    """Return the algorithms over the instances of each family that they have decided; None if no
    two have decided the same ones.
    """
    records = analysis.decided_together(frames.records)
    costs = {name: found for name, found in analysis.nodes_by_instance(records).items()
             if found.notna().any(axis=None)}
    if not costs:
        return None
    limits = records.groupby("family")["nodes_allowed"].min()[list(costs)]
    scores = analysis.par2_by("family", costs, limits)
    scores = scores[["family", "algorithm", "problems", "solved", "par2", "limit"]]
    scores = scores.rename(columns={"problems": "instances", "solved": "decided"})
    profiles = {name: analysis.performance_profile(found) for name, found in costs.items()}
    sorted_costs = {name: analysis.cactus(found) for name, found in costs.items()}
    return Part(
        InstanceSolversFacts(sorted(map(int, limits.unique())), scores.drop(columns="limit")),
        {"instance_par2": scores},
        {"instance_performance": lambda: instance_performance(profiles),
         "instance_cactus": lambda: instance_cactus(sorted_costs)}, {
            "instance_par2": "PAR2 scores: mean nodes over random instances of queens; an instance "
                             "that was not decided counts as twice the limit."}, records,
        fewest_nodes(scores, "family", "random boards"))


def instance_performance(profiles: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw by family the share of its random instances that each algorithm decides within a factor
    of the fewest nodes.
    """
    return performances(by_panel(profiles, ["tau", "share"], _look_of_queens, named),
                        "times the nodes of the smallest tree", "share of the instances decided")


def instance_cactus(found: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw by family how many random instances each algorithm decides against the nodes allowed for
    each.
    """
    return cactuses(by_panel(found, ["solved", "cost"], _look_of_queens, named),
                    "instances decided", "nodes allowed for each instance", same=False)


def _look_of_queens(algorithm: str) -> tuple[str, Any]:
    """Return colour and marker of an algorithm for instances: those of the algorithm for queens
    with the same name.
    """
    return COLOUR[algorithm], MARKER[algorithm]


SECTIONS = (
    Section("transitions", "Random instances", 85, make_transitions, requires=(transitions,),
            chapter="What pruning saves"),
    Section("by_instance", "Savings per instance", 86, make_by_instance,
            requires=(searches_in_pairs,), chapter="What pruning saves"),
    Section("instance_solvers", "Algorithms for instances as a set", 88, make_instance_solvers,
            named=False, chapter="What pruning saves"),
)
