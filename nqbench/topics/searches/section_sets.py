"""Solvers as a set, and against the baseline of a study."""

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis import NOT_SIGNIFICANT, POINT
from nqbench.analysis.uncertainty import NOT_KNOWN
from nqbench.problems.solver import SolverKey
from nqbench.report import style
from nqbench.report.formats import plural
from nqbench.report.frames import ENOUGH, Frames
from nqbench.report.marks import name as named
from nqbench.report.marks import series
from nqbench.report.sections import MEDIANS, Facts, Part, Section
from nqbench.report.solver_sets import performance
from nqbench.report.tables import at_largest_common, by_solver


def make_solvers(frames: Frames) -> Part | None:
    """Return the solvers over all n of the main run; None if there are no two to compare.

    sizes: the n that are compared; limit: of one search, in seconds; rows: the table of scores.
    """
    costs = analysis.seconds_by_n(frames.main, ENOUGH)
    if costs.empty or len(costs.columns) < 2:
        return None
    limit = analysis.limit_of_search(frames.main, costs)
    scores = analysis.par2(costs, limit).assign(limit=limit)
    return Part(
        Facts(sizes=list(costs.index), limit=limit, rows=scores.drop(columns="limit")),
        {"par2": scores}, {
            "performance": lambda: performance(analysis.performance_profile(costs))}, {
            "par2": "PAR2 scores: mean seconds to find all solutions over "
                    f"n = {costs.index[0]} to {costs.index[-1]}, medians of {{samples}}; an n that "
                    "was not solved counts as twice the limit."},
        finding=solvers_finding(scores, list(costs.index)))


def solvers_finding(scores: pd.DataFrame, sizes: list[int]) -> str:
    """Return the solver that alone counted at all n, or else the one with the best score; empty if
    two have it.
    """
    whole = scores[scores["solved"] == scores["problems"]]
    if len(whole) == 1:
        solver = style.solver(*whole[["algorithm", "implementation"]].iloc[0])
        return f"Only {solver} counts all boards from {sizes[0]} to {sizes[-1]} queens in time"
    best = scores[scores["par2"] == scores["par2"].min()]
    if len(best) > 1:
        return ""
    name, implementation, problems, solved = best[
        ["algorithm", "implementation", "problems", "solved"]].iloc[0]
    return (f"{style.solver(name, implementation)} solves {solved} of {problems} n, with the best "
            "score")


# The words for each verdict on a solver.
WORDS = {"faster": "significantly faster", "slower": "significantly slower",
         NOT_SIGNIFICANT: "not significantly faster or slower",
         NOT_KNOWN: "measured in {few}, which allows no verdict"}


def make_baseline(frames: Frames) -> Part | None:
    """Return the solvers of the main run against the baseline of its study; None if it has none
    that was timed, or nothing to compare with it.

    n: the largest that most solvers reached; over: the baseline; shown: the table at n; groups: the
    solvers there by their verdict, in words; costly: those that save nodes and lose time; added:
    those of later runs, compared with the baseline of their own rounds.
    """
    over = analysis.baseline(frames.main)
    if over is None:
        return None
    own, *later = [analysis.against_baseline(timings[timings["n"] >= ENOUGH], counters, over)
                   for timings, counters in ((frames.timings, frames.counters), *frames.added)]
    found = pd.concat([own, *later], ignore_index=True).drop_duplicates(POINT, keep="last")
    if found.empty:
        return None
    rows = at_largest_common(found).sort_values("ratio", ascending=False, kind="stable")
    key, verdicts = SolverKey(*over), rows["verdict"]
    faster = int((verdicts == "faster").sum())
    groups = [(words.format(few=frames.taken.few), rows[verdicts == verdict])
              for verdict, words in WORDS.items() if (verdicts == verdict).any()]
    return Part(
        Facts(n=int(rows["n"].iloc[0]), over=key, taken=frames.taken, groups=groups,
              shown=rows.drop(columns="n").dropna(axis="columns", how="all"),
              costly=rows[(rows["nodes"] > 1) & (verdicts == "slower")],
              added=list(dict.fromkeys(name for each in later for name in each["algorithm"]))),
        {"baseline": found.assign(baseline=str(key))},
        {"baseline": lambda: against_baseline(found, style.solver(*over))}, {
            "baseline": f"Time and nodes of the baseline, {key}, divided by those of each "
                        f"solver; above 1 is a gain: {MEDIANS}"},
        finding=f"{faster or 'None'} of {len(rows)} {plural(len(rows), 'solver')} "
                f"{plural(faster or 1, 'is', 'are')} significantly faster than {key}")


GREY = "#6e6e6e"
ROOM = 0.28  # room for the labels, as a part of the width


def against_baseline(found: pd.DataFrame, over: str) -> Figure:
    """Draw the time of the baseline over that of each solver against n: median, and its 95 %
    bootstrap interval.
    """
    with style.figure(7.2, 4.0) as (made, (axes,)):
        axes.axhline(1, xmax=1 - ROOM, color=GREY, linewidth=0.8)
        ends = [(float(found["n"].max()), 1.0, over, GREY)]
        for key, rows in by_solver(found):
            if len(rows) == 1:  # a band without a width
                with series(axes, named(*key)):
                    axes.vlines(rows["n"], rows["low"], rows["high"], linewidth=3, alpha=0.35,
                                color=style.COLOUR[key[0]])
            ends.append(style.line(axes, [named(*key)], style.solver(*key), style.look_of(*key),
                                   rows[["n", "ratio", "low", "high"]], "n", "ratio", 0.18))
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, 0.5), max(high, 2.0))  # three marks of the scale, even in a close-up
        style.one_two_five(axes.yaxis)
        axes.set_title(f"Times faster than {over}")
        axes.set_ylabel(f"time of {over} / own time\n{style.MEDIAN}")
        style.label_lines(axes, ends, ROOM)
        style.sizes(axes, found["n"])
    return made


SECTIONS = (
    Section("solvers", "Solvers as a set", 145, make_solvers, requires=("timings",), named=False,
            chapter="How fast"),
    Section("baseline", "Against the baseline", 15, make_baseline, requires=("timings",),
            timed=True, chapter="How fast"),
)
