"""Run a study: which points, in which order, in which processes, and what is left out."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from itertools import dropwhile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nqbench import engine
from nqbench._arguments import require_seconds, require_whole
from nqbench.algorithms import Search, catalogue
from nqbench.errors import InvalidValueError
from nqbench.estimation import CHUNK, Estimate, estimate
from nqbench.forecast import Forecast
from nqbench.records import store
from nqbench.records.context import context, relabel
from nqbench.records.names import SMALL
from nqbench.records.record import LOCAL, SCHEMA, Record, append, frame, join
from nqbench.study import clusters, worker
from nqbench.study.peering import START, Turns, contenders, in_turns
from nqbench.study.plans import (
    ESTIMATES,
    PATIENCE,
    PRESETS,
    PROCESSES,
    RATES,
    Preset,
    Solver,
    Step,
    methods,
    solvers,
    steps,
)
from nqbench.study.rating import every_solver, rate, rate_again
from nqbench.study.worker import Worker
from nqbench.sudoku import DATA_SETS, Grid
from nqbench.sudoku import data_set as read_data_set
from nqbench.tally import COUNTERS
from nqbench.verification import Check, run_checks

if TYPE_CHECKING:
    import pandas

puzzles = cache(read_data_set)  # each process asks for them
RESULTS = f"results/{LOCAL}"  # where the records go by default
SEED = 1  # of the random probes: the same in every study, so that its estimates can be made again
FEWEST = 3  # processes by default, however small the budget
WORTH = 2.0  # seconds of the budget for which a process is started: that takes half a second
GROWTH = 1.3  # a probe of n + 1 rows takes no longer than so many times one of n


@dataclass
class Point:
    """A search to be measured, its prediction and its samples."""

    solver: Solver
    n: int
    predicted: float
    loops: int | None = None
    samples: list[float] = field(default_factory=list)
    found: int = 0  # what the search returned: a mirrored one, half of the solutions

    def search(self, rounds: int) -> worker.Search:
        """Return what the worker times."""
        return worker.Search(str(self.solver), self.solver.key, rounds, self.n, loops=self.loops)


Progress = Callable[[str, float, float], None]  # what is done, seconds gone, budget


def run(preset: str = "standard", budget: float | None = None,
        results: str | Path = RESULTS, progress: Progress | None = None,
        resume: bool = False, processes: int | None = None,
        label: str | None = None) -> "pandas.DataFrame":
    """Measure, write the records to a new file in the folder `results`, and return them as a
    DataFrame, one row a point (see `nqbench.study.frame`).

    The samples are taken in so many `processes`, by default those of the preset, or fewer for a
    `budget` (seconds) in which to start them would take too long. The records of
    an n are written as soon as it is measured, so that an interrupted study loses only the n it
    was at; `resume` continues the newest run. `label` is what people call this machine; it is
    kept for later studies.

    Raises
    ------
    InvalidValueError
        for an unknown preset, a budget that is not above 0, a label that cannot be shown; where
        there is no interrupted run of this preset to resume, or another study is writing to the
        folder.
    OSError
        if the folder cannot be written.

    Examples
    --------
    >>> run("swift")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no preset 'swift', only quick, standard, ...
    """
    plan = _plan(preset)
    if budget is not None:
        budget = require_seconds(budget)
    if processes is not None:
        plan = replace(plan, processes=require_whole(processes, "processes", least=1))
    elif budget is not None:
        plan = replace(plan, processes=min(plan.processes, max(FEWEST, int(budget / WORTH))))
    folder = Path(results)
    if label is not None:
        relabel(label)
    with store.locked(folder):
        if resume:
            path, records, plan = interrupted(folder, preset, plan)
            budget = budget or records[0]["budget"]
        else:
            path, records = store.begin(folder, preset, _now(), context()["machine"]), []
        if budget is not None:
            plan = replace(plan, budget=budget, checks=budget * plan.checks / plan.budget)
        study = Study(preset, plan, progress, records)
        with store.kept(path):
            for batch in study.batches():
                append(path, batch)
    return frame(study.records)


def _plan(preset: str) -> Preset:
    """Return the plan of a preset, if it can be followed here."""
    if preset not in PRESETS:
        raise InvalidValueError(f"there is no preset {preset!r}, only {', '.join(PRESETS)}")
    about = PRESETS[preset].about
    if about in ("engine", "peers", "cluster") and not (
            engine.available() and "cython" in catalogue()["somers"].implementations):
        raise InvalidValueError(
            f"the preset {preset} needs the compiled cores, which are not here: "
            "there was no C compiler")
    if about == "cluster" and not find_spec("distributed"):
        raise InvalidValueError(f"the preset {preset} needs Dask: pip install 'nqbench[cluster]'")
    return PRESETS[preset]


def rate_file(grids: Sequence[Grid], data_set: str, chosen: Sequence[tuple[str, str]],
              results: str | Path, seconds: float, samples: int, nodes: int,
              say: Callable[[str], None], processes: int = PROCESSES) -> list[Record]:
    """Rate solvers of Sudoku on puzzles, in so many processes one after the other; write the
    records to a new file in `results` and return those of each solver, joined.
    """
    folder = Path(results)
    with store.locked(folder):
        started, here = _now(), context()
        head = {"schema": SCHEMA, "run": started, "preset": "rate", "context": here}
        path = store.begin(folder, "rate", started, here["machine"])
        records: list[Record] = []
        with store.kept(path):
            for process in range(processes):
                fields = _rated(grids, data_set, chosen, records, process, say,
                                seconds=seconds, samples=samples, nodes=nodes, processes=processes)
                batch = [{**head, "time": _now(), **found} for found in fields]
                append(path, batch)
                records += batch
    return join(records)


def _rated(grids: Sequence[Grid], data_set: str, chosen: Sequence[tuple[str, str]],
           records: Sequence[Record], process: int, say: Callable[[str], None],
           **amounts: Any) -> list[Record]:
    """Rate in a process of its own, which ends; the first one, or a later one of those that stand
    in the records.
    """
    measuring = Worker(PATIENCE * amounts["seconds"] * len(chosen))
    try:
        if process == 0:
            return rate(grids, data_set, chosen, measuring, say=say, **amounts)
        again = _of_first(records, "rate", process)
        return rate_again(grids, again, process, measuring, say)
    finally:
        measuring.stop()


def interrupted(folder: Path, preset: str,
                plan: Preset) -> tuple[Path, list[Record], Preset]:
    """Return the newest run in this context, if it is unfinished: its file, its records, and the
    plan with as many processes as it began with.

    Raises
    ------
    InvalidValueError
        if there is none.
    """
    here = [(path, records) for path, records in store.runs(folder)
            if _same_place(records[0]) and records[0].get("preset") in PRESETS]
    if here:
        path, records = here[-1]
        known = [record["processes"] for record in records if "processes" in record]
        plan = replace(plan, processes=max(known, default=plan.processes))
        if records[0].get("preset") == preset and left(records, plan):
            return path, records, plan
    raise InvalidValueError(
        f"there is no interrupted {preset} study of this commit and machine in {folder} to resume")


def _same_place(record: Record) -> bool:
    """Whether a record is of this machine and version, however it is called by now."""
    return {**record["context"], "label": None} == {**context(), "label": None}


def _of_first(records: Sequence[Record], metric: str, process: int,
              **fields: Any) -> list[Record]:
    """Return the records of the first process that a later one has to repeat."""
    return [record for record in records
            if record["metric"] == metric and record["status"] == "measured"
            and record.get("process", 0) == 0 and process < record.get("processes", 1)
            and all(record[name] == value for name, value in fields.items())]


def left(records: Sequence[Record], plan: Preset) -> list[Step]:
    """Return the steps that are still to do.

    A power cut while a step was written leaves a part of it: that step is done again.
    """
    return list(dropwhile(lambda step: _done(step, records, plan), steps(plan)))


METRICS = {"rates": "rate", "peers": "peer", "points": "seconds"}  # that processes repeat


def _done(step: Step, records: Sequence[Record], plan: Preset) -> bool:
    """Whether all of a step is there, measured or left out."""
    what, n, process = step
    if plan.about == "cluster":
        return clusters.is_done((what, n), list(records))
    if what == "checks":
        return any(r["metric"] != "check" for r in records)
    if process:
        here = {"data_set": DATA_SETS[n]} if what == "rates" else {"n": n}
        found = [r for r in records if r["metric"] == METRICS[what] and r.get("process") == process
                 and all(r[name] == value for name, value in here.items())]
        return len(found) >= len(_of_first(records, METRICS[what], process, **here))
    if what == "rates":
        return {(r["algorithm"], r["implementation"]) for r in records if r["metric"] == "rate"
                and r["data_set"] == DATA_SETS[n]} == set(every_solver())
    at_n = [r for r in records if r["n"] == n and not r.get("process")]
    if what == "estimates":
        return {r["method"] for r in at_n if r["metric"] == "estimate"} == set(methods(plan))
    if what == "peers":
        return {r["peer"] for r in at_n} == {peer.name for peer in contenders()}
    counted = Counter((r["algorithm"], r["implementation"], r["kernel"], r["jobs"], r["status"])
                      for r in at_n if r["metric"] not in ("check", "estimate", "rate"))
    return all((*solver.key, "left out") in counted
               or counted[*solver.key, "measured"] == 1 + len(solver.counted(plan))
               for solver in solvers(n, plan))


class Study:
    """One run of a plan, after what has been done of it `before`."""

    def __init__(self, preset: str, plan: Preset, progress: Progress | None = None,
                 before: list[Record] | None = None) -> None:
        self.preset = preset
        self.plan = plan
        self.progress = progress or (lambda done, seconds, budget: None)
        self.started = _now()
        self.start = perf_counter()
        self.forecast = Forecast()
        self.probed: dict[str, float] = {}  # seconds that a probe of a method took last
        self.estimating = 0.0  # seconds spent on estimates
        self.contenders = contenders() if plan.about == "peers" else []
        self.waiting = plan.patience * plan.budget / plan.processes  # seconds for each process
        self.worker = Worker(self.waiting)
        self.records = list(before or [])
        self.steps = left(self.records, plan)
        if before:
            self.started = before[0]["run"]
            spent = (datetime.fromisoformat(before[-1]["time"])
                     - datetime.fromisoformat(self.started))
            self.start -= spent.total_seconds()
        for record in before or []:
            if record["metric"] == "seconds" and record["samples"]:
                key = tuple(record[name] for name in (
                    "algorithm", "implementation", "kernel", "jobs"))
                self.forecast.add(key, record["n"], median(record["samples"]))
            elif record["metric"] == "peer" and record["samples"]:
                self.forecast.add(record["peer"], record["n"], median(record["samples"]))
            elif record["metric"] == "estimate":
                for sample in record["samples"]:
                    self.probed[record["method"]] = sample["seconds"] / record["probes"]
                    self.estimating += sample["seconds"]

    @property
    def gone(self) -> float:
        return perf_counter() - self.start

    def batches(self) -> Iterator[list[Record]]:
        """Yield the records of each step."""
        measuring = 0
        try:
            for step in self.steps:
                if step.process != measuring:
                    self.stop()
                    self.worker.patience += self.waiting
                    measuring = step.process
                batch = self.do(step)
                self.records += batch
                yield batch
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop the processes that measure; what comes next starts others."""
        self.worker.stop()
        for contender in self.contenders:
            contender.stop()

    def do(self, step: Step) -> list[Record]:
        """Do a step; return its records."""
        what, number, process = step
        if self.plan.about == "cluster":
            over = self.gone > self.plan.budget
            return [{**self.head(), **fields} for fields in
                    clusters.do((what, number), self.records, over, self.say)]
        if what == "checks":
            return self.checks()
        if what == "estimates":
            return self.estimates(number)
        if what == "rates":
            return self.rates(DATA_SETS[number], process)
        if process == 0:
            return {"peers": self.peers, "points": self.measure}[what](number)
        return {"peers": self.peers_again, "points": self.measure_again}[what](number, process)

    def checks(self) -> list[Record]:
        verification = run_checks(
            self.plan.check_n, budget=self.plan.checks,
            progress=lambda check, solver: self.say(f"check {check.sequence}, n = {check.n}"))
        if verification.interrupted:
            raise KeyboardInterrupt
        return [self.check_record(check) for check in verification.checks]

    def estimates(self, n: int) -> list[Record]:
        """Estimate the tree of n by each method; return a record each."""
        return [self.estimate(n, method, wanted) for method, wanted in methods(self.plan).items()]

    def estimate(self, n: int, method: str, wanted: int) -> Record:
        """Estimate with as many probes as are wanted, or as there is time for."""
        self.say(f"estimate, n = {n}, {method}")
        if method not in self.probed:
            self.probe(n, method, 32 * CHUNK)
        predicted = GROWTH * self.probed[method]
        probes = min(wanted, int(self.allowance(n, method) / predicted) // CHUNK * CHUNK)
        least = min(CHUNK, wanted)
        made = max(probes, least)
        head = {**self.head(), "metric": "estimate", "unit": "nodes", "n": n, "method": method,
                "probes": made, "seed": SEED, "predicted": predicted * made}
        if probes < least and n > SMALL:
            return {**head, "status": "left out", "samples": [], "reason": "no time left",
                    "cost": predicted * least, "allowed": self.allowance(n, method)}
        found, seconds = self.probe(n, method, made)
        self.estimating += seconds
        return {**head, "time": _now(),
                "status": "measured", "samples": [{
                    "reached": found.reached, "seconds": seconds, "nodes": astuple(found.nodes),
                    "levels": [astuple(level) for level in found.levels]}]}

    def probe(self, n: int, method: str, probes: int) -> tuple[Estimate, float]:
        """Estimate, and note the seconds that a probe takes."""
        start = perf_counter()
        found = estimate(n, probes, SEED, method)
        seconds = perf_counter() - start
        self.probed[method] = seconds / probes
        return found, seconds

    def allowance(self, n: int, method: str) -> float:
        """The seconds that an estimate may take: an equal part of what is left for it and all
        that follow.
        """
        alone = self.plan.about == "estimate"
        total = self.plan.budget * (1 if alone else ESTIMATES)
        every = [(m, name) for what, m, _ in steps(self.plan) if what == "estimates"
                 for name in methods(self.plan)]
        left = min(total - self.estimating, self.plan.budget - self.gone)
        return max(0.0, left) / (len(every) - every.index((n, method)))

    def rates(self, data_set: str, process: int) -> list[Record]:
        """Rate the solvers of Sudoku on a data set, as long as the budget allows."""
        if process:
            firsts = _of_first(self.records, "rate", process, data_set=data_set)
            rated = rate_again(puzzles(data_set), firsts, process, self.worker, self.say)
            return [{**fields, **self.head()} for fields in rated]
        chosen = every_solver()
        if self.plan.about == "sudoku":
            to_do = len(DATA_SETS) - DATA_SETS.index(data_set)
            allowed = max(0.0, self.plan.budget - self.gone) / to_do
        else:
            allowed = RATES * self.plan.budget / (len(DATA_SETS) * len(chosen))
        rated = rate(puzzles(data_set), data_set, chosen, self.worker,
                     min(self.plan.puzzles, allowed), self.plan.samples,
                     processes=self.plan.processes, say=self.say)
        return [{**self.head(), **fields} for fields in rated]

    def peers(self, n: int) -> list[Record]:
        """Count n queens with our searches and those of others in turns; a record each."""
        found = [Turns(contender, n, self.forecast.predict(contender.name, n),
                       processes=self.plan.processes) for contender in self.contenders]
        chosen: list[Turns] = []
        planned = 0.0
        for turns in found:
            cost = self.rounds_cost(n, turns.predicted)
            if turns.contender.version is None:
                turns.status = "not installed"
            elif skipped := self.skipped(n, cost, planned):
                turns.status, turns.skipped = "left out", skipped
            else:
                chosen.append(turns)
                planned += cost
        in_turns(chosen, self.plan.rounds(n), self.patience(n), self.say)
        for turns in chosen:
            if turns.seconds is not None:
                self.forecast.add(turns.contender.name, n, turns.seconds)
        return [{**self.head(), **turns.fields()} for turns in found]

    def peers_again(self, n: int, process: int) -> list[Record]:
        """Take the samples of a later process; a record for each that the first one measured."""
        names = {contender.name: contender for contender in self.contenders}
        chosen = [Turns(names[record["peer"]], n, median(record["samples"]),
                        loops=record["loops"], solutions=record["solutions"], process=process,
                        processes=record["processes"])
                  for record in _of_first(self.records, "peer", process, n=n)]
        in_turns(chosen, self.plan.rounds(n), self.patience(n), self.say)
        return [{**self.head(), **turns.fields()} for turns in chosen]

    def patience(self, n: int) -> float:
        """Return the seconds after which a peer is stopped."""
        return START if n <= SMALL else self.plan.budget * self.plan.share

    def measure(self, n: int) -> list[Record]:
        """Measure all points of one n in turns, in the first process; return their records."""
        asked = [Point(solver, n, self.forecast.predict(solver.key, n))
                 for solver in solvers(n, self.plan)]
        planned = 0.0
        skipped: dict[tuple[Any, ...], Record] = {}
        for point in sorted(asked, key=self.cost):  # no dear one crowds a cheap one out
            why = self.skipped(n, self.cost(point), planned)
            if why:
                skipped[point.solver.key] = why
            else:
                planned += self.cost(point)
        records = [self.record(point, "seconds", "s", [], status="left out",
                               **skipped[point.solver.key])
                   for point in asked if point.solver.key in skipped]
        points = [point for point in asked if point.solver.key not in skipped]
        for point in points:
            point.solver.algorithm.compare_builds()
        measured = self.worker.measure(
            [point.search(self.plan.rounds(n)) for point in points],
            self.plan.sample_seconds(n), lambda what: self.say(f"n = {n}, {what}"))
        for point, timed in zip(points, measured, strict=True):
            self.forecast.add(point.solver.key, n, median(timed.samples))
            point.loops, point.found, point.samples = timed.loops, timed.found, timed.samples
            self.say(f"n = {n}, counting: {point.solver}")
            records += self.measured(point)
        return records

    def measure_again(self, n: int, process: int) -> list[Record]:
        """Take the samples of a later process; a record for each point the first one measured."""
        firsts = _of_first(self.records, "seconds", process, n=n)
        points = [Point(Solver(catalogue()[record["algorithm"]], record["implementation"],
                               record["kernel"], record["jobs"]),
                        n, median(record["samples"]), record["loops"]) for record in firsts]
        measured = self.worker.measure(
            [point.search(self.plan.rounds(n)) for point in points],
            self.plan.sample_seconds(n), lambda what: self.say(f"n = {n}, {what}"))
        return [{**first, **self.head(), "process": process, "samples": timed.samples}
                for first, timed in zip(firsts, measured, strict=True)]

    def measured(self, point: Point) -> list[Record]:
        """Return the records of a point: its times, then each counter."""
        algorithm = point.solver.algorithm
        worth = 1 + (isinstance(algorithm, Search) and algorithm.doubles(point.n))
        counted: dict[str, Any] = {"solutions": point.found * worth}
        if len(point.solver.counted(self.plan)) > 1:
            tally = algorithm.profile(point.n, point.solver.implementation)
            counted = {"solutions": tally.solutions, **tally.counters()}
        return [self.record(point, "seconds", "s", point.samples, loops=point.loops,
                            process=0, processes=self.plan.processes)] + [
            self.record(point, name, "solutions" if name == "solutions" else _UNITS[name], [value])
            for name, value in counted.items()]

    def cost(self, point: Point) -> float:
        """Return the seconds that the first search, all rounds, and the counting will take."""
        profiled = len(point.solver.counted(self.plan)) > 1
        return self.rounds_cost(point.n, point.predicted) + 2 * point.predicted * profiled

    def rounds_cost(self, n: int, predicted: float) -> float:
        """Return the seconds that the first of so long a search, and all rounds will take."""
        sample = max(predicted, self.plan.sample_seconds(n))
        return sample * (1 + self.plan.processes * self.plan.rounds(n))

    @property
    def reserved(self) -> float:
        """The seconds to come for estimates and rates, for the start of later processes and
        their warm-ups (about as long), for their samples of what the first one has measured, and
        for those that are taken again.
        """
        again: float = sum(
            (record["processes"] - 1) * sum(record["samples"]) * record["loops"]
            for metric in METRICS.values() for record in _of_first(self.records, metric, 1))
        rates = self.plan.puzzles * len(DATA_SETS) * len(every_solver())
        return (again + ESTIMATES * self.plan.budget * bool(self.plan.probes)
                + min(RATES * self.plan.budget, rates)
                + (self.plan.processes - 1) * (2 * self.worker.starting + self.waiting)
                + self.worker.patience)

    def skipped(self, n: int, cost: float, planned: float) -> Record:
        """Return why there is no time for a point of n beside what is planned already, as fields
        of its record; nothing if there is.
        """
        one, left = self.plan.budget * self.plan.share, (
            self.plan.budget - self.gone - self.reserved - planned)
        if n <= SMALL or cost <= min(one, left):
            return {}
        return ({"reason": "too long", "cost": cost, "allowed": one} if cost > one else
                {"reason": "no time left", "cost": cost, "allowed": max(0.0, left)})

    def say(self, what: str) -> None:
        self.progress(what, self.gone, self.plan.budget)

    def record(self, point: Point, metric: str, unit: str, samples: list[Any],
               status: str = "measured", loops: int | None = None, **more: Any) -> Record:
        solver = point.solver
        return {**self.head(), "algorithm": solver.algorithm.name,
                "implementation": solver.implementation, "kernel": solver.kernel,
                "jobs": solver.jobs, "n": point.n, "metric": metric,
                "unit": unit, "status": status, "samples": samples, "loops": loops,
                "predicted": point.predicted or None, **more}

    def check_record(self, check: Check) -> Record:
        return {**self.head(), "n": check.n, "metric": "check", "unit": "",
                "status": check.status, "samples": [], "sequence": check.sequence,
                "expected": check.expected, "got": check.got,
                "answered_by": list(check.answers),
                **({"wrong": {mismatch.solver: mismatch.got for mismatch in check.mismatches}}
                   if check.mismatches else {})}

    def head(self) -> Record:
        return {"schema": SCHEMA, "run": self.started, "preset": self.preset,
                "budget": self.plan.budget, "time": _now(),
                "context": context()}


_UNITS = dict(zip(COUNTERS, ("nodes", "nodes", "squares", "iterations", "comparisons", "rows",
                             "nodes", "nodes", "squares", "nodes"), strict=True))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
