"""Run a study: which points, in which order, and what is left out."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import dropwhile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nqbench import engine
from nqbench.algorithms import Search, catalogue
from nqbench.forecast import Forecast, allowed_seconds
from nqbench.probing import CHUNK, Estimate, estimate
from nqbench.reference import Check, run_checks
from nqbench.study import clusters
from nqbench.study.context import context
from nqbench.study.measure import SHORTEST, calibrate, quiet, sample
from nqbench.study.peering import START, Turns, contenders, in_turns
from nqbench.study.plans import (
    ESTIMATES,
    PRESETS,
    RATES,
    Preset,
    Solver,
    Step,
    methods,
    solvers,
    steps,
)
from nqbench.study.rating import every_solver, rate
from nqbench.study.records import SCHEMA, Record, append, frame, read
from nqbench.sudoku import DATA_SETS, Grid
from nqbench.sudoku import data_set as puzzles
from nqbench.tally import COUNTERS

if TYPE_CHECKING:
    import pandas

SEED = 1  # of the random probes: the same in every study, so that its estimates can be made again
GROWTH = 1.3  # a probe of n + 1 rows takes no longer than so many times one of n
SMALL = 4  # up to here every point is measured, so that there is always something to report


@dataclass
class Point:
    """A search to be measured, its prediction and its samples."""

    solver: Solver
    n: int
    predicted: float
    loops: int = 1
    samples: list[float] = field(default_factory=list)
    found: int = 0  # what the search returned: a mirrored one, half of the solutions

    def search(self) -> int:
        return self.solver.count(self.n)


Progress = Callable[[str, float, float], None]  # what is done, seconds gone, budget


def run(preset: str = "standard", budget: float | None = None,
        results: str | Path = "results", progress: Progress | None = None,
        resume: bool = False) -> "pandas.DataFrame":
    """Measure, append the records to a file of this machine in `results`, and return
    them as a DataFrame, one row a record (see `nqbench.study.frame`).

    The records of an n are written as soon as it is measured, so that an interrupted
    study loses only the n it was at; with `resume` the newest run goes on there.

    Raises
    ------
    ValueError
        for an unknown preset or a budget that is not above 0, and where there is no
        interrupted run of this preset to go on with.
    OSError
        if the folder cannot be written.

    Examples
    --------
    >>> run("swift")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: there is no preset 'swift', only quick, standard, ...
    """
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}, only {', '.join(PRESETS)}")
    about = PRESETS[preset].about
    if about in ("engine", "peers", "cluster") and not (
            engine.available() and "cython" in catalogue()["somers"].implementations):
        raise ValueError(f"the preset {preset} needs the compiled cores, which are not here: "
                         "there was no C compiler")
    if about == "cluster" and not find_spec("distributed"):
        raise ValueError(f"the preset {preset} needs Dask: pip install 'nqbench[cluster]'")
    if budget is not None:
        budget = allowed_seconds(budget)
    records = interrupted(Path(results), preset) if resume else []
    path = _file(results)
    if records and budget is None:
        budget = records[0]["budget"]
    plan = PRESETS[preset]
    if budget is not None:
        plan = replace(plan, budget=budget, checks=budget * plan.checks / plan.budget)
    for batch in Study(preset, plan, progress, records).batches():
        append(path, batch)
        records += batch
    return frame(records)


def rate_file(grids: Sequence[Grid], data_set: str, chosen: Sequence[tuple[str, str]],
              results: str | Path, seconds: float, samples: int, nodes: int,
              say: Callable[[str], None]) -> list[Record]:
    """Rate solvers of Sudoku on puzzles; append the records to `results` and return them."""
    path = _file(results)
    head = {"schema": SCHEMA, "run": _now(), "preset": "rate", "context": context()}
    records = [{**head, "time": _now(), **fields}
               for fields in rate(grids, data_set, chosen, seconds, samples, nodes, say)]
    append(path, records)
    return records


def _file(results: str | Path) -> Path:
    """The file of this machine in a folder, which can be written: it is seen now, not after the
    first measurement.
    """
    folder = Path(results)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"study-{context()['machine']}.jsonl"
    path.open("ab").close()
    return path


def interrupted(folder: Path, preset: str) -> list[Record]:
    """Return the records of the newest run in this context, if it is unfinished."""
    here = [record for record in read(folder)
            if record["context"] == context() and record.get("preset") in PRESETS]
    newest = max((r["run"] for r in here), default=None)
    found = [r for r in here if r["run"] == newest and r.get("preset") == preset]
    if not found or not left(found, PRESETS[preset]):
        raise ValueError(f"there is no interrupted {preset} study of this commit and machine "
                         f"in {folder} to resume")
    return found


def left(records: list[Record], plan: Preset) -> list[Step]:
    """The steps that are still to do.

    A power cut while a step was written leaves a part of it: that step is done again.
    """
    return list(dropwhile(lambda step: _done(step, records, plan), steps(plan)))


def _done(step: Step, records: list[Record], plan: Preset) -> bool:
    """Whether all of a step is there, measured or left out."""
    what, n = step
    if plan.about == "cluster":
        return clusters.is_done(step, records)
    if what == "checks":
        return any(r["metric"] != "check" for r in records)
    if what == "rates":
        return {(r["algorithm"], r["implementation"]) for r in records if r["metric"] == "rate"
                and r["data_set"] == DATA_SETS[n]} == set(every_solver())
    here = [r for r in records if r["n"] == n]
    if what == "estimates":
        return {r["method"] for r in here if r["metric"] == "estimate"} == set(methods(plan))
    if what == "peers":
        return {r["peer"] for r in here} == {peer.name for peer in contenders()}
    found = Counter((r["algorithm"], r["implementation"], r["kernel"], r["jobs"], r["status"])
                    for r in here if r["metric"] not in ("check", "estimate", "rate"))
    return all((*solver.key, "left out") in found
               or found[*solver.key, "measured"] == 1 + len(solver.counted(plan))
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
        self.records = list(before or [])  # of a study of clusters, which builds upon them
        self.steps = left(before or [], plan)
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
        try:
            for what, n in self.steps:
                if self.plan.about == "cluster":
                    yield self.beyond((what, n))
                elif what == "checks":
                    yield self.checks()
                elif what == "rates":
                    yield self.rates(DATA_SETS[n])
                else:
                    yield {"estimates": self.estimates, "peers": self.peers,
                           "points": self.measure}[what](n)
        finally:
            for contender in self.contenders:
                contender.stop()

    def beyond(self, step: Step) -> list[Record]:
        """Do a step of a study of clusters; return its records."""
        over = self.gone > self.plan.budget
        found = [{**self.head(), **fields}
                 for fields in clusters.do(step, self.records, over, self.say)]
        self.records += found
        return found

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
            return {**head, "status": "left out", "samples": []}
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
        every = [(m, name) for what, m in steps(self.plan) if what == "estimates"
                 for name in methods(self.plan)]
        left = min(total - self.estimating, self.plan.budget - self.gone)
        return max(0.0, left) / (len(every) - every.index((n, method)))

    def rates(self, data_set: str) -> list[Record]:
        """Rate the solvers of Sudoku on a data set, as long as the budget allows."""
        chosen = every_solver()
        if self.plan.about == "sudoku":
            to_do = len(DATA_SETS) - DATA_SETS.index(data_set)
            allowed = max(0.0, self.plan.budget - self.gone) / to_do
        else:
            allowed = RATES * self.plan.budget / (len(DATA_SETS) * len(chosen))
        rated = rate(puzzles(data_set), data_set, chosen, min(self.plan.puzzles, allowed),
                     self.plan.samples, say=self.say)
        return [{**self.head(), **fields} for fields in rated]

    def peers(self, n: int) -> list[Record]:
        """Count n queens with our searches and those of others in turns; a record each."""
        found = [Turns(contender, n, self.forecast.predict(contender.name, n))
                 for contender in self.contenders]
        chosen: list[Turns] = []
        planned = 0.0
        for turns in found:
            cost = max(turns.predicted, SHORTEST) * (self.plan.samples + 1)
            if turns.contender.version is None:
                turns.status = "not installed"
            elif self.fits(n, cost, planned):
                chosen.append(turns)
                planned += cost
            else:
                turns.status = "left out"
        allowed = START if n <= SMALL else self.plan.budget * self.plan.share
        in_turns(chosen, self.plan.samples, allowed, self.say)
        for turns in chosen:
            if turns.seconds is not None:
                self.forecast.add(turns.contender.name, n, turns.seconds)
        return [{**self.head(), **turns.fields()} for turns in found]

    def measure(self, n: int) -> list[Record]:
        """Measure all points of one n in turns; return their records."""
        asked = [Point(solver, n, self.forecast.predict(solver.key, n))
                 for solver in solvers(n, self.plan)]
        planned = 0.0
        affordable = []
        for point in sorted(asked, key=self.cost):  # no dear one crowds a cheap one out
            if self.affordable(point, planned):
                affordable.append(point)
                planned += self.cost(point)
        points = [point for point in asked if point in affordable]
        records = [self.record(point, "seconds", "s", [], status="left out")
                   for point in asked if point not in affordable]
        with quiet():
            for point in points:
                self.say(f"n = {n}, warm-up: {point.solver}")
                seconds, point.loops, point.found = calibrate(point.search)
                self.forecast.add(point.solver.key, n, seconds)
            for turn in range(self.plan.samples):
                for point in points:
                    self.say(f"n = {n}, round {turn + 1} of {self.plan.samples}: "
                             f"{point.solver}")
                    point.samples.append(sample(point.search, point.loops))
        for point in points:
            self.say(f"n = {n}, counting: {point.solver}")
            records += self.measured(point)
        return records

    def measured(self, point: Point) -> list[Record]:
        """The records of a point: its times, then each counter."""
        algorithm = point.solver.algorithm
        worth = 1 + (isinstance(algorithm, Search) and algorithm.doubles(point.n))
        counted: dict[str, Any] = {"solutions": point.found * worth}
        if len(point.solver.counted(self.plan)) > 1:
            tally = algorithm.profile(point.n, point.solver.implementation)
            counted = {"solutions": tally.solutions, **tally.counters()}
        return [self.record(point, "seconds", "s", point.samples, loops=point.loops)] + [
            self.record(point, name, "solutions" if name == "solutions" else _UNITS[name], [value])
            for name, value in counted.items()]

    def cost(self, point: Point) -> float:
        """The seconds that all rounds, the warm-up and the counting will take."""
        profiled = len(point.solver.counted(self.plan)) > 1
        return (max(point.predicted, SHORTEST) * (self.plan.samples + 1)
                + 2 * point.predicted * profiled)

    def affordable(self, point: Point, planned: float) -> bool:
        return self.fits(point.n, self.cost(point), planned)

    def fits(self, n: int, cost: float, planned: float) -> bool:
        """Whether there are `cost` seconds for a point of n beside what is planned already."""
        left = self.plan.budget - self.gone - planned
        return n <= SMALL or cost <= min(self.plan.budget * self.plan.share, left)

    def say(self, what: str) -> None:
        self.progress(what, self.gone, self.plan.budget)

    def record(self, point: Point, metric: str, unit: str, samples: list[Any],
               status: str = "measured", loops: int | None = None) -> Record:
        solver = point.solver
        return {**self.head(), "algorithm": solver.algorithm.name,
                "implementation": solver.implementation, "kernel": solver.kernel,
                "jobs": solver.jobs, "n": point.n, "metric": metric,
                "unit": unit, "status": status, "samples": samples, "loops": loops,
                "predicted": point.predicted or None}

    def check_record(self, check: Check) -> Record:
        return {**self.head(), "n": check.n, "metric": "check", "unit": "",
                "status": check.status, "samples": [], "sequence": check.sequence,
                "expected": check.expected, "got": check.got,
                "answered_by": list(check.answers)}

    def head(self) -> Record:
        return {"schema": SCHEMA, "run": self.started, "preset": self.preset,
                "budget": self.plan.budget, "time": _now(),
                "context": context()}


_UNITS = dict(zip(COUNTERS, ("nodes", "nodes", "squares", "iterations", "comparisons", "rows",
                             "nodes", "nodes", "squares", "nodes"), strict=True))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
