"""The engines: kernels, and counts by joining halves."""

from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench.problems.published import published
from nqbench.report.choices import by_scale
from nqbench.report.frames import Frames, read_context
from nqbench.report.marks import series, tell
from nqbench.report.sections import MEDIANS, Facts, Part, Section
from nqbench.report.style import COLOUR, figure, label_lines, one_two_five, set_scale, sizes
from nqbench.report.tables import taken
from nqbench.topics.engines.frames import (
    SAMPLED,
    costs,
    engine_ratios,
    latest_engines,
)
from nqbench.util.text import format_justified

FEW = 6  # with fewer samples, an interval is from the smallest to the largest


def kernels_finding(found: pd.DataFrame) -> str:
    """Return how much faster the fastest kernel is on one core, at the largest n; empty if it is
    not significantly faster.
    """
    alone = found[(found["n"] == found["n"].max()) & (found["jobs"] == 1)]
    best = alone.sort_values("ratio", ascending=False).head(1)
    if not (best["low"] > 1).any():
        return ""
    times = format_justified(*best[["ratio", "low", "high"]].iloc[0])
    return f"On one core the engine counts {times} times as fast as Somers' program"


def make_kernels(frames: Frames) -> Part:
    """Return the kernels against Somers' program; few: whether the intervals are from the smallest
    to the largest sample.
    """
    found = frames.kernels
    made = Facts(taken=taken(found), few=bool(found["samples"].max() < FEW))
    return Part(made, {"kernels": found}, captions={
        "kernels": f"The kernels of the counting engine against Somers' program: {MEDIANS}"},
        records=frames.engine, finding=kernels_finding(found))


def make_join(frames: Frames) -> Part | None:
    """Return the join against the cross; None if the run has no n that both counted."""
    run = frames.here(latest_engines)
    found, ratios = costs(run), engine_ratios(run)
    if ratios.empty:
        return None
    return Part(_facts(frames, found, ratios),
                {"join": ratios, "solution_costs": found},
                {"solution_costs": by_scale(partial(solution_costs, found))}, {
                    "join": "Seconds of one core by the join, the cross and Somers' program, and "
                            "how many times faster the join is, with 95 % intervals (low, high).",
                    "solution_costs": "Nanoseconds of one core for a solution, with 95 % intervals "
                                      "(low, high).",
                }, run, join_finding(ratios))


def join_finding(ratios: pd.DataFrame) -> str:
    """Return how much faster the join is at the largest n; empty if it is not."""
    last = ratios.iloc[-1]
    if not last["low"] > 1:
        return ""
    times = format_justified(*last[["cross_over_join", "low", "high"]])
    return f"At {last['n']} queens, joining halves is {times} times as fast as the cross"


def _facts(frames: Frames, costs: pd.DataFrame, ratios: pd.DataFrame) -> Facts:
    """Return the run and its kernel, and the rows that the text names.

    first, last: the rows of the ratios of the smallest and largest n; somers: the last row with a
    time of Somers' program; sampled: from which n on parts were sampled, None if none were; here:
    whether it was measured on the machine named at the top; cost: the nanoseconds that an algorithm
    needs for a solution in a row of the ratios; asked: the row of the n nearest to 18.
    """
    run, solutions = frames.here(latest_engines), published("A000170")
    with_somers = ratios[ratios["somers"].notna()]
    sampled = ratios[ratios["by"] == SAMPLED]
    return Facts(
        run=read_context(run), first=ratios.iloc[0].to_dict(), last=ratios.iloc[-1].to_dict(),
        cost=lambda algorithm, row: float(1e9 * row[algorithm] / solutions[row["n"]]),
        kernel=costs[costs["algorithm"] == "join"]["kernel"].iloc[0],
        here=bool(run["machine"].iat[0] == frames.machine["machine"]), ratios=ratios,
        asked=ratios.iloc[(ratios["n"] - ASKED_N).abs().argmin()].to_dict(),
        somers=with_somers.iloc[-1].to_dict() if len(with_somers) else None,
        sampled=int(sampled["n"].min()) if len(sampled) else None)


ASKED_N = 18  # the header names the time of this n
MARKERS = {"somers": "o", "cross": "s", "join": "D"}  # each can be hollow
LABELS = {"somers": "Somers (Cython)", "cross": "cross", "join": "join"}
SERIES = {"somers": "somers/cython", "cross": "cross/cython", "join": "join"}


def solution_costs(costs: pd.DataFrame, scale: str = "log") -> Figure:
    """Draw the nanoseconds of one core for a solution against n, with a line for each search;
    samples have hollow markers, and the bars are 95 % intervals.
    """
    with figure(7.2, 3.6) as (made, (axes,)):
        ends = []
        for name, rows in costs.groupby("algorithm", sort=False):
            colour, label = COLOUR[str(name)], LABELS[str(name)]
            sampled = rows[rows["by"] == "sample"]
            with series(axes, SERIES[str(name)]):
                axes.plot(rows["n"], rows["nanoseconds"], color=colour, marker=MARKERS[str(name)],
                          label=label)
                axes.vlines(rows["n"], rows["low"], rows["high"], color=colour, linewidth=1.0)
                axes.plot(sampled["n"], sampled["nanoseconds"], color=colour, linestyle="none",
                          marker=MARKERS[str(name)], markerfacecolor="white", zorder=3)
            tell(axes, label, rows[["n", "by", "nanoseconds", "low", "high"]], "n", "nanoseconds")
            last = rows.iloc[-1]
            ends.append((last["n"], last["nanoseconds"], label, colour))
        set_scale(axes, "y", scale)
        if scale == "log":
            one_two_five(axes.yaxis)
        axes.set_ylabel("nanoseconds of one core for a solution\n(hollow: from a sample; 95 %)")
        label_lines(axes, ends, 0.2)
        sizes(axes, costs["n"])
    return made


SECTIONS = (
    Section("kernels", "The engine", 130, make_kernels, requires=("kernels",), timed=True,
            names_run=True, chapter="How fast"),
    Section("join", "Joining halves", 135, make_join, timed=True, chapter="How fast"),
)
