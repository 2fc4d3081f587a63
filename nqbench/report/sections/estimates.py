"""Estimates from random probes of trees that are too large to search."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench.estimation import ENOUGH, NORMAL
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section


@dataclass(frozen=True)
class Facts:
    """The estimates against the published values.

    knuth, stratified: the most probes by each method, None without any; shown, largest: a part of
    the estimates by Knuth's method, and the last one; widest: by n the level with most nodes;
    intervals, covered, farthest: the number of known values, of those that the intervals contain,
    and the largest distance in standard errors.
    """

    knuth: int | None
    stratified: int | None
    shown: pd.DataFrame
    largest: pd.Series | None
    widest: dict[Any, int]
    intervals: int
    covered: int
    farthest: float

    @property
    def finding(self) -> str:
        """The number of intervals that contain the known values, and the number expected."""
        return (f"{self.covered} of {self.intervals} intervals of 95 % contain the known value; "
                f"{round(0.95 * self.intervals)} are expected" if self.intervals else "")


def build(frames: Frames) -> Part:
    """Return the estimates, and the extrapolation beyond the published values if there are enough.
    """
    found, profiled = frames.estimates, analysis.estimated_levels(frames.records)
    tables, figures = {"estimates": found}, {}
    if found["known"].notna().any():
        figures["estimates"] = lambda: plots.estimates(found)
    if len(profiled):
        tables["estimated_profiles"] = shares(profiled)
    if (found["n"] > plots.FIRST_ROOT).any():
        law = analysis.extrapolation()
        tables["extrapolation"] = extrapolation(found, law)
        figures["extrapolation"] = lambda: plots.extrapolated(found, law)
        if profiled[profiled["method"] == "knuth"]["n"].isin(plots.PROFILED).any():
            figures["estimated_profiles"] = lambda: plots.estimated_profiles(
                tables["estimated_profiles"])
    made = _facts(found, profiled)
    return Part(made, tables, figures, {
        "estimates": "Nodes and solutions by random probes, with 95 % intervals (low, high), and "
                     "their distance from the known values.",
        "estimated_profiles": "Shares of the nodes by level, with 95 % intervals (low, high).",
        "extrapolation": "Solutions beyond the known values by a fitted law, with intervals.",
    }, frames.records[frames.records["metric"] == "estimate"], made.finding)


def _facts(found: pd.DataFrame, profiled: pd.DataFrame) -> Facts:
    """Return the facts of the estimates and of those of levels."""
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


def extrapolation(estimates: pd.DataFrame, law: pd.DataFrame) -> pd.DataFrame:
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


SECTION = Section("estimates", "Estimates", 160, build, requires=("estimates",),
                  chapter="Beyond one machine")
