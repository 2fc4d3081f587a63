"""Estimates from random probes of trees that are too large to search."""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench.engine.estimation import ENOUGH
from nqbench.report.frames import Frames
from nqbench.report.marks import series, tell
from nqbench.report.sections import Facts, Part, Section
from nqbench.report.style import figure, sizes
from nqbench.search.estimates import NORMAL
from nqbench.topics.estimates.frames import estimates


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


SECTIONS = (
    Section("estimates", "Estimates", 160, make_estimates, requires=(estimates,),
            chapter="Beyond one machine"),
)
