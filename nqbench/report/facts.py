"""The figures that the sentences of the page speak of, of the sections that are there."""

from collections import Counter
from collections.abc import Callable
from math import inf
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench.algorithms import Tree, catalogue
from nqbench.analysis.across import NOTABLE
from nqbench.estimation import NORMAL
from nqbench.records.names import BASELINE, IN_PYTHON, PLAIN
from nqbench.reference import EFFORTS, published
from nqbench.report import by_n, sparklines, tables
from nqbench.report.contents import Contents, file_name
from nqbench.sudoku import DATA_SETS

MEANING = {
    "A000170": "solutions", "A002562": "solutions up to symmetry",
    "A032522": "solutions that a half turn leaves as they are",
    "A033148": "solutions that a quarter turn leaves as they are",
    "A319283": "nodes of the tree", "A319284": "its levels",
}
_RATIOS = ["times", "times_low", "times_high", "verdict"]
SHOWN_COUNTERS = 8  # the counters are shown for this n, or for the largest measured below it


def facts(made: Contents) -> dict[str, Any]:
    """Return them all, by their names in the templates; of a section whose table is empty, none."""
    parts: dict[str, Callable[[Contents], dict[str, Any]]] = {
        "times": _timed, "counters": _counted, "gains": _saved,
        "symmetry": _symmetric, "mirror": _mirrored, "cython": _compiled, "peers": _peers,
        "kernels": _kernels, "plans": _beyond, "estimates": _estimated, "history": _across,
        "sudoku": _puzzles,
    }
    return _verified(made) | {
        name: fact for table, part in parts.items() if table in made.tables
        for name, fact in part(made).items()}


def _kernels(made: Contents) -> dict[str, Any]:
    """What the section on the kernels of the engine says."""
    return {"kernels_taken": tables.taken(made.tables["kernels"])}


def _verified(made: Contents) -> dict[str, Any]:
    """What is said of the checks, and of the solutions counted beside the times."""
    checks = made.checks
    statuses = checks["status"].value_counts()
    return {
        "checks": len(checks), "checks_ok": int(statuses.get("ok", 0)),
        "checks_bad": int(statuses.get("differs", 0)),
        "checks_out": int(statuses.get("left out", 0)),
        "check_n": max(checks[checks["status"] == "ok"]["n"], default=0),
        "sequences": [f"{MEANING[name]} ({name})" if name in MEANING else name
                      for name in checks["sequence"].unique()],
        "counted": made.counted, "counted_n": made.counted_n,
        "verified": tables.verification(checks, []).drop(columns="answered_by"),
        "wrong": pd.DataFrame([{
            "solver": one.solver, "sequence": one.sequence, "n": one.n,
            "published": one.expected, "computed": one.actual, "status": "differs",
        } for one in made.wrong]),
    }


def _timed(made: Contents) -> dict[str, Any]:
    """What the section on time says, at the largest n that most pruning algorithms reached."""
    times, by_solver = made.tables["times"], made.tables["times_by_n"]
    n = tables.largest_common(analysis.pruning(times))
    at_n = times[times["n"] == n].sort_values("seconds", kind="stable")
    trees = analysis.pruning(at_n)
    found = tables.fastest(trees, made.timings)
    noisy = times[times["warning"] != ""]
    compared = bool(at_n["times"].notna().any())
    return {
        "n": n, "at_n": at_n.drop(columns=[
            "n", "loops", "processes", *([] if compared else _RATIOS)]),
        "compared": compared,
        "fastest": found["first"], "slowest": trees.iloc[-1],
        "fastest_python": found["first_in_python"],
        "compiled": sorted(set(times[times["implementation"] == "cython"]["algorithm"])),
        "leads": [lead for lead in (found["lead"], found["lead_in_python"]) if lead],
        "points": len(times), "noisy": len(noisy), "warnings": Counter(
            "spread over 10 %" if text.startswith("spread") else text
            for texts in noisy["warning"] for text in texts.split("; ")),
        "taken": tables.taken(times),
        "by_n": by_n.shown(by_solver), "marks": by_n.legend(by_solver),
    }


def _counted(made: Contents) -> dict[str, Any]:
    """What the sections on nodes, tests and levels say."""
    counters = made.counters
    plain = counters[counters["algorithm"] == PLAIN].drop_duplicates("n").tail(1)
    profile = published("A319284")[8]
    counters_n = int(counters[counters["n"] <= SHOWN_COUNTERS]["n"].max())
    return {
        "same_tree": [name for name in analysis.pruning(counters)["algorithm"].unique()
                      if catalogue()[name].tree == Tree.PLAIN],
        "largest": plain.to_dict("records"),
        "counters_n": counters_n,
        "counters": counters[counters["n"] == counters_n].drop(columns="n"),
        "levels_n": made.n_levels, "widest_8": profile.index(max(profile)),
    }


def _saved(made: Contents) -> dict[str, Any]:
    """What the section on pruning says."""
    saved = made.pruning.sort_values("nodes", ascending=False, kind="stable")
    return {
        "saved": saved, "saved_taken": made.taken["pruning"],
        "costly": [row["algorithm"] for row in saved.to_dict("records")
                   if row["nodes"] > 1 and row["high"] < 1
                   and not catalogue()[row["algorithm"]].uses_symmetry],
        "fewest_first": next((row["nodes"] for row in saved.to_dict("records")
                              if row["algorithm"] == "fewest_first"), None),
    }


def _symmetric(made: Contents) -> dict[str, Any]:
    """What the section on symmetry says."""
    return {"symmetry": made.symmetry, "symmetry_taken": made.taken["symmetry"]}


def _mirrored(made: Contents) -> dict[str, Any]:
    """What the section on the mirror says."""
    return {"gains": tables.largest(made.tables["mirror"])}


def _compiled(made: Contents) -> dict[str, Any]:
    """What the section on Python and Cython says."""
    return {"cython": made.tables["cython"].groupby("algorithm", sort=False).tail(1)}


def _peers(made: Contents) -> dict[str, Any]:
    """What the section on the peers says: where most of them were measured, and the fastest and
    the slowest of the others there.
    """
    found, by_peer = made.tables["peers"], made.tables["peers_by_n"]
    measured = found[found["status"] == "measured"]
    ended = found[found["status"].isin(["failed", "timed out"])].drop_duplicates("peer")
    failed = ended[ended["status"] == "failed"]["peer"]
    sound = measured[~measured["peer"].isin(failed)]
    absent = list(found[found["status"] == "not installed"]["peer"].unique())
    n = tables.largest_common(sound) if len(sound) else 0
    there = found[(found["n"] == n) & ~found["peer"].isin(absent)].sort_values(
        "seconds", kind="stable")
    others = there[(there["package"] != "nqbench") & there["times"].notna()]
    reached = measured.groupby("peer")["n"].max()
    seconds = there.set_index("peer")["seconds"]
    in_python = there.set_index("peer")["high"].get(IN_PYTHON, inf)
    return {"peers": {
        "n": n, "absent": absent, "ended": ended.to_dict("records"),
        "by_n": by_n.shown(by_peer), "marks": by_n.legend(by_peer),
        "taken": tables.taken(measured),
        "table": there.drop(columns=["package", "n", "samples", "processes", "solutions",
                                     "fault"]).assign(
            to_n=there["peer"].map(reached)),
        "baseline": BASELINE, "nearest": others.head(1), "farthest": others.tail(1),
        "seconds": seconds.get(BASELINE), "others": len(others),
        "slower_than_python": int((others["low"] > in_python).sum()),
    }}


def _beyond(made: Contents) -> dict[str, Any]:
    """What the section on clusters says."""
    plans, schedules = made.tables["plans"], made.tables.get("schedules")
    failing = (None if schedules is None else
               schedules[schedules["failures"] == schedules["failures"].max()])
    known = plans[plans["known"].notna()]
    return {
        "plans": plans.drop(columns=["kernel", "slices", "median", "longest"]),
        "plans_known": len(known), "plans_covered": int((
            (known["solutions_low"] <= known["known"])
            & (known["known"] <= known["solutions_high"])).sum()),
        "largest_plan": plans.iloc[-1], "kernel": plans["kernel"].iloc[0],
        "best_schedule": None if failing is None else failing.sort_values("efficiency").iloc[-1],
        "efforts": EFFORTS,
    }


def _estimated(made: Contents) -> dict[str, Any]:
    """What the section on estimates says."""
    estimates, levels = made.tables["estimates"], made.estimated
    widest = levels[(levels["method"] == "knuth") & (levels["n"] % 10 == 0)].sort_values("mean")
    known = estimates[estimates["off"].notna()]
    knuth = estimates[estimates["method"] == "knuth"]
    shown = knuth[knuth["n"] % 4 == 0]
    return {
        "estimates": shown.drop(columns=["method", "seed", "low", "high"]),
        "largest_estimate": knuth.sort_values("n").iloc[-1] if len(knuth) else None,
        "probes": estimates.groupby("method")["probes"].max().to_dict(),
        "widest": widest.groupby("n")["level"].last().to_dict(),
        "intervals": len(known), "covered": int((known["off"].abs() <= NORMAL).sum()),
        "farthest": float(known["off"].abs().max()) if len(known) else 0.0,
    }


def _across(made: Contents) -> dict[str, Any]:
    """What the section across commits says, from the history and its changes."""
    rows = made.history
    changes = made.tables.get("changes", analysis.changes(rows[:0]))
    counts = rows[rows["exact"] & (rows["status"] == "measured")]
    counted = counts.groupby(analysis.SERIES).size()
    verdicts = changes["verdict"].value_counts()
    return {"commits": {
        "many": rows["commit"].nunique(), "notable": NOTABLE,
        "machines": {machine: file_name(machine) for machine in rows["machine"].unique()},
        "series": len(rows.drop_duplicates(analysis.SERIES)),
        "counts": int((counted > 1).sum()),
        "since": f"{rows['date'].min():%Y-%m-%d}", "until": f"{rows['date'].max():%Y-%m-%d}",
        "changed": int(verdicts.get("count changed", 0)),
        "regressions": int(verdicts.get("regression", 0)),
        "improvements": int(verdicts.get("improvement", 0)),
        "failed": int((rows["status"] == "failed").sum()),
        "changes": changes.assign(other=changes["verdict"] != "count changed").sort_values(
            ["other", "date", "benchmark"], kind="stable"),
        "lines": sparklines.lines(rows, changes),
    }}


def _puzzles(made: Contents) -> dict[str, Any]:
    """What the section on Sudoku says."""
    rates, rated = made.tables["sudoku"], made.rated
    hard = made.tables.get("sudoku_difficulty", analysis.nodes_by_difficulty(rated[:0]))
    trees = hard.drop_duplicates(["algorithm", "difficulty"]).groupby("algorithm", sort=False)
    medians = {name: rows.set_index("difficulty")["median"] for name, rows in trees}
    cut = (medians["textbook_bitmask"] / medians["fewest_first"]
           if {"textbook_bitmask", "fewest_first"} <= set(medians) else pd.Series([])).dropna()
    measured = rates[rates["per_second"].notna()]
    return {
        "data_sets": {name: rows.drop(columns="data_set") for name, rows in
                      rates.astype(object).where(rates.notna(), None).groupby(
                          "data_set", sort=False)},
        "fastest_solvers": _fastest(measured),
        "fastest_in_python": _fastest(measured[measured["implementation"] == "python"]),
        "rated": [{**rows.iloc[0], "data_sets": ", ".join(rows["data_set"].unique())}
                  for _, rows in rated.astype(object).where(rated.notna(), None).groupby(
                      "run", sort=False)],
        "nodes_allowed": sorted(map(int, rated["nodes_allowed"].unique())),
        "data_sets_here": ", ".join(DATA_SETS),
        "harder": {name: nodes.iloc[-1] / nodes.iloc[0] for name, nodes in medians.items()},
        "cut": (cut.min(), cut.max()) if len(cut) else None,
        "hardness": (hard["difficulty"].min(), hard["difficulty"].max()),
        "solvers_left_out": int(rates["per_second"].isna().sum()),
    }


def _fastest(rates: pd.DataFrame) -> pd.DataFrame:
    """The fastest solver of each data set."""
    return rates.sort_values("per_second").groupby("data_set").tail(1).sort_index()
