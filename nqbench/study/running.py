"""Run a study: which points, in which order, and what is left out."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nqbench import engine
from nqbench.algorithms import Algorithm, Search, catalogue
from nqbench.forecast import Forecast, allowed_seconds
from nqbench.reference import Check, run_checks
from nqbench.study.context import context
from nqbench.study.measure import SHORTEST, calibrate, quiet, sample
from nqbench.study.records import SCHEMA, Record, append, frame, read
from nqbench.tally import COUNTERS

if TYPE_CHECKING:
    import pandas

SMALL = 4  # up to here every point is measured, so that there is always something to report


@dataclass(frozen=True)
class Preset:
    """How much a study measures.

    budget: seconds for all, though n <= 4 is always measured; of these `checks` seconds
    for published values up to check_n. first_n, max_n: the smallest and the largest n
    measured. samples: rounds a point. share: the part of the budget that one point may
    take. engine: whether the kernels of the counting engine are compared with Somers'
    program, and not all algorithms with one another.
    """

    budget: float
    checks: float
    check_n: int
    max_n: int
    samples: int
    share: float
    first_n: int = 1
    engine: bool = False


PRESETS = {
    "quick": Preset(budget=12, checks=3, check_n=9, max_n=9, samples=5, share=0.03),
    "standard": Preset(budget=100, checks=20, check_n=12, max_n=16, samples=9, share=0.06),
    "full": Preset(budget=1200, checks=200, check_n=15, max_n=18, samples=15, share=0.06),
    "engine": Preset(budget=2400, checks=30, check_n=16, max_n=18, samples=3, share=1.0,
                     first_n=14, engine=True),
}


@dataclass(frozen=True)
class Solver:
    """An algorithm, its implementation, and for the engine the kernel and the threads."""

    algorithm: Algorithm
    implementation: str
    kernel: str | None = None
    jobs: int = 1

    @property
    def key(self) -> tuple[str, str, str | None, int]:
        return self.algorithm.name, self.implementation, self.kernel, self.jobs

    def __str__(self) -> str:
        more = f", {self.kernel}, {self.jobs} threads" if self.kernel else ""
        return f"{self.algorithm.name} ({self.implementation}{more})"

    def count(self, n: int) -> int:
        if self.kernel:
            return self.algorithm.count(n, self.implementation, self.jobs, kernel=self.kernel)
        return self.algorithm.implementations[self.implementation].count(n)


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
    if PRESETS[preset].engine and not (
            engine.available() and "cython" in catalogue()["somers"].implementations):
        raise ValueError(f"the preset {preset} needs the compiled cores, which are not here: "
                         "there was no C compiler")
    if budget is not None:
        budget = allowed_seconds(budget)
    folder = Path(results)
    records = interrupted(folder, preset) if resume else []
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"study-{context()['machine']}.jsonl"
    path.open("ab").close()  # raises now, not after the first measurement
    if records and budget is None:
        budget = records[0]["budget"]
    plan = PRESETS[preset]
    if budget is not None:
        plan = replace(plan, budget=budget, checks=budget * plan.checks / plan.budget)
    for batch in Study(preset, plan, progress, records).batches():
        append(path, batch)
        records += batch
    return frame(records)


def interrupted(folder: Path, preset: str) -> list[Record]:
    """Return the records of the newest run in this context, if it is unfinished."""
    here = [record for record in read(folder) if record["context"] == context()]
    newest = max((r["run"] for r in here), default=None)
    found = [r for r in here if r["run"] == newest and r.get("preset") == preset]
    if not found or _reached(found, PRESETS[preset]) == PRESETS[preset].max_n:
        raise ValueError(f"there is no interrupted {preset} study of this commit and machine "
                         f"in {folder} to resume")
    return found


def _reached(records: list[Record], plan: Preset) -> int:
    """The largest n of which every point is there, measured whole or left out; 0 if none.

    A power cut while an n was written leaves a part of it: that n is measured again.
    """
    for n in range(max((r["n"] for r in records if r["metric"] != "check"), default=0), 0, -1):
        found = Counter((r["algorithm"], r["implementation"], r["kernel"], r["jobs"], r["status"])
                        for r in records if r["n"] == n and r["metric"] != "check")
        if all((*solver.key, "left out") in found
               or found[*solver.key, "measured"] == 1 + len(_counted(solver, plan))
               for solver in _solvers(n, plan)):
            return n
    return 0


def _counted(solver: Solver, plan: Preset) -> tuple[str, ...]:
    """What is counted of a solver."""
    profiled = solver.algorithm.profiled(solver.implementation) and not plan.engine
    return ("solutions", *COUNTERS) if profiled else ("solutions",)


def _solvers(n: int, plan: Preset) -> list[Solver]:
    """All that can be measured at n."""
    if not plan.engine:
        return [Solver(algorithm, name) for algorithm in catalogue().values()
                if algorithm.exhaustive
                for name, implementation in algorithm.implementations.items()
                if n <= implementation.largest_n]
    cross, able = catalogue()["cross"], engine.kernels()
    threads = {1, engine.cores()}
    return [Solver(catalogue()["somers"], "cython")] + [
        Solver(cross, "cython", kernel, jobs) for kernel in able for jobs in sorted(threads)
        if jobs == 1 or kernel == able[0]]


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
        self.reached = _reached(before or [], plan)
        self.checked = self.reached > 0
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

    @property
    def gone(self) -> float:
        return perf_counter() - self.start

    def batches(self) -> Iterator[list[Record]]:
        """Yield the records of the checks, then those of each n."""
        if not self.checked:
            yield self.checks()
        for n in range(max(self.reached + 1, self.plan.first_n), self.plan.max_n + 1):
            yield self.measure(n)

    def checks(self) -> list[Record]:
        verification = run_checks(
            self.plan.check_n, budget=self.plan.checks,
            progress=lambda check, solver: self.say(f"check {check.sequence}, n = {check.n}"))
        if verification.interrupted:
            raise KeyboardInterrupt
        return [self.check_record(check) for check in verification.checks]

    def measure(self, n: int) -> list[Record]:
        """Measure all points of one n in turns; return their records."""
        points: list[Point] = []
        records: list[Record] = []
        for solver in _solvers(n, self.plan):
            point = Point(solver, n, self.forecast.predict(solver.key, n))
            if self.affordable(point, sum(map(self.cost, points))):
                points.append(point)
            else:
                records.append(self.record(point, "seconds", "s", [], status="left out"))
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
        if len(_counted(point.solver, self.plan)) > 1:
            tally = algorithm.profile(point.n, point.solver.implementation)
            counted = {"solutions": tally.solutions, **tally.counters()}
        return [self.record(point, "seconds", "s", point.samples, loops=point.loops)] + [
            self.record(point, name, "solutions" if name == "solutions" else _UNITS[name], [value])
            for name, value in counted.items()]

    def cost(self, point: Point) -> float:
        """The seconds that all rounds, the warm-up and the counting will take."""
        profiled = len(_counted(point.solver, self.plan)) > 1
        return (max(point.predicted, SHORTEST) * (self.plan.samples + 1)
                + 2 * point.predicted * profiled)

    def affordable(self, point: Point, planned: float) -> bool:
        if point.n <= SMALL:
            return True
        left = self.plan.budget - self.gone - planned
        return self.cost(point) <= min(self.plan.budget * self.plan.share, left)

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
