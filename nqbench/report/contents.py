"""What the report shows: frames from the records, and how each plot is drawn from them.

Each part takes what it needs from the records and adds its tables and figures only if there is
something in them: the records of any preset, alone or with others, make a report.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.analysis.frames import one_run
from nqbench.errors import InvalidValueError
from nqbench.report import plots, style, tables, totals

SHOWN_LEVELS = 12  # the profile is shown for this n, or for the largest measured below it
ENOUGH = 4  # below it there is no search to speak of, and mirrors are not compared
IN_TURNS = ("algorithms", "pruning", "symmetry")  # studies whose points are algorithms
TIMED = ("rate", "plan", "peer", "seconds")  # metrics of which a machine is named first


@dataclass
class Contents:
    """What the page says: the frames of the report and the sentences made from them.

    machine: the context of the run named at the top; every: whether that run measured every
    algorithm; sources: the contexts of the sections that are from another run of the same machine;
    taken: how many samples and processes those sections' times have; checks: those of all runs
    shown; counted, counted_n: how many totals were counted beside the times, and up to which n;
    wrong: the totals that are wrong. `tables` and `figures` have only what is not empty, and
    the frames of a part that is not there are empty.
    """

    machine: dict[Any, Any]
    other_machines: int
    history: pd.DataFrame
    every: bool = False
    sources: dict[str, dict[Any, Any]] = field(default_factory=dict)
    taken: dict[str, dict[str, int]] = field(default_factory=dict)
    counters: pd.DataFrame = field(default_factory=pd.DataFrame)
    timings: pd.DataFrame = field(default_factory=pd.DataFrame)
    checks: pd.DataFrame = field(default_factory=pd.DataFrame)
    counted: int = 0
    counted_n: int = 0
    wrong: list[totals.WrongTotal] = field(default_factory=list)
    n_levels: int = 0
    estimated: pd.DataFrame = field(default_factory=pd.DataFrame)
    pruning: pd.DataFrame = field(default_factory=pd.DataFrame)
    symmetry: pd.DataFrame = field(default_factory=pd.DataFrame)
    rated: pd.DataFrame = field(default_factory=pd.DataFrame)
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    figures: dict[str, Callable[[], Figure]] = field(default_factory=dict)

    def add(self, name: str, table: pd.DataFrame) -> bool:
        """Add a table unless it is empty; return whether it has rows."""
        if len(table):
            self.tables[name] = table
        return len(table) > 0


def contents(records: pd.DataFrame, history: pd.DataFrame) -> Contents:
    """Make the frames of every section from the newest runs that went far enough, all of one
    machine; `history` is what asv measured across commits.

    That machine is the one of the newest run of all algorithms. Without such a run it is that of
    the newest run about pruning, else about symmetry, else of whatever else was measured last.

    Raises
    ------
    InvalidValueError
        if the records have nothing to report.
    """
    main = records[:0]
    for about in IN_TURNS:
        if main.empty:
            main = analysis.latest(records, reached=ENOUGH, about=about)
    newest = _newest(records) if main.empty else main
    if newest.empty:
        raise InvalidValueError(
            f"the records have nothing to report, neither times for n = {ENOUGH} or more nor "
            "anything else: run `nqbench study` first")
    made = Contents(_context(newest), records["machine"].nunique() - 1, history)
    machine = made.machine["machine"]
    runs = {part: analysis.latest(records, machine, ENOUGH, part)
            for part in (*IN_TURNS, "engine")}
    made.every = len(runs["algorithms"]) > 0
    closer = {part: runs[part] if len(runs[part]) else main for part in ("pruning", "symmetry")}
    peers = analysis.latest_peers(records, machine)
    beyond = analysis.latest_plans(records, machine)
    for section, run in {**closer, "engine": runs["engine"], "peers": peers,
                         "clusters": beyond}.items():
        if len(run) and run["run"].iat[0] != made.machine["run"]:
            made.sources[section] = _context(run)

    made.add("algorithms", tables.algorithms())
    made.add("errata", tables.errata())
    made.add("left_out", analysis.left_out(newest))
    checked = records[(records["machine"] == machine) & (records["metric"] == "check")]
    _verify(made, [newest, *closer.values(), runs["engine"],
                   one_run(records, checked.sort_values("run", kind="stable").tail(1))], peers)
    if len(main):
        _measure(made, main)
        _compare(made, closer)
    made.add("kernels", analysis.kernels(records, machine))
    _set_beside_peers(made, peers)
    _plan(made, beyond)
    _estimate(made, records)
    _rate(made, analysis.latest_rates(records, machine))
    _follow_commits(made, history)
    return made


def _newest(records: pd.DataFrame) -> pd.DataFrame:
    """The newest run of whatever a section shows; of estimates, which no machine has a part in,
    and of checks only if there is nothing else.
    """
    shown = records[(records["metric"].isin(["peer", "check"]) | (
        (records["status"] == "measured") & (
            records["metric"].isin(["rate", "plan", "estimate"])
            | ((records["metric"] == "seconds") & (records["n"] >= ENOUGH)))))]
    order = shown.assign(timed=shown["metric"].isin(TIMED)).sort_values(
        ["timed", "run"], kind="stable")
    return one_run(records, order.tail(1))


def _context(run: pd.DataFrame) -> dict[Any, Any]:
    """Where and how a run was measured; without what its records do not say."""
    context: dict[Any, Any] = analysis.machines(run).astype(object).to_dict("records")[0]
    return {name: value for name, value in context.items() if value == value}


def _verify(made: Contents, runs: list[pd.DataFrame], peers: pd.DataFrame) -> None:
    """Add the checks of the runs shown, of each value the worst outcome, and compare the totals
    that were counted beside their times.
    """
    shown = {tuple(run[["machine", "run"]].iloc[0]): run for run in runs if len(run)}
    counted = pd.concat([run[run["metric"] == "solutions"] for run in shown.values()])
    checks = pd.concat([analysis.checks(run) for run in shown.values()])
    worst = checks["status"].map({"differs": 0, "ok": 1}).fillna(2)
    made.checks = checks.assign(worst=worst).sort_values("worst", kind="stable").drop_duplicates(
        ["sequence", "n"]).drop(columns="worst").sort_values(["sequence", "n"], kind="stable")
    made.counted, made.counted_n = len(counted), max(counted["n"], default=0)
    made.wrong = [*totals.of_checks(made.checks), *totals.of_points(counted),
                  *totals.of_peers(peers)]
    made.add("verification", tables.verification(made.checks, made.wrong))


def _measure(made: Contents, run: pd.DataFrame) -> None:
    """Add the times and counters of one run."""
    counters, timings = made.counters, made.timings = _measured(run)
    profiles = analysis.profiles(run)
    if len(analysis.pruning(timings)):
        made.add("times", tables.times(timings))
        made.add("times_by_n", tables.times_by_n(analysis.outcomes(run), ENOUGH))
        made.figures["time"] = lambda: plots.time(timings)
    if made.add("counters", counters) and len(analysis.pruning(counters)):
        made.figures["nodes"] = lambda: plots.nodes(counters)
        made.figures["work"] = lambda: plots.work(counters)
    rates = tables.rates(counters, timings)
    if made.add("rates", rates):
        made.figures["rate"] = lambda: plots.rate(rates)
    if made.add("cython", tables.against_cython(timings)):
        made.figures["cython"] = lambda: plots.cython(timings)
    mirrored = tables.mirror_gains(counters, timings)
    if made.add("mirror", mirrored):
        made.figures["mirror"] = lambda: plots.mirror(mirrored)
    n = made.n_levels = _level_n(profiles)
    if n and made.add("levels", tables.levels(profiles, n)):
        made.figures["levels"] = lambda: plots.levels(profiles, n)


def _compare(made: Contents, runs: dict[str, pd.DataFrame]) -> None:
    """Add what pruning and symmetry save, each from the run that is closest to it."""
    measured = {about: _measured(run) for about, run in runs.items()}
    made.taken = {about: tables.taken(times.assign(samples=times["samples"].map(len)))
                  for about, (_, times) in measured.items()}
    saved = analysis.gains(*measured["pruning"])
    if made.add("gains", saved):
        survival = analysis.survival(analysis.profiles(runs["pruning"]))
        made.add("survival", survival)
        made.add("shapes", analysis.shapes(*measured["pruning"]))
        most = tables.largest_common(saved)
        at_most = made.pruning = saved[saved["n"] == most]
        made.figures["gains"] = lambda: plots.savings(at_most, "the plain tree", [
            style.solver(*one) for one in
            zip(at_most["algorithm"], at_most["implementation"], strict=True)])
        cut = survival[survival["n"] == most]
        if len(cut):
            made.figures["profiles"] = lambda: plots.profile_curves(cut)
            made.figures["survival"] = lambda: plots.heat(cut)
    symmetry = tables.symmetry(analysis.gains(*measured["symmetry"]))
    if made.add("symmetry", symmetry):
        even = symmetry[symmetry["n"] % 2 == 0]  # where every use of symmetry is one
        even = even if len(even) else symmetry
        at_even = made.symmetry = even[even["n"] == tables.largest_common(even)]
        made.figures["symmetry"] = lambda: plots.savings(
            at_even, "no use of symmetry", list(at_even["symmetry"]))


def _set_beside_peers(made: Contents, run: pd.DataFrame) -> None:
    """Add the peers."""
    peers = analysis.against_peers(run)
    if made.add("peers", peers) and (peers["status"] == "measured").any():
        made.figures["peers"] = lambda: plots.peers(peers)
    made.add("peers_by_n", tables.peers_by_n(run, peers))


def _plan(made: Contents, run: pd.DataFrame) -> None:
    """Add the plans for clusters, and the simulated runs."""
    schedules = analysis.schedules(run)
    if made.add("plans", analysis.plans(run)) and made.add("schedules", schedules):
        made.figures["efficiency"] = lambda: plots.efficiency(schedules)


def _estimate(made: Contents, records: pd.DataFrame) -> None:
    """Add the estimates, and from where there are roots what is beyond the published values."""
    estimates, made.estimated = analysis.estimates(records), analysis.estimated_levels(records)
    if not made.add("estimates", estimates):
        return
    if estimates["known"].notna().any():
        made.figures["estimates"] = lambda: plots.estimates(estimates)
    if (estimates["n"] > plots.FIRST_ROOT).any():
        law, levels = analysis.extrapolation(), made.estimated
        made.add("extrapolation", tables.extrapolation(estimates, law))
        made.figures["extrapolation"] = lambda: plots.extrapolated(estimates, law)
        if levels[levels["method"] == "knuth"]["n"].isin(plots.PROFILED).any():
            made.figures["estimated_profiles"] = lambda: plots.estimated_profiles(levels)


def _rate(made: Contents, rated: pd.DataFrame) -> None:
    """Add the solvers of Sudoku, if any was measured."""
    solvers, hard = analysis.rates_of_solvers(rated), analysis.nodes_by_difficulty(rated)
    if not solvers["per_second"].notna().any():
        return
    made.rated = rated
    made.add("sudoku", solvers)
    made.figures["sudoku"] = lambda: plots.puzzle_rates(solvers)
    if made.add("sudoku_difficulty", hard):
        made.figures["sudoku_difficulty"] = lambda: plots.puzzle_difficulty(hard)


def _follow_commits(made: Contents, history: pd.DataFrame) -> None:
    """Add what asv measured across commits."""
    changes = analysis.changes(history)
    made.add("history", tables.history(history))
    made.add("changes", changes)
    for machine, rows in history.groupby("machine"):
        made.figures[f"commits-{file_name(str(machine))}"] = partial(
            plots.across_commits, rows, changes)


def _measured(run: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Its counters and its times."""
    return analysis.counters(run), analysis.timings(run)


def file_name(name: str) -> str:
    """A name from outside as part of a file's name, different for different ones.

    >>> file_name("epyc-2"), file_name("my/machine")
    ('epyc-2', 'my-machine-08b6')
    """
    plain = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII)[:80]
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:4]}"


def _level_n(profiles: pd.DataFrame) -> int:
    """The largest n up to SHOWN_LEVELS at which the tree and its mirrored half are known, 0 if
    there is none.
    """
    both = [set(profiles[profiles["algorithm"] == a]["n"]) for a in ("bitmask", "somers")]
    return int(max((n for n in both[0] & both[1] if n <= SHOWN_LEVELS), default=0))
