"""Estimates from random probes of trees that are too large to search."""

from functools import partial
from math import copysign, inf

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.frames import measured
from nqbench.problems.published import published
from nqbench.report.drawings import series, tell
from nqbench.report.frames import Frames
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.report.style import figure, sizes
from nqbench.search.estimates import ENOUGH, NORMAL, RUNS, Quantity

QUANTITIES = {"nodes": "A319283", "solutions": "A000170"}


def _most_probes(records: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates with the most probes for each method and n, the newest of equals.

    They depend only on method, n, probes and seed, not on the machine. Those of the compiled probes
    of old, which do not say how far their intervals reach, are left out.
    """
    found = measured(records, "estimate")
    found = found[found["samples"].map(lambda samples: "reach" in samples[0]).astype(bool)]
    found = found.sort_values(["probes", "run"], kind="stable")
    found = found.drop_duplicates(["method", "n"], keep="last")
    return found.sort_values(["n", "method"], kind="stable")


def _errors(distance: float, error: float) -> float:
    """Return a distance in standard errors.

    >>> _errors(-3.0, 2.0), _errors(0.0, 0.0), _errors(-1.0, 0.0)
    (-1.5, 0.0, -inf)
    """
    return distance / error if error else copysign(inf, distance) if distance else 0.0


def estimates(records: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates: quantity (nodes, solutions), n, method, probes, seed, reached (runs
    that came to a solution), mean, error (the standard error), low, high (95 % interval), known
    (the published value, else missing) and off (mean - known, in standard errors).
    """
    rows = []
    for record in _most_probes(records).to_dict("records"):
        (sample,) = record["samples"]
        n, reach = record["n"], sample["reach"]
        for name, (mean, error) in (("nodes", sample["nodes"]),
                                    ("solutions", sample["levels"][-1])):
            x = Quantity(mean, error, reach)
            known = published(QUANTITIES[name]).get(n)
            off = None if known is None else _errors(x.mean - known, x.error)
            rows.append((name, n, record["method"], record["probes"], record["seed"],
                         sample["reached"], x.mean, x.error, *x.interval, known, off))
    found = pd.DataFrame(rows, columns=["quantity", "n", "method", "probes", "seed", "reached",
                                        "mean", "error", "low", "high", "known", "off"],
                         dtype=object)
    measured = dict.fromkeys(["mean", "error", "low", "high", "off"], float)
    return found.astype({"n": int, **measured}).sort_values(
        "quantity", kind="stable").reset_index(drop=True)


def make_estimates(frames: Frames) -> Part:
    """Return the estimates of trees whose size is published, and all others as a table."""
    found = frames.of(estimates)
    figures = {"estimates": partial(draw_estimates, found)} if found["known"].notna().any() else {}
    made = _facts(found)
    return Part(made, {"estimates": found}, figures,
                frames.records[frames.records["metric"] == "estimate"], claim(
        f"{made.covered} of the {made.intervals} intervals contain the known value; "
        f"{round(0.95 * made.intervals)} are expected" if made.intervals else "",
        n=found["n"].max(), processes=None))


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
                enough = ENOUGH if method == "knuth" else RUNS
                few = (rows["reached"] < enough) & (quantity == "solutions")
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
