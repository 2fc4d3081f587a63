"""Random instances of queens: which have a solution, and what each idea saves."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nqbench.problems.instances.families import FAMILIES
from nqbench.report.drawings import Choice, series, tell
from nqbench.report.frames import Frames
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.report.style import figure, grid, one_two_five
from nqbench.topics.instances import frames as instances
from nqbench.topics.instances.frames import BOARDS, SAME_TREE, SAVES, searches_in_pairs, transitions
from nqbench.util.text import format_float, format_justified

ABOUT_HALF = 0.25, 0.75  # shares of instances with a solution


def make_transitions(frames: Frames) -> Part:
    """Return a figure for each family, the table of all points, and the table of the half points.

    findings: those of each family; instances, most: the least and the largest number of instances
    for a point; gave_up: the number of searches that did.
    """
    found = frames.of(transitions)
    middles = instances.half_points(found)
    families = list(found["family"].drop_duplicates())
    findings = [of_family(name, found, middles) for name in families]
    made = Facts(findings=findings, instances=int(found["instances"].min()),
                 most=int(found["instances"].max()), gave_up=int(found["gave_up"].sum()))
    return Part(
        made, {"transitions": found, "half_points": middles},
        {"transitions": Choice("Boards", {
            FAMILIES[name].amount: partial(transition, found[found["family"] == name])
            for name in families}, FAMILIES[families[0]].amount)},
        frames.records[frames.records["metric"] == "transition"],
        claim(transitions_finding(findings), n=int(found["n"].max()), processes=None))


def transitions_finding(findings: list[Facts]) -> str:
    """Return where the first family is hardest, if about half of these instances have a solution,
    or else where half of them have one; empty if no shares cross one half.
    """
    for each in findings:
        if each.near_half:
            return (f"Random boards of {each.n} queens are hardest at about "
                    f"{format_float(each.at)} {each.axis}")
        if each.half is not None:
            middle = format_justified(*each.half[["density", "low", "high"]])
            return f"Half of the boards of {each.n} queens have a solution at {middle} {each.axis}"
    return ""


def of_family(name: str, found: pd.DataFrame, middles: pd.DataFrame) -> Facts:
    """Return the finding of a family, at n, the largest whose shares cross one half.

    name, amount, axis: those of the family; half: the row of n in the table of these points, None
    if there is none; at: the density with the largest median of nodes; near_half: whether about
    half of the instances there have a solution.
    """
    family = FAMILIES[name]
    head = {"name": name, "amount": family.amount, "axis": family.axis}
    crossing = middles[middles["family"] == name].sort_values("n")
    if crossing.empty:
        return Facts(**head, n=None, half=None, near_half=False)
    half = crossing.iloc[-1]
    points = found[(found["family"] == name) & (found["n"] == half["n"])]
    hardest = points.loc[points["nodes"].astype(float).idxmax()]
    at, share, easiest = hardest["density"], hardest["share"], points["nodes"].min()
    return Facts(**head, n=int(half["n"]), half=half, at=at, near_half=(
        hardest["nodes"] > easiest and ABOUT_HALF[0] <= share <= ABOUT_HALF[1]))


LOOKS = (("#56b4e9", "o"), ("#0072b2", "s"), ("#009e73", "D"), ("#e69f00", "^"), ("#d55e00", "v"),
         ("#882255", "P"))


def transition(found: pd.DataFrame) -> Figure:
    """Draw for one family the share of solvable instances and the median of the nodes against the
    density, a line for each n, with 95 % intervals of the shares.
    """
    family = FAMILIES[found["family"].iloc[0]]
    with figure(10.4, 3.4, 2) as (made, (shares, nodes)):
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
        made.supylabel("share with a solution (bars: 95 %)", fontsize=9)
    return made


def make_by_instance(frames: Frames) -> Part:
    """Return a figure and a finding for each family, and the table of all ideas."""
    pairs = frames.of(searches_in_pairs)
    found = instances.savings_by_instance(pairs)
    findings, figures = [], {}
    for name, rows in found.groupby("family", sort=False):
        most = rows[rows["instances"] == rows["instances"].max()]
        here = rows[rows["n"] == most["n"].max()]
        findings.append(by_instance_finding(str(name), here))
        shown = pairs[(pairs[BOARDS] == here.iloc[0][BOARDS]).all(axis=1) & pairs["idea"].isin(
            here.loc[here["verdict"] != SAME_TREE, "idea"])]
        if len(shown):
            figures[FAMILIES[str(name)].amount] = partial(by_instance, shown)
    return Part(
        Facts(findings=findings, rows=found), {"savings_by_instance": found},
        {"by_instance": Choice("Boards", figures, next(iter(figures)))} if figures else {},
        frames.records[frames.records["metric"] == "transition"],
        claim(_largest_saving(findings[0].best), n=findings[0].n, processes=None))


def _largest_saving(best: "pd.Series[Any] | None") -> str:
    """Return the largest saving on the median board of the first family, in words."""
    if best is None:
        return ""
    times = format_justified(best["ratio"], best["low"], best["high"])
    return f"{best['idea']} takes {times} times fewer nodes than {best['without']} on random boards"


def by_instance_finding(name: str, rows: pd.DataFrame) -> Facts:
    """Return what the ideas save on the boards of a family, for the n with the most instances.

    best: the row of the idea that saves the most, None if none does significantly; same: those with
    the same tree.
    """
    saving = rows[rows["verdict"] == SAVES].sort_values("ratio", ascending=False, kind="stable")
    return Facts(amount=FAMILIES[name].amount, n=int(rows["n"].iloc[0]),
                 instances=int(rows["instances"].max()),
                 best=saving.iloc[0] if len(saving) else None,
                 same=rows[rows["verdict"] == SAME_TREE])


DECIDED, CENSORED = "#0072b2", "#d55e00"
ACROSS = 2
ROOM = 1.3  # times the nodes, around all points


def by_instance(pairs: pd.DataFrame) -> Figure:
    """Draw the nodes of each instance with an idea against those without it, with a panel for each
    idea; an instance on which a search gave up is an orange triangle at the limit.
    """
    panels = [rows for _, rows in pairs.groupby(["idea", "without"], sort=False)]
    with grid(len(panels), ACROSS, 4.2, 3.0, (0, 0.4)) as (made, drawn):
        for axes, rows in zip(drawn, panels, strict=True):
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


SECTIONS = (
    Section("transitions", "Random instances", 85, make_transitions, requires=(transitions,),
            chapter="What pruning saves"),
    Section("by_instance", "Savings per instance", 86, make_by_instance,
            requires=(searches_in_pairs,), chapter="What pruning saves"),
)
