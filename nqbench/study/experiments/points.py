"""Measure times and counters of searches: all solvers of one n in turns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from nqbench.algorithms import Search
from nqbench.metrics import METRICS, Kind, Metric, counters
from nqbench.records.record import Record
from nqbench.solver import Solver, SolverKey
from nqbench.study import worker
from nqbench.study.experiments import Experiment, Step
from nqbench.study.presets import UNCOMPILED, Preset, is_compiled, solvers
from nqbench.study.repeating import is_repeated, of_first
from nqbench.study.session import Session
from nqbench.study.worker import Timed

SECONDS, SOLUTIONS = METRICS["seconds"], METRICS["solutions"]


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
        return worker.Search(self.solver.name, self.solver.key, rounds, self.n, loops=self.loops)


class Points(Experiment):
    """Measure the solvers of the preset for each n, in each process."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        for record in session.records:
            if record["metric"] == SECONDS.name and record["samples"]:
                session.forecast.add(_key(record), record["n"], median(record["samples"]))

    @classmethod
    def missing(cls, preset: Preset) -> str:
        """Return what the engine needs, if it is measured."""
        return UNCOMPILED if preset.solvers == "engine" and not is_compiled() else ""

    def steps(self) -> list[Step]:
        """Return a step for each process and n."""
        preset = self.session.preset
        return [Step(n, process) for process in range(preset.processes) for n in preset.sizes]

    def is_complete(self, step: Step) -> bool:
        """Return whether each solver has all its records, or was left out."""
        records, preset = self.session.records, self.session.preset
        if step.process:
            return is_repeated(records, SECONDS.name, step.process, n=step.number)
        found: dict[SolverKey, list[str]] = {}
        for record in records:
            if (METRICS[record["metric"]].kind != Kind.OTHER and record["n"] == step.number
                    and not record.get("process")):
                found.setdefault(_key(record), []).append(record["status"])
        return all("left out" in (statuses := found.get(solver.key, []))
                   or statuses.count("measured") == len(self.metrics(solver))
                   for solver in solvers(step.number, preset))

    def measure(self, step: Step) -> list[Record]:
        """Measure all points of one n; return their records."""
        n, session = step.number, self.session
        wanted = [Point(solver, n, session.forecast.predict(solver.key, n))
                 for solver in solvers(n, session.preset)]
        planned = 0.0
        skipped: dict[SolverKey, Record] = {}
        for point in sorted(wanted, key=self.cost):  # cheap ones first
            reason = session.explain_skip(n, self.cost(point), planned)
            if reason:
                skipped[point.solver.key] = reason
            else:
                planned += self.cost(point)
        records = [self.record(point, SECONDS, [], status="left out", **skipped[point.solver.key])
                   for point in wanted if point.solver.key in skipped]
        points = [point for point in wanted if point.solver.key not in skipped]
        for point in points:
            point.solver.algorithm.compare_builds()
        for point, timed in zip(points, self.time(n, points), strict=True):
            session.forecast.add(point.solver.key, n, median(timed.samples))
            point.loops, point.found, point.samples = timed.loops, timed.found, timed.samples
            session.say(f"n = {n}, counting: {point.solver}")
            records += self.count(point)
        return records

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process; return a record for each point of the first one."""
        n, process = step.number, step.process
        firsts = of_first(self.session.records, SECONDS.name, process, n=n)
        points = [Point(_key(record).find(), n, median(record["samples"]), record["loops"])
                  for record in firsts]
        return [{**first, **self.session.head(), "process": process, "samples": timed.samples}
                for first, timed in zip(firsts, self.time(n, points), strict=True)]

    def time(self, n: int, points: Sequence[Point]) -> list[Timed]:
        """Return the times of the points in one process."""
        session = self.session
        return session.worker.measure(
            [point.search(session.preset.rounds(n)) for point in points],
            session.preset.sample_seconds(n), lambda what: session.say(f"n = {n}, {what}"))

    def count(self, point: Point) -> list[Record]:
        """Count a point once more; return its records: its times, then each counter."""
        algorithm, processes = point.solver.algorithm, self.session.preset.processes
        records = [self.record(point, SECONDS, point.samples, loops=point.loops, process=0,
                               processes=processes)]
        if not self.is_profiled(point.solver):
            worth = 1 + (isinstance(algorithm, Search) and algorithm.doubles(point.n))
            return [*records, self.record(point, SOLUTIONS, [point.found * worth])]
        tally = algorithm.profile(point.n, point.solver.implementation)
        return [*records, self.record(point, SOLUTIONS, [tally.solutions]),
                *(self.record(point, counter, [counter.value(tally)]) for counter in counters())]

    def metrics(self, solver: Solver) -> tuple[Metric, ...]:
        """Return what is measured of a solver."""
        return (SECONDS, SOLUTIONS, *(counters() if self.is_profiled(solver) else ()))

    def is_profiled(self, solver: Solver) -> bool:
        """Return whether a solver is searched once more, to count its nodes."""
        return (solver.algorithm.profiled(solver.implementation)
                and self.session.preset.solvers != "engine")

    def cost(self, point: Point) -> float:
        """Return the seconds that the first search, all rounds, and the counting will take."""
        return (self.session.rounds_cost(point.n, point.predicted)
                + 2 * point.predicted * self.is_profiled(point.solver))

    def record(self, point: Point, metric: Metric, samples: list[Any],
               status: str = "measured", loops: int | None = None, **more: Any) -> Record:
        """Return a record of a point."""
        solver = point.solver
        return {**self.session.head(), "algorithm": solver.algorithm.name,
                "implementation": solver.implementation, "kernel": solver.kernel,
                "jobs": solver.jobs, "n": point.n, **metric.fields,
                "status": status, "samples": samples, "loops": loops,
                "predicted": point.predicted or None, **more}


def _key(record: Record) -> SolverKey:
    """Return which solver a record is of."""
    return SolverKey(record["algorithm"], record["implementation"], record["kernel"],
                     record["jobs"])


EXPERIMENT = Points
