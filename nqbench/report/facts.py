"""The figures that the sentences of the page speak of, section by section."""

from collections import Counter
from math import inf
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench.algorithms import catalogue
from nqbench.analysis.across import NOTABLE
from nqbench.probing import NORMAL
from nqbench.reference import EFFORTS, invariants, published
from nqbench.report import by_n, sparklines, tables
from nqbench.report.contents import Contents, file_name
from nqbench.study.peering import BASELINE, IN_PYTHON
from nqbench.sudoku import DATA_SETS

MEANING = {
    "A000170": "solutions", "A002562": "solutions up to symmetry",
    "A032522": "solutions that a half turn leaves as they are",
    "A033148": "solutions that a quarter turn leaves as they are",
    "A319283": "nodes of the tree", "A319284": "its levels",
}
SHOWN_COUNTERS = 8  # the counters are shown for this n, or for the largest measured below it


def facts(made: Contents) -> dict[str, Any]:
    """Return them all, by their names in the templates."""
    shown = made.tables
    return {
        **_verified(made.checks, made.solutions),
        **_timed(shown["times"], made.timings, shown["times_by_n"], shown["cython"]),
        **_counted(made.counters, made.n_levels),
        **_saved(made),
        "peers": _peers(shown["peers"], shown["peers_by_n"]),
        **_beyond(shown["plans"], shown["schedules"]),
        **_estimated(shown["estimates"], made.estimated),
        "commits": _across(made.history, shown["changes"]),
        **_puzzles(shown["sudoku"], shown["sudoku_difficulty"], made.rated),
    }


def _verified(checks: pd.DataFrame, solutions: pd.DataFrame) -> dict[str, Any]:
    """What is said of the checks, and of the solutions counted beside the times."""
    statuses = checks["status"].value_counts()
    wrong = [n for n, (total,) in zip(solutions["n"], solutions["samples"], strict=True)
             if not all(known.ok for known in invariants(n, total))]
    return {
        "checks": len(checks), "checks_ok": int(statuses.get("ok", 0)),
        "checks_bad": int(statuses.get("differs", 0)),
        "checks_out": int(statuses.get("left out", 0)),
        "check_n": max(checks[checks["status"] == "ok"]["n"], default=0),
        "sequences": [f"{MEANING[name]} ({name})" if name in MEANING else name
                      for name in checks["sequence"].unique()],
        "counted": len(solutions), "counted_n": max(solutions["n"], default=0),
        "miscounted": len(wrong),
    }


def _timed(times: pd.DataFrame, timings: pd.DataFrame, by_solver: pd.DataFrame,
           cython: pd.DataFrame) -> dict[str, Any]:
    """What the sections on time and on Cython say; the former at the largest n that most pruning
    algorithms reached.
    """
    n = tables.largest_common(analysis.pruning(times))
    at_n = times[times["n"] == n].sort_values("seconds", kind="stable")
    trees = analysis.pruning(at_n)
    found = tables.fastest(trees, timings)
    noisy = times[times["warning"] != ""]
    return {
        "n": n, "at_n": at_n.drop(columns=["n", "loops"]),
        "fastest": found["first"], "slowest": trees.iloc[-1],
        "fastest_python": found["first_in_python"],
        "cython": cython.groupby("algorithm", sort=False).tail(1),
        "compiled": sorted(set(times[times["implementation"] == "cython"]["algorithm"])),
        "leads": [lead for lead in (found["lead"], found["lead_in_python"]) if lead],
        "points": len(times), "noisy": len(noisy), "warnings": Counter(
            "spread over 10 %" if text.startswith("spread") else text
            for texts in noisy["warning"] for text in texts.split("; ")),
        "samples": int(times["samples"].min()),
        "by_n": by_n.shown(by_solver), "marks": by_n.legend(by_solver),
    }


def _counted(counters: pd.DataFrame, n_levels: int) -> dict[str, Any]:
    """What the sections on nodes, tests and levels say."""
    plain = counters[counters["algorithm"] == "bitmask"].drop_duplicates("n").iloc[-1]
    profile = published("A319284")[8]
    counters_n = int(counters[counters["n"] <= SHOWN_COUNTERS]["n"].max())
    return {
        "same_tree": [name for name in analysis.pruning(counters)["algorithm"].unique()
                      if catalogue()[name].tree == "plain"],
        "largest": plain["n"], "largest_nodes": int(plain["nodes"]),
        "counters_n": counters_n,
        "counters": counters[counters["n"] == counters_n].drop(columns="n"),
        "levels_n": n_levels, "widest_8": profile.index(max(profile)),
    }


def _saved(made: Contents) -> dict[str, Any]:
    """What the sections on pruning, symmetry and the mirror say."""
    saved = made.pruning.sort_values("nodes", ascending=False, kind="stable")
    return {
        "saved": saved, "saved_samples": made.rounds["pruning"],
        "costly": [row["algorithm"] for row in saved.to_dict("records")
                   if row["nodes"] > 1 and row["high"] < 1
                   and catalogue()[row["algorithm"]].symmetry == "none"],
        "symmetry": made.symmetry, "symmetry_samples": made.rounds["symmetry"],
        "fewest_first": next((row["nodes"] for row in saved.to_dict("records")
                              if row["algorithm"] == "fewest_first"), None),
        "gains": tables.largest(made.tables["mirror"]),
    }


def _peers(found: pd.DataFrame, by_peer: pd.DataFrame) -> dict[str, Any]:
    """What the section on the peers says: where most of them were measured, and the fastest and
    the slowest of the others there.
    """
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
    return {
        "n": n, "absent": absent, "ended": ended.to_dict("records"),
        "by_n": by_n.shown(by_peer), "marks": by_n.legend(by_peer),
        "samples": int(measured["samples"].min()) if len(measured) else 0,
        "table": there.drop(columns=["package", "n", "samples", "solutions", "fault"]).assign(
            to_n=there["peer"].map(reached)),
        "baseline": BASELINE, "nearest": others.head(1), "farthest": others.tail(1),
        "seconds": seconds.get(BASELINE), "others": len(others),
        "slower_than_python": int((others["low"] > in_python).sum()),
    }


def _beyond(plans: pd.DataFrame, schedules: pd.DataFrame) -> dict[str, Any]:
    """What the section on clusters says."""
    failing = schedules[schedules["failures"] == schedules["failures"].max()]
    known = plans[plans["known"].notna()]
    return {
        "plans": plans.drop(columns=["kernel", "slices", "median", "longest"]),
        "plans_known": len(known), "plans_covered": int((
            (known["solutions_low"] <= known["known"])
            & (known["known"] <= known["solutions_high"])).sum()),
        "largest_plan": plans.iloc[-1] if len(plans) else None,
        "kernel": plans["kernel"].iloc[0] if len(plans) else "",
        "best_schedule": failing.sort_values("efficiency").iloc[-1] if len(failing) else None,
        "efforts": EFFORTS,
    }


def _estimated(estimates: pd.DataFrame, levels: pd.DataFrame) -> dict[str, Any]:
    """What the section on estimates says."""
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


def _across(rows: pd.DataFrame, changes: pd.DataFrame) -> dict[str, Any]:
    """What the section across commits says, from the history and its changes."""
    counts = rows[rows["exact"] & (rows["status"] == "measured")]
    counted = counts.groupby(analysis.SERIES).size()
    verdicts = changes["verdict"].value_counts()
    return {
        "many": rows["commit"].nunique(), "notable": NOTABLE,
        "machines": {machine: file_name(machine) for machine in rows["machine"].unique()},
        "series": len(rows.drop_duplicates(analysis.SERIES)),
        "counts": int((counted > 1).sum()),
        "since": f"{rows['date'].min():%Y-%m-%d}" if len(rows) else "",
        "until": f"{rows['date'].max():%Y-%m-%d}" if len(rows) else "",
        "changed": int(verdicts.get("count changed", 0)),
        "regressions": int(verdicts.get("regression", 0)),
        "improvements": int(verdicts.get("improvement", 0)),
        "failed": int((rows["status"] == "failed").sum()),
        "changes": changes.assign(other=changes["verdict"] != "count changed").sort_values(
            ["other", "date", "benchmark"], kind="stable"),
        "lines": sparklines.lines(rows, changes),
    }


def _puzzles(rates: pd.DataFrame, hard: pd.DataFrame, rated: pd.DataFrame) -> dict[str, Any]:
    """What the section on Sudoku says."""
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
