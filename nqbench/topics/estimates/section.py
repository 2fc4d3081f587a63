"""Estimates from random probes of trees that are too large to search."""

import math
from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from nqbench.engine.estimation import ENOUGH, LARGEST_N, LAW, NORMAL
from nqbench.problems.published import published
from nqbench.report.frames import Frames
from nqbench.report.marks import series, tell
from nqbench.report.sections import Facts, Part, Section
from nqbench.report.style import figure, sizes
from nqbench.topics.estimates.frames import estimated_levels, estimates, extrapolation
from nqbench.topics.estimates.frames import law as ln_of_law


def make_estimates(frames: Frames) -> Part:
    """Return the estimates, and the extrapolation beyond the published values if there are enough.
    """
    found, profiled = frames.of(estimates), estimated_levels(frames.records)
    tables = {"estimates": found}
    figures: dict[str, Callable[[], Figure]] = {}
    if found["known"].notna().any():
        figures["estimates"] = lambda: draw_estimates(found)
    if len(profiled):
        tables["estimated_profiles"] = shares(profiled)
    if (found["n"] > FIRST_ROOT).any():
        law = extrapolation()
        tables["extrapolation"] = beyond_known(found, law)
        figures["extrapolation"] = lambda: extrapolated(found, law)
        if profiled[profiled["method"] == "knuth"]["n"].isin(PROFILED).any():
            figures["estimated_profiles"] = lambda: estimated_profiles(
                tables["estimated_profiles"])
    made = _facts(found, profiled)
    return Part(made, tables, figures, {
        "estimates": "Nodes and solutions by random probes, with 95 % intervals (low, high), and "
                     "their distance from the known values.",
        "estimated_profiles": "Shares of the nodes by level, with 95 % intervals (low, high).",
        "extrapolation": "Solutions beyond the known values by a fitted law, with intervals.",
    }, frames.records[frames.records["metric"] == "estimate"], (
        f"{made.covered} of {made.intervals} intervals of 95 % contain the known value; "
        f"{round(0.95 * made.intervals)} are expected" if made.intervals else ""))


def _facts(found: pd.DataFrame, profiled: pd.DataFrame) -> Facts:
    """Return the facts of the estimates and of those of levels.

    knuth, stratified: the most probes by each method, None without any; shown, largest: a part of
    the estimates by Knuth's method, and the last one; widest: by n the level with most nodes;
    intervals, covered, farthest: the number of known values, of those that the intervals contain,
    and the largest distance in standard errors.
    """
    knuth = found[found["method"] == "knuth"]
    known = found[found["off"].notna()]
    probes = found.groupby("method")["probes"].max().to_dict()
    widest = profiled[(profiled["method"] == "knuth") & (profiled["n"] % 10 == 0)].sort_values(
        "mean")
    return Facts(
        knuth=probes.get("knuth"), stratified=probes.get("stratified"),
        shown=knuth[knuth["n"] % 4 == 0].drop(columns=["method", "seed"]),
        largest=knuth.sort_values("n").iloc[-1] if len(knuth) else None,
        widest=dict(widest.groupby("n")["level"].last().items()),
        intervals=len(known), covered=int((known["off"].abs() <= NORMAL).sum()),
        farthest=float(known["off"].abs().max()) if len(known) else 0.0)


def shares(profiled: pd.DataFrame) -> pd.DataFrame:
    """Return the share of each level in all estimated nodes: n, method, level, share, low, high."""
    nodes = profiled.groupby(["n", "method"])["mean"].transform("sum")
    share, wide = profiled["mean"] / nodes, NORMAL * profiled["error"] / nodes
    return profiled[["n", "method", "level"]].assign(share=share, low=share - wide,
                                                     high=share + wide)


def beyond_known(estimates: pd.DataFrame, law: pd.DataFrame) -> pd.DataFrame:
    """Return Q(n) beyond the known values: n, by (probes of a method, if enough of them reached a
    solution, or the law), solutions, low, high, and the distance of these ends from `solutions`, in
    per cent.
    """
    beyond = estimates[(estimates["quantity"] == "solutions") & estimates["known"].isna()
                       & (estimates["reached"] >= ENOUGH)]
    probed = beyond.rename(columns={"method": "by", "mean": "solutions"})
    found = pd.concat([probed, law.assign(by="the law, fitted")])
    found = found[["n", "by", "solutions", "low", "high"]]
    found["percent"] = 100 * (found["high"] - found["low"]) / (2 * found["solutions"])
    return found.sort_values("n", kind="stable").reset_index(drop=True)


FIRST_ROOT = 8  # below it Q(n)^(1/n) / n varies irregularly
METHOD = {"knuth": ("#0072b2", "o", "Knuth's probes"),
          "stratified": ("#d55e00", "s", "stratified, Chen")}


def draw_estimates(found: pd.DataFrame) -> Figure:
    """Draw estimates divided by the published values, with 95 % intervals; markers are hollow if
    few probes reached a solution.
    """
    known = found[found["known"].notna()]
    shown = [name for name in ("nodes", "solutions") if name in set(known["quantity"])]
    with figure(5.2 * len(shown), 3.8, len(shown)) as (made, panels):
        for axes, quantity in zip(panels, shown, strict=True):
            axes.axhline(1, color="#8a8a8a", linewidth=0.8)
            for shift, (method, (colour, marker, name)) in zip((-0.15, 0.15), METHOD.items(),
                                                               strict=True):
                rows = known[(known["quantity"] == quantity) & (known["method"] == method)]
                truth = rows["known"].astype(float)
                few = (rows["reached"] < ENOUGH) & (quantity == "solutions")
                with series(axes, method):
                    axes.vlines(rows["n"] + shift, rows["low"] / truth, rows["high"] / truth,
                                color=colour, linewidth=1)
                    for chosen, face, label in ((rows[~few], colour, name),
                                                (rows[few], "none", f"{name}, few came to one")):
                        if len(chosen):
                            axes.plot(chosen["n"] + shift, chosen["mean"] / truth[chosen.index],
                                      marker, color=colour, markerfacecolor=face, label=label)
                            tell(axes, label, chosen[["n", "probes", "mean", "low", "high",
                                                      "known", "off"]], chosen["n"] + shift,
                                 chosen["mean"] / truth[chosen.index])
            axes.set_title(quantity.capitalize())
            sizes(axes, known["n"][known["quantity"] == quantity])
            axes.tick_params("x", labelsize=7.5)
        panels[-1].legend(frameon=False, loc="upper left")
        made.supylabel("estimate / published value\nlines: 95 % intervals", fontsize=9)
    return made


def extrapolated(found: pd.DataFrame, law: pd.DataFrame) -> Figure:
    """Draw what is beyond the known values: nodes and solutions by the most exact estimate;
    Q(n)^(1/n) / n as it approaches the limit; and Q(n) divided by the fitted law, in a close-up.
    """
    usable = found[(found["reached"] >= ENOUGH) | (found["quantity"] == "nodes")]
    best = usable.sort_values("error", kind="stable").drop_duplicates(["quantity", "n"])
    best = best.sort_values("n")
    with figure(11.0, 4.2, 3) as (made, (left, middle, right)):
        for quantity, colour in (("nodes", "#0072b2"), ("solutions", "#d55e00")):
            rows = best[best["quantity"] == quantity]
            known = rows[rows["known"].notna()]
            left.plot(rows["n"], rows["mean"], color=colour, linewidth=1,
                      label=f"{quantity}, estimated")
            left.plot(known["n"], known["known"].astype(float), "o", color=colour,
                      label=f"{quantity}, published")
            tell(left, f"{quantity}, estimated", rows[["n", "method", "mean", "low", "high"]], "n",
                 "mean")
            tell(left, f"{quantity}, published", known[["n", "known"]], "n", "known")
        left.set_yscale("log")
        left.set_title("The plain tree")
        left.legend(frameon=False, loc="upper left")
        known = found[found["known"].notna() & (found["quantity"] == "solutions")
                      & (found["n"] > FIRST_ROOT)].drop_duplicates("n")
        beyond = usable[usable["known"].isna() & (usable["quantity"] == "solutions")]
        middle.plot(known["n"], _roots(known, "known"), "o", color="#1b1b1b", label="published")
        middle.plot(law["n"], _roots(law, "solutions"), "D", color="#009e73",
                    label="the law, fitted")
        tell(middle, "solutions, published", known[["n", "known"]], "n", _roots(known, "known"))
        tell(middle, "the law, fitted", law[["n", "solutions", "low", "high"]], "n",
             _roots(law, "solutions"))
        middle.axhline(math.exp(-LAW), color="#8a8a8a", linestyle=(0, (4, 2)))
        middle.annotate(f"the limit, e^-{LAW} = {math.exp(-LAW):.4f}", (FIRST_ROOT + 1,
                        math.exp(-LAW)), xytext=(0, 4), textcoords="offset points", fontsize=8,
                        color="#5a5a5a")
        middle.set_title("Q(n)^(1/n) / n")
        middle.legend(frameon=False, loc="upper right")
        _close_up(right, known, beyond, law)
        for axes in (left, middle):
            axes.set_xlabel("n")
            axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    return made


CLOSE_UP = 20  # from here on


def _close_up(axes: Axes, known: pd.DataFrame, beyond: pd.DataFrame, law: pd.DataFrame) -> None:
    """Draw Q(n) divided by the law fitted to all published values, with the intervals of both."""
    values = dict(published("A000170").up_to(LARGEST_N))
    axes.axhline(1, color="#8a8a8a", linewidth=0.8)
    near = known[known["n"] >= CLOSE_UP]
    ratios = [value / fitted_value(values, n)
              for n, value in zip(near["n"], near["known"], strict=True)]
    axes.plot(near["n"], ratios, "o", color="#1b1b1b", label="published")
    tell(axes, "solutions, published", near[["n", "known"]], "n", ratios)
    axes.fill_between(law["n"], 1 - law["uncertainty"], 1 + law["uncertainty"], color="#009e73",
                      alpha=0.2, linewidth=0, label="the law, worst of its earlier errors")
    for shift, (method, (colour, marker, name)) in zip((-0.12, 0.12), METHOD.items(), strict=True):
        rows = beyond[beyond["method"] == method]
        scale = [fitted_value(values, n) for n in rows["n"]]
        with series(axes, method):
            axes.vlines(rows["n"] + shift, rows["low"] / scale, rows["high"] / scale, color=colour,
                        linewidth=1)
            axes.plot(rows["n"] + shift, rows["mean"] / scale, marker, color=colour,
                      label=f"{name}, 95 %")
            tell(axes, name, rows[["n", "probes", "mean", "low", "high"]], rows["n"] + shift,
                 rows["mean"] / scale)
    axes.set_title("Q(n) / the fitted law")
    sizes(axes, [CLOSE_UP, *law["n"]])
    axes.legend(frameon=False, loc="upper left", fontsize=7.5)


def fitted_value(values: dict[int, int], n: int) -> float:
    """Return Q(n) by the law."""
    return math.exp(ln_of_law(values, n))


def _roots(rows: pd.DataFrame, column: str) -> Any:
    """Return Q(n)^(1/n) / n of a column."""
    return [float(value) ** (1 / n) / n for n, value in zip(rows["n"], rows[column], strict=True)]


PROFILED = (10, 15, 20, 25, 30)  # these n have a line


def estimated_profiles(found: pd.DataFrame) -> Figure:
    """Draw where the plain tree is wide: the share of its nodes at each relative depth."""
    with figure(7.2, 3.8) as (made, (axes,)):
        knuth = found[found["method"] == "knuth"]
        shown = [n for n in PROFILED if n in set(knuth["n"])]
        for n, colour, marker in zip(shown, ("#56b4e9", "#0072b2", "#009e73", "#d55e00", "#1b1b1b"),
                                     "osD^v", strict=False):
            rows = knuth[knuth["n"] == n]
            axes.errorbar(rows["level"] / n, rows["share"], rows["high"] - rows["share"],
                          color=colour, marker=marker, label=f"n = {n}", elinewidth=0.8)
            tell(axes, f"n = {n}, by Knuth", rows[["level", "share", "low", "high"]],
                 rows["level"] / n, "share")
        axes.set_title("The profile of the plain tree, estimated")
        axes.set_xlabel("queens placed / n")
        axes.set_ylabel("share of all nodes\nlines: 95 % intervals")
        axes.yaxis.set_major_formatter("{x:.0%}")
        axes.legend(frameon=False, loc="upper left")
    return made


SECTIONS = (
    Section("estimates", "Estimates", 160, make_estimates, requires=(estimates,),
            chapter="Beyond one machine"),
)
