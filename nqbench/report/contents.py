"""What the report shows: frames from the records, and how each plot is drawn from them."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.report import plots, style, tables

SHOWN_LEVELS = 12  # the profile is shown for this n, or for the largest measured below it
ENOUGH = 4  # below it there is no search to speak of, and mirrors are not compared


@dataclass
class Contents:
    """What the page says: the frames of the report and the sentences made from them.

    machine: the context of the run shown; sources: those of the sections that are from
    another run of the same machine; rounds: how many of them those sections' times have.
    """

    machine: dict[Any, Any]
    sources: dict[str, dict[Any, Any]]
    rounds: dict[str, int]
    other_machines: int
    counters: pd.DataFrame
    timings: pd.DataFrame
    checks: pd.DataFrame
    solutions: pd.DataFrame
    n_levels: int
    history: pd.DataFrame
    estimated: pd.DataFrame
    pruning: pd.DataFrame
    symmetry: pd.DataFrame
    rated: pd.DataFrame
    tables: dict[str, pd.DataFrame]
    figures: dict[str, Callable[[], Figure]]


def contents(records: pd.DataFrame, history: pd.DataFrame) -> Contents:
    """Pick the newest run of all that went far enough for every section, and make its frames;
    `history` is what asv measured across commits.

    Raises
    ------
    ValueError
        if there is none, or if it lacks what others are compared with.
    """
    newest = analysis.latest(records, reached=ENOUGH)
    if newest.empty:
        raise ValueError(f"there is no study of all algorithms up to n = {ENOUGH} or more to "
                         "report: run `nqbench study` first")
    machine = _context(newest)
    closer = {about: analysis.latest(records, machine["machine"], ENOUGH, about)
              for about in ("pruning", "symmetry", "engine")}
    sources = {about: _context(run) for about, run in closer.items()
               if len(run) and run["run"].iat[0] != machine["run"]}
    measured = counters, timings = _measured(newest)
    pruning, symmetric = (_measured(closer[about]) if about in sources else measured
                          for about in ("pruning", "symmetry"))
    beside = analysis.latest_peers(records, machine["machine"])
    if len(beside):
        sources["peers"] = _context(beside)
    peers = analysis.against_peers(beside)
    beyond = analysis.latest_plans(records, machine["machine"])
    if len(beyond):
        sources["clusters"] = _context(beyond)
    schedules = analysis.schedules(beyond)
    profiles = analysis.profiles(newest)
    checks = analysis.checks(newest)
    n_levels = _level_n(profiles)
    rates = tables.rates(counters, timings)
    gains = tables.mirror_gains(counters, timings)
    changes = analysis.changes(history)
    saved = _gains(*pruning)
    most = tables.largest_common(saved)
    at_most = saved[saved["n"] == most]
    survival = analysis.survival(analysis.profiles(closer["pruning"]))
    cut = survival[survival["n"] == most]
    symmetry = tables.symmetry(_gains(*symmetric))
    even = symmetry[symmetry["n"] % 2 == 0]  # where every use of symmetry is one
    even = even if len(even) else symmetry
    symmetry_at = even[even["n"] == tables.largest_common(even)]
    estimates, estimated = analysis.estimates(records), analysis.estimated_levels(records)
    law = analysis.extrapolation()
    rated = analysis.latest_rates(records, machine["machine"])
    solvers, hard = analysis.rates_of_solvers(rated), analysis.nodes_by_difficulty(rated)
    return Contents(
        machine=machine,
        sources=sources,
        rounds={about: min(map(len, times["samples"])) for about, (_, times) in (
            ("pruning", pruning), ("symmetry", symmetric))},
        other_machines=records["machine"].nunique() - 1,
        counters=counters, timings=timings, checks=checks,
        solutions=newest[newest["metric"] == "solutions"], n_levels=n_levels,
        history=history, estimated=estimated, pruning=at_most, symmetry=symmetry_at, rated=rated,
        tables={
            "algorithms": tables.algorithms(),
            "verification": tables.verification(checks),
            "counters": counters,
            "times": tables.times(timings),
            "times_by_n": tables.times_by_n(analysis.outcomes(newest), ENOUGH),
            "left_out": analysis.left_out(newest),
            "rates": rates,
            "cython": tables.against_cython(timings),
            "mirror": gains,
            "levels": tables.levels(profiles, n_levels),
            "gains": saved,
            "symmetry": symmetry,
            "shapes": analysis.shapes(*pruning),
            "survival": survival,
            "estimates": estimates,
            "extrapolation": tables.extrapolation(estimates, law),
            "sudoku": solvers,
            "sudoku_difficulty": hard,
            "kernels": analysis.kernels(records, machine["machine"]),
            "peers": peers,
            "plans": analysis.plans(beyond),
            "schedules": schedules,
            "peers_by_n": tables.peers_by_n(beside, peers),
            "history": tables.history(history),
            "changes": changes,
            "errata": tables.errata(),
        },
        figures={
            "time": lambda: plots.time(timings),
            "nodes": lambda: plots.nodes(counters),
            "work": lambda: plots.work(counters),
            "rate": lambda: plots.rate(rates),
            "cython": lambda: plots.cython(timings),
            "mirror": lambda: plots.mirror(gains),
            "levels": lambda: plots.levels(profiles, n_levels),
            "gains": lambda: plots.savings(at_most, "the plain tree", [
                style.solver(*one) for one in
                zip(at_most["algorithm"], at_most["implementation"], strict=True)]),
            "profiles": lambda: plots.profile_curves(cut),
            "survival": lambda: plots.heat(cut),
            "symmetry": lambda: plots.savings(
                symmetry_at, "no use of symmetry", list(symmetry_at["symmetry"])),
        } | ({
            "estimates": lambda: plots.estimates(estimates),
            "extrapolation": lambda: plots.extrapolated(estimates, law),
        } if (estimates["n"] > plots.FIRST_ROOT).any() else {}) | ({
            "estimated_profiles": lambda: plots.estimated_profiles(estimated),
        } if estimated[estimated["method"] == "knuth"]["n"].isin(plots.PROFILED).any() else {}) | ({
            "sudoku": lambda: plots.puzzle_rates(solvers),
        } if solvers["per_second"].notna().any() else {}) | ({
            "sudoku_difficulty": lambda: plots.puzzle_difficulty(hard),
        } if len(hard) else {}) | ({
            "peers": lambda: plots.peers(peers),
        } if (peers["status"] == "measured").any() else {}) | ({
            "efficiency": lambda: plots.efficiency(schedules),
        } if len(schedules) else {}) | {
            f"commits-{file_name(str(machine))}": partial(plots.across_commits, rows, changes)
            for machine, rows in history.groupby("machine")
        })


def _context(run: pd.DataFrame) -> dict[Any, Any]:
    """Where and how a run was measured; without what its records do not say."""
    context: dict[Any, Any] = analysis.machines(run).astype(object).to_dict("records")[0]
    return {name: value for name, value in context.items() if value == value}


def _measured(run: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Its counters and its times."""
    return analysis.counters(run), analysis.timings(run)


def _gains(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """What each solver gains, where there is the plain tree to compare it with."""
    found = analysis.gains(counters, timings)
    if found.empty:
        raise ValueError("the newest study has no times and counters of bitmask in Python, with "
                         "which all are compared: run `nqbench study` again")
    return found


def file_name(name: str) -> str:
    """A name from outside as part of a file's name, different for different ones.

    >>> file_name("epyc-2"), file_name("my/machine")
    ('epyc-2', 'my-machine-08b6')
    """
    plain = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII)[:80]
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:4]}"


def _level_n(profiles: pd.DataFrame) -> int:
    """The largest n up to SHOWN_LEVELS at which the tree and its mirrored half are known."""
    both = [set(profiles[profiles["algorithm"] == a]["n"]) for a in ("bitmask", "somers")]
    shown = [n for n in both[0] & both[1] if n <= SHOWN_LEVELS]
    if not shown:
        raise ValueError("the newest study has no levels of bitmask and somers to compare: run "
                         "`nqbench study` again")
    return int(max(shown))
