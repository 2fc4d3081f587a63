"""Estimates from random probes, beside what is known and beyond it."""

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.probing import ENOUGH, LAW, NORMAL
from nqbench.report.style import figure, sizes

FIRST_ROOT = 8  # below it Q(n)^(1/n) / n jumps about
METHOD = {"knuth": ("#0072b2", "o", "Knuth's probes"),
          "stratified": ("#d55e00", "s", "stratified, Chen")}


def estimates(found: pd.DataFrame) -> Figure:
    """Estimates over the published values, with 95 % intervals; hollow where few probes came
    to a solution.
    """
    known = found[found["known"].notna()]
    with figure(10.4, 3.8, 2) as (made, panels):
        for axes, quantity in zip(panels, ("nodes", "solutions"), strict=True):
            axes.axhline(1, color="#8a8a8a", linewidth=0.8)
            for shift, (method, (colour, marker, name)) in zip((-0.15, 0.15), METHOD.items(),
                                                               strict=True):
                rows = known[(known["quantity"] == quantity) & (known["method"] == method)]
                truth = rows["known"].astype(float)
                few = (rows["reached"] < ENOUGH) & (quantity == "solutions")
                axes.vlines(rows["n"] + shift, rows["low"] / truth, rows["high"] / truth,
                            color=colour, linewidth=1)
                for hollow, chosen in ((False, rows[~few]), (True, rows[few])):
                    axes.plot(chosen["n"] + shift, chosen["mean"] / truth[chosen.index], marker,
                              color=colour, markerfacecolor="none" if hollow else colour,
                              label=None if hollow else name)
            axes.set_title(f"{quantity.capitalize()}: estimate / published value")
            sizes(axes, known["n"][known["quantity"] == quantity])
            axes.tick_params("x", labelsize=7.5)
        panels[1].legend(frameon=False, loc="upper left")
    return made


def extrapolated(found: pd.DataFrame, law: pd.DataFrame) -> Figure:
    """Beyond what is known: nodes and solutions by the most exact estimate, and
    Q(n)^(1/n) / n on its way to the limit.
    """
    best = found.sort_values("error", kind="stable").drop_duplicates(["quantity", "n"])
    best = best.sort_values("n")
    with figure(10.4, 4.2, 2) as (made, (left, right)):
        for quantity, colour in (("nodes", "#0072b2"), ("solutions", "#d55e00")):
            rows = best[best["quantity"] == quantity]
            known = rows[rows["known"].notna()]
            left.fill_between(rows["n"], rows["low"], rows["high"], color=colour, alpha=0.3,
                              linewidth=0)
            left.plot(rows["n"], rows["mean"], color=colour, linewidth=1,
                      label=f"{quantity}, estimated")
            left.plot(known["n"], known["known"].astype(float), "o", color=colour,
                      label=f"{quantity}, published")
        left.set_yscale("log")
        left.set_title("The plain tree")
        left.legend(frameon=False, loc="upper left")
        rows = best[(best["quantity"] == "solutions") & (best["n"] > FIRST_ROOT)]
        known, beyond = rows[rows["known"].notna()], rows[rows["known"].isna()]
        for chosen, value, text, look in (
                (known, "known", "published", "o"), (beyond, "mean", "estimated, 95 %", "D"),
                (law, "solutions", "the law, fitted and carried on", "_-")):
            right.plot(chosen["n"], _roots(chosen, value), look, label=text)
        right.vlines(beyond["n"], _roots(beyond, "low"), _roots(beyond, "high"), linewidth=1)
        right.axhline(math.exp(-LAW), color="#8a8a8a", linestyle=(0, (4, 2)))
        right.annotate(f"the limit, e^-{LAW} = {math.exp(-LAW):.4f}", (FIRST_ROOT + 1,
                       math.exp(-LAW)), xytext=(0, 4), textcoords="offset points", fontsize=8,
                       color="#5a5a5a")
        right.set_title("Q(n)^(1/n) / n")
        right.legend(frameon=False, loc="upper right")
        for axes in (left, right):
            sizes(axes, best["n"] if axes is left else rows["n"])
            axes.tick_params("x", labelsize=7.5)
    return made


def _roots(rows: pd.DataFrame, column: str) -> Any:
    """Q(n)^(1/n) / n of a column."""
    return [float(value) ** (1 / n) / n for n, value in zip(rows["n"], rows[column], strict=True)]


def estimated_profiles(found: pd.DataFrame) -> Figure:
    """Where the plain tree is wide: the share of its nodes at each part of the way down."""
    with figure(7.2, 3.8) as (made, (axes,)):
        knuth = found[found["method"] == "knuth"]
        shown = [n for n in (10, 15, 20, 25, 30) if n in set(knuth["n"])]
        for n, colour, marker in zip(shown, ("#56b4e9", "#0072b2", "#009e73", "#d55e00", "#1b1b1b"),
                                     "osD^v", strict=False):
            rows = knuth[knuth["n"] == n]
            nodes = rows["mean"].sum()
            axes.errorbar(rows["level"] / n, rows["mean"] / nodes, NORMAL * rows["error"] / nodes,
                          color=colour, marker=marker, label=f"n = {n}", elinewidth=0.8)
        axes.set_title("The profile of the plain tree, estimated")
        axes.set_xlabel("queens placed / n")
        axes.set_ylabel("share of all nodes, 95 %")
        axes.yaxis.set_major_formatter("{x:.0%}")
        axes.legend(frameon=False, loc="upper left")
    return made
