"""The frames that the sections of the page are made from, each computed once, and what their tables
have in common.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from nqbench import analysis
from nqbench.analysis.frames import newest_run
from nqbench.analysis.uncertainty import doubtful
from nqbench.errors import InvalidValueError
from nqbench.records.contradictions import WrongCount, contradictions, refusals, suspicions
from nqbench.records.descriptions import Descriptions
from nqbench.records.record import FEWEST, SMALL
from nqbench.records.runs import Run
from nqbench.search.metrics import points
from nqbench.util.text import plural

ENOUGH = 4  # smaller searches are too short, and mirrors are not compared
COMPARED = 8  # queens; searches of smaller boards differ by little but their fixed costs
IN_TURNS = ("algorithms", "pruning", "symmetry")  # studies whose points are algorithms
DISTURBED = 0.5  # of the points
ENGINE = "cross"  # the algorithm whose compiled implementation is the counting engine
TIMED = ("s", "seconds")  # units of the points whose machine the page names first


@dataclass(frozen=True)
class Taken:
    """The number of samples of the times, and of their processes."""

    samples: int = 0
    processes: int = 0

    @property
    def enough(self) -> bool:
        """Whether they have intervals, which hold within one process if there is no other.

        >>> Taken(5, 1).enough, Taken(8, 2).enough
        (True, False)
        """
        return (self.processes if self.processes > 1 else self.samples) >= FEWEST

    @property
    def few(self) -> str:
        """Why there is no verdict, in words.

        >>> Taken(8, 2).few, Taken(1, 1).few
        ('two processes, too few for an interval', 'a single sample')
        """
        return ("two processes, too few for an interval" if self.processes == 2 else
                "two samples, too few for an interval" if self.samples == 2 else "a single sample")


def taken(rows: pd.DataFrame) -> Taken:
    """Return the least number of samples and of processes of the points in these rows, except for
    the smallest n, which have fewer; 0 without rows.
    """
    usual = rows[rows["n"] > SMALL]
    chosen = usual if len(usual) else rows
    return Taken(*(int(chosen[name].min()) for name in ("samples", "processes"))
                 ) if len(chosen) else Taken()


def taken_of_timings(timings: pd.DataFrame) -> Taken:
    """Return the same for timings, which have the samples themselves."""
    return taken(timings.assign(samples=timings["samples"].map(len)))


def largest_common(found: pd.DataFrame) -> int:
    """Return the largest n that most algorithms reached."""
    sizes = found.groupby("n").size()
    return int(sizes[sizes == sizes.max()].index.max())


def at_largest_common(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of this n."""
    return found[found["n"] == largest_common(found)]


def by_solver(found: pd.DataFrame) -> list[tuple[tuple[str, str], pd.DataFrame]]:
    """Return the rows of each algorithm in each implementation, in their order."""
    groups: Any = found.groupby(["algorithm", "implementation"], sort=False)
    return list(groups)


class Frames:
    """The newest runs that reached a large enough n, all of one machine, and the frames made from
    them.

    This machine is that of the newest run of all algorithms. Without such a run, it is that of the
    newest run about pruning, else about symmetry, else of the last run of any kind. A frame is
    empty if there are no records for it.

    machine: the context of the run named at the top; every: whether that run measured every
    algorithm; records: those of all machines; sha256: the hash of the records, empty if it is not
    known; all_runs: the records as they were read, none if that is not known; history: the folder
    of asv's results, if it is known; newest: the run named at the top; main: the same, if it has
    times of algorithms; engine: the run of the kernels.

    Raises
    ------
    InvalidValueError
        if the records have nothing to report.
    """

    def __init__(self, records: pd.DataFrame, sha256: str = "", all_runs: Sequence[Run] = (),
                 history: Path | None = None) -> None:
        self.records, self.sha256, self.all_runs, self.history = records, sha256, all_runs, history
        self._made: dict[tuple[Any, ...], pd.DataFrame] = {}
        self.main = records[:0]
        for about in IN_TURNS:
            if self.main.empty:
                self.main = analysis.latest(records, reached=ENOUGH, about=about)
        self.newest = _newest(records) if self.main.empty else self.main
        if self.newest.empty:
            raise InvalidValueError(
                f"the records have nothing to report, neither times for n = {ENOUGH} or more nor "
                "anything else: run `nqbench study` first")
        self.machine = read_context(self.newest)
        machine: str = self.machine["machine"]
        runs = {part: analysis.latest(records, machine, ENOUGH, part)
                for part in (*IN_TURNS, "engine")}
        self.every = len(runs["algorithms"]) > 0
        self.engine = runs["engine"]
        self._closer = {part: runs[part] if len(runs[part]) else self.main
                        for part in ("pruning", "symmetry")}

    def here(self, make: Callable[[pd.DataFrame, str], pd.DataFrame]) -> pd.DataFrame:
        """Return what a function of a topic makes from the records, for the machine at the top."""
        return self.of(make, self.machine["machine"])

    def of(self, make: Callable[..., pd.DataFrame], *machine: str) -> pd.DataFrame:
        """Return what a function of a topic makes from the records of all machines."""
        if (make, *machine) not in self._made:
            self._made[make, *machine] = make(self.records, *machine)
        return self._made[make, *machine]

    @cached_property
    def study(self) -> dict[str, Any]:
        """What the main run measures: the keys of a study file, `algorithms` always among them,
        which is empty if the run measures a kind of solvers.
        """
        return {"algorithms": [], **analysis.study(self.main)}

    @cached_property
    def descriptions(self) -> Descriptions:
        """The descriptions of the algorithms; its entries are the external ones in the main run."""
        return analysis.descriptions(self.main)

    @cached_property
    def deciding(self) -> Descriptions:
        """The descriptions of the external algorithms in the runs on random instances."""
        decided = self.records["metric"] == "transition"
        return analysis.descriptions(
            self.records[self.records["run"].isin(self.records.loc[decided, "run"])])

    @cached_property
    def counters(self) -> pd.DataFrame:
        """The counters of the main run."""
        return _counters(self.main)

    @cached_property
    def timings(self) -> pd.DataFrame:
        """The times of the main run."""
        return analysis.timings(self.main)

    @cached_property
    def taken(self) -> Taken:
        """The samples and processes of the times of the main run."""
        return taken_of_timings(self.timings)

    @cached_property
    def doubts(self) -> list[str]:
        """Why the times of the main run say little, in words; none if they do not."""
        trees = analysis.pruning(self.timings)
        if trees.empty:
            return []
        sizes, many = trees.groupby("n").size(), self.taken.processes
        n = int(sizes[2 * sizes > sizes.max()].index.max())
        skipped, points = len(analysis.left_out(self.main)), len(self.timings)
        disturbed = sum(map(doubtful, self.timings["samples"]))
        return [text for text, true in (
            (f"most algorithms were measured up to n = {n} only" + (
                f", and {skipped} {plural(skipped, 'point was', 'points were')} skipped for lack "
                "of time or stopped") * (skipped > 0),
             self.every and n < COMPARED),
            (f"{many} {plural(many, 'process', 'processes')} took the samples, so " + (
                "intervals and verdicts hold within it alone" if self.taken.enough else
                "the times have no intervals and no verdicts"), many < FEWEST),
            (f"other programs disturbed {disturbed} of {points} points, which have no verdicts",
             disturbed > DISTURBED * points)) if true]

    @cached_property
    def pruning(self) -> "Saving":
        """What pruning saves, from the run that is closest to it."""
        return Saving(self._closer["pruning"])

    @cached_property
    def symmetry(self) -> "Saving":
        """What symmetry saves, from the run that is closest to it."""
        return Saving(self._closer["symmetry"])

    @cached_property
    def kernels(self) -> pd.DataFrame:
        """The kernels of the engine against Somers' program."""
        return analysis.kernels(self.records, self.machine["machine"])

    @cached_property
    def shown(self) -> list[pd.DataFrame]:
        """The runs whose counts the page shows, each once."""
        checked = self.records[(self.records["machine"] == self.machine["machine"])
                               & (self.records["metric"] == "check")]
        runs = [self.newest, *self._closer.values(), self.engine, newest_run(checked, self.records)]
        return list({tuple(run[["machine", "run"]].iloc[0]): run
                     for run in runs if len(run)}.values())

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The totals that were counted beside the times shown."""
        return pd.concat([run[run["metric"] == "solutions"] for run in self.shown])

    @cached_property
    def checks(self) -> pd.DataFrame:
        """The checks of the runs shown; for each value the worst outcome."""
        found = pd.concat([analysis.checks(run) for run in self.shown])
        worst = found["status"].map({"differs": 0, "ok": 1}).fillna(2)
        return found.assign(worst=worst).sort_values("worst", kind="stable").drop_duplicates(
            ["sequence", "n"]).drop(columns="worst").sort_values(["sequence", "n"], kind="stable")

    @cached_property
    def wrong(self) -> list[WrongCount]:
        """The wrong counts of all records, also of runs that the page does not show."""
        return contradictions(self._rows)

    @cached_property
    def strange(self) -> list[str]:
        """What is strange about searches in all records, without being wrong, and why the run named
        at the top lacks some of its study.
        """
        return [*suspicions(self._rows), *refusals(self.newest.to_dict("records"))]

    @cached_property
    def _rows(self) -> list[dict[Any, Any]]:
        return self.records.to_dict("records")


class Saving:
    """What the searches of one run save compared with the plain tree."""

    def __init__(self, run: pd.DataFrame) -> None:
        self.run = run
        self.counters, self.timings = _counters(run), analysis.timings(run)
        self.taken = taken_of_timings(self.timings)
        self.gains = analysis.gains(self.counters, self.timings)

    @property
    def empty(self) -> bool:
        """Whether nothing can be compared."""
        return self.gains.empty


def _counters(run: pd.DataFrame) -> pd.DataFrame:
    """Return the counters of the points whose nodes were counted: a run may measure others."""
    found = analysis.counters(run)
    return found[found["nodes"].notna()]


def _newest(records: pd.DataFrame) -> pd.DataFrame:
    """Return the newest run of anything that a section shows; a run of estimates, which depend on
    no machine, or of checks only if there is nothing else.
    """
    shown = records[((records["metric"] == "check") | (
        records["samples"].astype(bool) & (
            records["metric"].isin([name for name in points() if name != "seconds"])
            | ((records["metric"] == "seconds") & (records["n"] >= ENOUGH)))))]
    return newest_run(shown.assign(timed=shown["metric"].isin(points(*TIMED))), records,
                      first=("timed",))


def read_context(run: pd.DataFrame) -> dict[Any, Any]:
    """Return where and how a run was measured, without fields that its records do not have; the
    label of the machine is then None, as in current records.
    """
    newest = run.sort_values("time", kind="stable").tail(1).astype(object)
    context: dict[Any, Any] = newest.to_dict("records")[0]
    return {"label": None} | {name: value for name, value in context.items() if value == value}


def origin_of(run: pd.DataFrame, frames: Frames) -> dict[str, Any]:
    """Return where a run was measured: its context as `run`, and as `here` whether that is the
    machine at the top.
    """
    context = read_context(run)
    return {"run": context, "here": context["machine"] == frames.machine["machine"]}
