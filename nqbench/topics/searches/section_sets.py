"""Solvers as a set, and against the baseline of a study."""

import pandas as pd

from nqbench import analysis
from nqbench.analysis import NOT_SIGNIFICANT
from nqbench.analysis.uncertainty import NOT_KNOWN
from nqbench.problems import SolverKey
from nqbench.report import style
from nqbench.report.formats import plural
from nqbench.report.frames import ENOUGH, Frames
from nqbench.report.sections import Facts, Part, Section, claim
from nqbench.report.solver_sets import performance
from nqbench.report.tables import at_largest_common


def make_solvers(frames: Frames) -> Part | None:
    """Return the solvers over all n of the main run; None if there are no two to compare.

    sizes: the n that are compared; limit: of one search, in seconds; rows: the table of scores;
    best: the score of the virtual best solver.
    """
    costs = analysis.seconds_by_n(frames.main, ENOUGH)
    if costs.empty or len(costs.columns) < 2:
        return None
    limit = analysis.limit_of_search(frames.main, costs)
    scores = analysis.par2(costs, limit).merge(
        analysis.contributions(costs, limit).rename("contribution").reset_index()).assign(
            limit=limit)
    return Part(
        Facts(sizes=list(costs.index), limit=limit, rows=scores.drop(columns="limit"),
              best=float(costs.min(axis=1).mean())),
        {"par2": scores}, {
            "performance": lambda: performance(analysis.performance_profile(costs))},
        finding=claim(solvers_finding(scores, list(costs.index)), n=int(costs.index.max()),
                      processes=frames.taken.processes))


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
    solvers there by their verdict, in words; costly: those that save nodes and lose time.
    """
    over = analysis.baseline(frames.main)
    if over is None:
        return None
    timings = frames.timings
    found = analysis.against_baseline(timings[timings["n"] >= ENOUGH], frames.counters, over)
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
              costly=rows[(rows["nodes"] > 1) & (verdicts == "slower")]),
        {"baseline": found.assign(baseline=str(key))},
        finding=claim(
            f"{faster or 'None'} of {len(rows)} {plural(len(rows), 'solver')} "
            f"{plural(faster or 1, 'is', 'are')} significantly faster than {key}", n=None,
            processes=frames.taken.processes))


SECTIONS = (
    Section("solvers", "Solvers as a set", 145, make_solvers, requires=("timings",), named=False,
            chapter="How fast"),
    Section("baseline", "Against the baseline", 15, make_baseline, requires=("timings",),
            timed=True, chapter="How fast"),
)
