"""The engines: what a solution costs each, kernels, and counts by joining halves."""

from functools import partial
from itertools import cycle
from math import hypot
from typing import Any, cast

import pandas as pd
from matplotlib.figure import Figure

from nqbench.analysis.frames import measured, newest_run
from nqbench.analysis.uncertainty import interval, ratio, typical
from nqbench.engine.plans import Survey
from nqbench.problems.published import published
from nqbench.report import style
from nqbench.report.drawings import own, series
from nqbench.report.frames import Frames, origin_of, taken
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.util.text import format_float, format_justified

SEARCHES = ("somers", "cross", "join")
COUNTED, SAMPLED = "count", "sample"
NANO = 1e9


def latest_engines(records: pd.DataFrame, machine: str) -> pd.DataFrame:
    """Return the records of the newest run that measured both engines on this machine; if there is
    none, the newest on any machine.
    """
    found = measured(records, "cpu_seconds", "plan")
    return newest_run(found[(found["algorithm"] == "join") | (found["metric"] == "plan")], records,
                      machine)


def costs(run: pd.DataFrame) -> pd.DataFrame:
    """Return the cost of a solution: n, algorithm, by (a whole count, or a sample of its parts if
    there is none), kernel, seconds, nanoseconds (for each solution), low, high (their 95 %
    interval).
    """
    return _seconds(run).drop_duplicates(["n", "algorithm"]).reset_index(drop=True)


def _seconds(run: pd.DataFrame) -> pd.DataFrame:
    """Return the same, with both the whole count and the sample where there are both."""
    rows = []
    for row in _counts(run).to_dict("records"):
        seconds = (typical(row["samples"]), *interval(row["samples"]))
        rows.append((row["n"], row["algorithm"], COUNTED, row["kernel"], *seconds))
    for row in measured(run, "plan").to_dict("records"):
        sample = Survey.of(row["samples"][0])
        rows.append((sample.n, row["algorithm"], SAMPLED, sample.kernel, *sample.seconds))
    found = pd.DataFrame(rows, columns=["n", "algorithm", "by", "kernel", "seconds", "low", "high"])
    solutions = found["n"].map(published("A000170").get)
    for name, source in (("nanoseconds", "seconds"), ("low", "low"), ("high", "high")):
        found[name] = (NANO * found[source] / solutions).astype(float)
    found = found[["n", "algorithm", "by", "kernel", "seconds", "nanoseconds", "low", "high"]]
    order = found["algorithm"].map(SEARCHES.index)
    return found.assign(order=order).sort_values(["n", "order", "by"]).drop(columns="order")


def engine_ratios(run: pd.DataFrame) -> pd.DataFrame:
    """Return how many times faster the join counts than the cross and than Somers' program: n, by,
    somers, cross, join (seconds), cross_over_join, low, high (95 % interval), somers_over_join.

    Ratios of whole counts are taken round by round; those of samples, which are independent, have
    the interval of a quotient.
    """
    samples = {(row["n"], row["algorithm"]): row["samples"]
               for row in _counts(run).to_dict("records")}
    rows: dict[int, tuple[Any, ...]] = {}
    for key, group in _seconds(run).groupby(["n", "by"]):  # "count" before "sample"
        n, by = cast("tuple[int, str]", key)
        of = group.set_index("algorithm").to_dict("index")
        if n in rows or not {"cross", "join"} <= of.keys():
            continue
        cross, join = of["cross"], of["join"]
        if by == COUNTED:
            times, low, high = ratio(samples[n, "cross"], samples[n, "join"])[:3]
        else:
            times = cross["seconds"] / join["seconds"]
            error = times * hypot(*((each["high"] - each["low"]) / (2 * each["nanoseconds"])
                                    for each in (cross, join)))
            low, high = max(0.0, times - error), times + error
        somers = of["somers"]["seconds"] if "somers" in of else None
        rows[n] = (n, by, somers, cross["seconds"], join["seconds"], times, low, high,
                   somers and somers / join["seconds"])
    found = pd.DataFrame(rows.values(), columns=["n", "by", "somers", "cross", "join",
                                                 "cross_over_join", "low", "high",
                                                 "somers_over_join"])
    return found.astype({"somers": float, "somers_over_join": float})


def _counts(run: pd.DataFrame) -> pd.DataFrame:
    """Return the processor times of whole counts on one core with the fastest kernel, which is
    that of the first record of the join.
    """
    found = measured(run[(run["jobs"] == 1) & run["algorithm"].isin(SEARCHES)], "cpu_seconds")
    kernels = found[found["algorithm"] == "join"]["kernel"]
    fastest = kernels.iloc[0] if len(kernels) else None
    return found[(found["kernel"] == fastest) | (found["algorithm"] == "somers")]


def kernels_finding(found: pd.DataFrame) -> str:
    """Return how much faster the fastest kernel is on one core, at the largest n; empty if it is
    not significantly faster.
    """
    alone = found[(found["n"] == found["n"].max()) & (found["jobs"] == 1)]
    best = alone.sort_values("ratio", ascending=False).head(1)
    if not (best["low"] > 1).any():
        return ""
    times = format_justified(*best[["ratio", "low", "high"]].iloc[0])
    return (f"On one core the engine counts {found['n'].max()} queens {times} times as fast as "
            "Somers' program")


def make_kernels(frames: Frames) -> Part:
    """Return the kernels against Somers' program."""
    found = frames.kernels
    return Part(Facts(taken=taken(found)), {"kernels": found},
                {"kernels": partial(draw_kernels, found)}, records=frames.engine,
                finding=claim(kernels_finding(found), n=found["n"].max(), processes=None))


def make_join(frames: Frames) -> Part | None:
    """Return the join against the cross; None if the run has no n that both counted.

    run, here: the origin of the run; kernel: its kernel; first, last: the rows of the ratios of the
    smallest and largest n; somers: the last row with a time of Somers' program; sampled: from which
    n on parts were sampled, None if none were; cost: the nanoseconds that an algorithm needs for a
    solution in a row of the ratios; asked: the row of the n nearest to 18.
    """
    run = frames.here(latest_engines)
    found, ratios = costs(run), engine_ratios(run)
    if ratios.empty:
        return None
    solutions, sampled = published("A000170"), ratios[ratios["by"] == SAMPLED]
    with_somers = ratios[ratios["somers"].notna()]
    made = Facts(
        **origin_of(run, frames), first=ratios.iloc[0].to_dict(), last=ratios.iloc[-1].to_dict(),
        cost=lambda algorithm, row: float(1e9 * row[algorithm] / solutions[row["n"]]),
        kernel=found[found["algorithm"] == "join"]["kernel"].iloc[0], ratios=ratios,
        asked=ratios.iloc[(ratios["n"] - ASKED_N).abs().argmin()].to_dict(),
        somers=with_somers.iloc[-1].to_dict() if len(with_somers) else None,
        sampled=int(sampled["n"].min()) if len(sampled) else None)
    of_machine = "" if made.here or not join_finding(ratios) else ", on another machine"
    return Part(made, {"join": ratios, "solution_costs": found},
                {"solution_costs": partial(solution_costs, found)}, run,
                claim(join_finding(ratios), n=ratios["n"].max(), processes=None) + of_machine)


def join_finding(ratios: pd.DataFrame) -> str:
    """Return how much faster the join is at the largest n; empty if it is not."""
    last = ratios.iloc[-1]
    if not last["low"] > 1:
        return ""
    times = format_justified(*last[["cross_over_join", "low", "high"]])
    return f"At {last['n']} queens, joining halves is {times} times as fast as cross"


ASKED_N = 18  # the header names the time of this n
LOOKS = {"somers": ("o", "somers (Cython)", "somers/cython"),  # markers, each can be hollow
         "cross": ("s", "cross (engine)", "cross/cython"), "join": ("D", "join", "join")}


KERNEL_LOOKS = ((style.BLUE, "o", "-"), (style.BLUE, "s", "--"), (style.GREEN, "D", "-"),
                (style.ORANGE, "^", "-"), (style.GREY, "v", "-"))


def solution_costs(costs: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw the nanoseconds of one core for a solution against n, with a line for each search;
    samples have hollow markers, and the bars are 95 % intervals.
    """
    with style.figure(width, 3.6) as (made, (axes,)):
        ends = []
        for name, rows in costs.groupby("algorithm", sort=False):
            colour, (marker, label, name_of) = style.look_of(str(name))[0], LOOKS[str(name)]
            sampled = rows[rows["by"] == SAMPLED]
            last = format_float(rows["nanoseconds"].iloc[-1])
            ends.append(style.line(axes, [name_of], f"{label}: {last}", (colour, marker, "-"),
                             rows[["n", "by", "nanoseconds", "low", "high"]], "n", "nanoseconds"))
            with series(axes, name_of):
                axes.vlines(rows["n"], rows["low"], rows["high"], color=colour, linewidth=1.0)
                axes.plot(sampled["n"], sampled["nanoseconds"], color=colour, linestyle="none",
                          marker=marker, markerfacecolor="white", zorder=3)
        axes.set(yscale="log",
                 title="Nanoseconds of one core for a solution (hollow: from a sample)")
        style.sizes(axes, costs["n"])
        style.label_lines(axes, ends)
    return made


def draw_kernels(found: pd.DataFrame, width: float = style.WIDE) -> Figure:
    """Draw how many times as fast as Somers' program each kernel counts, against n."""
    with style.figure(width, 3.2) as (made, (axes,)):
        ends = []
        names = found["kernel"] + found["jobs"].map(
            lambda jobs: f", {jobs} threads" if jobs > 1 else "")
        for look, (name, rows) in zip(cycle(KERNEL_LOOKS), found.groupby(names, sort=False),
                                      strict=False):
            times = format_justified(*rows[["ratio", "low", "high"]].iloc[-1])
            ends.append(style.line(axes, [own(str(name))], f"{name}: {times}", look,
                                   rows[["n", "ratio", "low", "high"]], "n", "ratio", 0.18))
        axes.set(title="Times as fast as Somers' program, compiled", ylim=(0, None))
        style.sizes(axes, found["n"])
        style.label_lines(axes, ends)
    return made


SECTIONS = (
    Section("kernels", "The engine", 130, make_kernels, requires=("kernels",), timed=True,
            names_run=True, chapter="How fast"),
    Section("join", "Joining halves", 135, make_join, timed=True),
)
