"""Estimates from random probes of trees that are too large to search."""

import math
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench.engine.estimation import ENOUGH, LARGEST_N
from nqbench.problems.published import published
from nqbench.report.formats import format_value
from nqbench.report.frames import Frames
from nqbench.report.marks import series, tell
from nqbench.report.sections import Facts, Part, Section
from nqbench.report.style import figure, sizes
from nqbench.search.estimates import NORMAL
from nqbench.topics.estimates.frames import estimates, extrapolation
from nqbench.topics.estimates.frames import law as ln_of_law


def make_estimates(frames: Frames) -> Part:
    """Return the estimates of trees whose size is published, and all others as a table."""
    found = frames.of(estimates)
    figures = {"estimates": partial(draw_estimates, found)} if found["known"].notna().any() else {}
    made = _facts(found)
    return Part(made, {"estimates": found}, figures, {
        "estimates": "Nodes and solutions by random probes, with 95 % intervals (low, high), and "
                     "their distance from the known values.",
    }, frames.records[frames.records["metric"] == "estimate"], (
        f"{made.covered} of the {made.intervals} intervals contain the known value; "
        f"{round(0.95 * made.intervals)} are expected" if made.intervals else ""))


def make_extrapolation(frames: Frames) -> Part | None:
    """Return the extrapolation beyond the published values; None if no estimate is for such n."""
    found = frames.of(estimates)
    if not (found["n"] > CLOSE_UP).any():
        return None
    law = extrapolation()
    rows = beyond_known(found, law)
    first = rows[rows["by"] == rows["by"].iloc[0]].iloc[0]
    return Part(Facts(first=first), {"extrapolation": rows},
                {"extrapolation": partial(close_up, found, law)}, {
        "extrapolation": "Solutions beyond the known values by probes and by a fitted law, with "
                         "intervals."}, frames.records[frames.records["metric"] == "estimate"],
        f"About {format_value(float(first['solutions']))} solutions for {first['n']} queens")


def _facts(found: pd.DataFrame) -> Facts:
    """Return the facts of the estimates.

    knuth, stratified: the most probes by each method, None without any; shown, largest: a part of
    the estimates by Knuth's method, and the last one; intervals, covered, farthest: the number of
    known values, of those that the intervals contain, and the largest distance in standard errors.
    """
    knuth = found[found["method"] == "knuth"]
    known = found[found["off"].notna()]
    probes = found.groupby("method")["probes"].max().to_dict()
    return Facts(
        knuth=probes.get("knuth"), stratified=probes.get("stratified"),
        shown=knuth[knuth["n"] % 4 == 0].drop(columns=["method", "seed"]),
        largest=knuth.sort_values("n").iloc[-1] if len(knuth) else None,
        intervals=len(known), covered=int((known["off"].abs() <= NORMAL).sum()),
        farthest=float(known["off"].abs().max()) if len(known) else 0.0)


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


METHOD = {"knuth": ("#0072b2", "o", "Knuth's probes"),
          "stratified": ("#d55e00", "s", "stratified, Chen")}


def draw_estimates(found: pd.DataFrame) -> Figure:
    """Draw estimates divided by the published values, with 95 % intervals; markers are hollow if
    few probes reached a solution.
    """
    known = found[found["known"].notna()]
    shown = [name for name in ("nodes", "solutions") if name in set(known["quantity"])]
    with figure(5.2 * len(shown), 3.2, len(shown)) as (made, panels):
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


CLOSE_UP = 20  # from here on


def close_up(found: pd.DataFrame, law: pd.DataFrame) -> Figure:
    """Draw Q(n) divided by the law fitted to all published values, with the intervals of both."""
    solutions = found[found["quantity"] == "solutions"]
    known = solutions[solutions["known"].notna()].drop_duplicates("n")
    beyond = solutions[solutions["known"].isna() & (solutions["reached"] >= ENOUGH)]
    with figure(7.2, 3.6) as (made, (axes,)):
        values = dict(published("A000170").up_to(LARGEST_N))
        axes.axhline(1, color="#8a8a8a", linewidth=0.8)
        near = known[known["n"] >= CLOSE_UP]
        ratios = [value / fitted_value(values, n)
                  for n, value in zip(near["n"], near["known"], strict=True)]
        axes.plot(near["n"], ratios, "o", color="#1b1b1b", label="published")
        tell(axes, "solutions, published", near[["n", "known"]], "n", ratios)
        axes.fill_between(law["n"], 1 - law["uncertainty"], 1 + law["uncertainty"], color="#009e73",
                          alpha=0.2, linewidth=0, label="the law, worst of its earlier errors")
        for shift, (method, (colour, marker, name)) in zip((-0.12, 0.12), METHOD.items(),
                                                           strict=True):
            rows = beyond[beyond["method"] == method]
            scale = [fitted_value(values, n) for n in rows["n"]]
            with series(axes, method):
                axes.vlines(rows["n"] + shift, rows["low"] / scale, rows["high"] / scale,
                            color=colour, linewidth=1)
                axes.plot(rows["n"] + shift, rows["mean"] / scale, marker, color=colour,
                          label=f"{name}, 95 %")
                tell(axes, name, rows[["n", "probes", "mean", "low", "high"]], rows["n"] + shift,
                     rows["mean"] / scale)
        axes.set_title("Q(n) / the fitted law")
        sizes(axes, [CLOSE_UP, *law["n"]])
        axes.legend(frameon=False, loc="upper left", fontsize=7.5)
    return made


def fitted_value(values: dict[int, int], n: int) -> float:
    """Return Q(n) by the law."""
    return math.exp(ln_of_law(values, n))


SECTIONS = (
    Section("estimates", "Estimates", 160, make_estimates, requires=(estimates,),
            chapter="Beyond one machine"),
    Section("extrapolation", "Beyond the published values", 161, make_extrapolation,
            requires=(estimates,), chapter="Beyond one machine"),
)
