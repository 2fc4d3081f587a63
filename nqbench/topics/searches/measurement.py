"""Count and time searches, n by n; estimate trees, on boards too large to search, by runs of their
own searches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from time import perf_counter
from typing import Any

from nqbench import engine
from nqbench.problems import PROBLEMS, Solver, SolverKey
from nqbench.problems.plugins import is_outside
from nqbench.problems.plugins.children import StoppedError
from nqbench.problems.plugins.limits import ENDED, STOPPED
from nqbench.problems.published.computed import known_of_tree
from nqbench.problems.queens import Tree, catalogue
from nqbench.records.record import PLAIN_SEARCH, Record, wall_of
from nqbench.search.algorithm import Algorithm
from nqbench.search.estimates import Estimate, require_steerable, sample_together, speed
from nqbench.search.metrics import METRICS, REFUSED, Counter, Metric, counters
from nqbench.search.refusals import RULES, STUDIED
from nqbench.search.steering import SteeringError
from nqbench.study import fields, worker
from nqbench.study.experiments import Experiment, Session, Step, find_cores
from nqbench.study.fields import ALGORITHMS, PROCESSES, Field, N
from nqbench.study.plan import Plan
from nqbench.study.samples import STATE, is_repeated, loops_of, of_first
from nqbench.study.worker import Timed, Worker
from nqbench.util.arguments import require_whole

BUILDS = 0.3  # of the time that is left, at most, to compare the builds before an n is measured
COUNTED = 10  # times the seconds of the timed build, at most: of the build that counts
SECONDS, CPU, SOLUTIONS, TREE = map(METRICS.__getitem__, (
    "seconds", "cpu_seconds", "solutions", "tree"))
VISITED = Field("visited", "nodes that each search visits on each level, for an estimate of its "
                "tree", 4000, lambda value, name: require_whole(value, name, least=64), most=10**9)
SEED, FEWEST_RUNS = 1, 8  # of the estimates of trees
KINDS = ("algorithms", "pruning", "symmetry", "engine")  # of solvers
KIND = Field("solvers", f"a kind of solvers instead of algorithms: {', '.join(KINDS)}", KINDS[0],
             lambda value, name: fields.require_one(value, name, KINDS))


def solvers(n: int, plan: Plan) -> list[Solver]:
    """Return the solvers that a plan measures at n: those of its algorithms, or else a kind.

    "algorithms" are all algorithms that find all solutions; "pruning" are those of them that
    prune, "symmetry" those that use some symmetry and the plain search; "engine" are the kernels
    of both engines and Somers' program.
    """
    if plan[ALGORITHMS]:
        return [solver for solver in plan[ALGORITHMS] if n <= solver.largest_n]
    if plan[KIND] == "engine":
        able, threads = engine.kernels(), {1, engine.cores()}
        return [Solver(catalogue()["somers"], "cython")] + [
            Solver(catalogue()[name], "cython", kernel, jobs) for name in engine.engines()
            for kernel in able for jobs in sorted(threads) if jobs == 1 or kernel == able[0]]
    chosen = [algorithm for algorithm in catalogue().values() if algorithm.exhaustive and {
        "algorithms": True, "pruning": algorithm.tree != Tree.NONE,
        "symmetry": algorithm.name == PLAIN_SEARCH or algorithm.uses_symmetry,
    }[plan[KIND]]]
    return [Solver(algorithm, name) for algorithm in chosen
            for name, implementation in algorithm.implementations.items()
            if n <= implementation.largest_n]


@dataclass
class Point:
    """A search to be measured, its prediction and its times."""

    solver: Solver
    n: int
    predicted: float
    loops: int | None = None
    found: int | None = None  # what the search returned: a mirrored one, half of the solutions
    timed: Timed = field(default_factory=lambda: Timed(0, []))
    skipped: Record = field(default_factory=dict)  # why it is not measured

    @property
    def worth(self) -> int:
        """Return how many solutions each one stands for that the search returns."""
        return 2 if self.solver.algorithm.doubles(self.n) else 1

    def search(self, rounds: int, allowed: float) -> worker.Search:
        """Return what the worker times."""
        program = getattr(self.solver.algorithm, "program", None)
        return worker.Search(self.solver.name, self.solver.key, rounds, self.n, loops=self.loops,
                             expected=self.found, allowed=allowed, predicted=self.predicted,
                             threads=program.threads if program else self.solver.jobs)


class Points(Experiment):
    """Measure the solvers of the plan for each n, in each process."""

    metric_name = SECONDS.name
    reads = (N, *fields.LIMITS, ALGORITHMS, KIND, fields.BASELINE, fields.CHOSEN, fields.SAMPLES,
             PROCESSES, fields.SHARE, fields.SHORTEST, fields.PATIENCE, fields.TIME_LIMIT)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # For counts: the process that takes the times does only that.
        self.worker = Worker(outside=session.outside.packed, limits=session.plan.limits,
                             left=lambda: session.left)
        for record in session.records:
            if record["metric"] == SECONDS.name and record["samples"]:
                session.forecast.add(SolverKey.of(record), record["n"], median(wall_of(record)))

    @classmethod
    def missing(cls, plan: Plan) -> str:
        """Return what the engine needs, if it is measured."""
        return find_cores() if plan[KIND] == "engine" else ""

    def is_complete(self, step: Step) -> bool:
        """Return whether each solver has the last one of its records, which is that of its time."""
        records = self.session.records
        if step.process:
            return is_repeated(records, SECONDS.name, step.process, n=step.number)
        found = {SolverKey.of(record) for record in records if record["metric"] == SECONDS.name
                 and record["n"] == step.number and not record.get("process")}
        return all(solver.key in found for solver in solvers(step.number, self.session.plan))

    def measure(self, step: Step) -> list[Record]:
        """Measure all points of one n; return their records."""
        n, session = step.number, self.session
        wanted = [Point(solver, n, session.forecast.predict(solver.key, n))
                  for solver in solvers(n, session.plan)]
        planned, end = 0.0, session.elapsed + BUILDS * session.left
        for point in sorted(wanted, key=self.cost):  # cheap ones first
            cost = self.cost(point)
            point.skipped = session.explain_skip(n, cost, planned)
            if not point.skipped and not is_outside(point.solver.algorithm):  # checked before
                if session.elapsed <= end:
                    point.solver.algorithm.compare_builds()
                else:
                    point.skipped = worker.leave_out(cost, 0.0)
            if not point.skipped:
                planned += cost
        records = [self.record(point, SECONDS, **point.skipped)
                   for point in wanted if point.skipped]
        points = [point for point in wanted if not point.skipped]
        measured = []
        for point, timed in zip(points, self.time(n, points), strict=True):
            if timed.stopped:
                records.append(self.stop_point(point, timed.stopped))
                continue
            session.forecast.add(point.solver.key, n, median(timed.wall))
            point.timed, point.loops, point.found = timed, timed.loops, timed.found
            measured.append(point)
        for point in measured:
            session.say(f"n = {n}, counting: {point.solver}")
            try:
                records += self.count(point)
            except StoppedError as error:
                records.append(self.stop_point(point, error))
        return records

    def stop_point(self, point: Point, stopped: StoppedError) -> Record:
        """Return the record of a point whose search was stopped, or ended its process; larger n are
        predicted from the seconds until it was stopped.
        """
        if stopped.outcome in STOPPED:
            self.session.forecast.add(point.solver.key, point.n, stopped.seconds)
        return self.record(point, SECONDS, **worker.explain_stop(stopped, self.cost(point)))

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process; return a record for each point of the first one."""
        n, process = step.number, step.process
        firsts = of_first(self.session.records, SECONDS.name, process, n=n)
        shortest = self.session.plan.sample_seconds(n)
        points = [Point(SolverKey.of(record).find(), n, median(wall_of(record)),
                        loops_of(record, shortest)) for record in firsts]
        totals = {SolverKey.of(record): record["samples"][0] for record in self.session.records
                  if record["metric"] == SOLUTIONS.name and record["n"] == n}
        for point in points:
            point.found = totals[point.solver.key] // point.worth
        head = {**self.session.head(), "process": process}
        timed_again = [(first, point, timed) for first, point, timed in zip(
            firsts, points, self.time(n, points, process), strict=True)
            if not timed.is_cut(len(first["samples"]))]
        return [*(each for _, point, timed in timed_again
                  for each in self.record_processor(point, timed, process)), *(
            {**{name: value for name, value in first.items() if name not in STATE}, **head,
             "first": 0.0, "loops": timed.loops, "samples": timed.samples, **timed.state,
             **timed.why} for first, _, timed in timed_again)]

    def record_processor(self, point: Point, timed: Timed, process: int = 0) -> list[Record]:
        """Return the record of the processor seconds of the samples, if the plan names them."""
        found = timed.processor
        return [self.record(point, CPU, found, loops=timed.loops, process=process,
                            processes=self.session.plan[PROCESSES])] if (
            self.session.plan.measures(CPU) and found and None not in found) else []

    def time(self, n: int, points: Sequence[Point], process: int = 0) -> list[Timed]:
        """Return the times of the points in one process."""
        session = self.session
        return session.worker.measure(
            [point.search(session.plan.rounds(n), session.allow(n, point.predicted))
             for point in points],
            session.plan.sample_seconds(n), lambda what: session.say(f"n = {n}, {what}"),
            session.seed(process, n))

    def count(self, point: Point) -> list[Record]:
        """Count a point once more; return its records: each counter, then its times."""
        processes = self.session.plan[PROCESSES]
        own, timed = {each.name: each for each in self.own(point.solver)}, point.timed
        total = (point.found or 0) * point.worth
        found: dict[str, Any] = {SOLUTIONS.name: total}
        if self.is_profiled(point.solver):
            least, most = STUDIED
            ruled = any(name.startswith(REFUSED) for name in own)
            examined = [RULES] if ruled and least < median(timed.samples) < most else []
            found = self.worker.ask(worker.count, point.solver.key, point.n,
                                    [*own, *examined, *(each.name for each in self.counters)],
                                    seconds=self.session.allow(
                                        point.n, COUNTED * median(timed.wall)))
        else:
            wanted = {each.name for each in self.counters}
            found |= {name: value for name, value in timed.printed.items() if name in wanted}
        counted = found[SOLUTIONS.name]
        fault = timed.fault or (
            f"the timed build finds {total} solutions, the counting build {counted}"
            if total != counted else "")
        times: Record = {"status": ENDED, "samples": [], "fault": fault} if fault else {
            "samples": timed.samples}
        return [*(self.record(point, own.get(name) or METRICS[name], [value])
                  for name, value in found.items()),
                *(() if fault else self.record_processor(point, timed)),
                self.record(point, SECONDS, loops=point.loops, process=0, processes=processes,
                            first=timed.first, **timed.state, **times)]

    @cached_property
    def counters(self) -> list[Counter]:
        """The counters that the plan names."""
        return [counter for counter in counters() if self.session.plan.measures(counter)]

    def own(self, solver: Solver) -> tuple[Metric, ...]:
        """Return the counters that a solver alone has."""
        return (solver.algorithm.python.own if solver.implementation == "python"
                and solver.algorithm.search and self.is_profiled(solver) else ())

    def is_profiled(self, solver: Solver) -> bool:
        """Return whether a solver is searched once more, to count its nodes."""
        algorithm = solver.algorithm
        return (algorithm.profiled(solver.implementation)
                and not (algorithm.tree == Tree.NONE and is_outside(algorithm))
                and self.session.plan[KIND] != "engine" and bool(self.counters))

    def cost(self, point: Point) -> float:
        """Return the seconds that the first search, all rounds, and the counting will take."""
        return (self.session.rounds_cost(point.n, point.predicted)
                + 2 * point.predicted * self.is_profiled(point.solver))

    def record(self, point: Point, metric: Metric, samples: list[Any],
               status: str = "measured", loops: int | None = None, **more: Any) -> Record:
        """Return a record of a point."""
        solver = point.solver
        return {**self.session.head(metric, solver.algorithm.name),
                **({"parameters": known} if (known := solver.algorithm.parameters) else {}),
                "implementation": solver.implementation, "kernel": solver.kernel,
                "jobs": solver.jobs, "n": point.n, "status": status, "samples": samples,
                "loops": loops, "predicted": point.predicted or None, **more}


class Trees(Experiment):
    """Estimate the tree of each algorithm that has one of its own, and the plain tree, for each n:
    runs of all of them visit the same nodes, where they have some in common.
    """

    metric_name = TREE.name
    problems = ("queens", "instances")
    reads = (N, ALGORITHMS, KIND, VISITED)

    def measure(self, step: Step) -> list[Record]:
        """Estimate the trees of n by as many runs as fit into the budget; return a record for each.
        """
        start, n, visited = perf_counter(), step.number, self.session.plan[VISITED]
        chosen, made = self.algorithms(n), list[Estimate]()
        algorithms = list(filter(can_be_led, chosen))
        if algorithms:
            is_board = algorithms[0].problem == "instances"
            instance = PROBLEMS["instances"].parse(f"n={n}") if is_board else n
            speeds = [speed(algorithm, instance, "together") for algorithm in algorithms]
            known = [known_of_tree(algorithm, instance) for algorithm in algorithms]
            for made in sample_together(algorithms, instance, visited, SEED, speeds, known,
                                        apart=True):
                self.session.say(f"trees, n = {n}: {made[0].probes:,} of {visited:,} probes")
                if self.session.left <= 0:
                    break
        elapsed = perf_counter() - start
        found = {algorithm.name: {"probes": each.probes, "status": "measured", "samples": [{
            "elapsed": elapsed, "reached": each.reached, "reach": each.nodes.reach,
            "runs": [row["nodes"] for row in each.rows],
            **{name: x.pair for name, x in each.named().items()},
            "levels": [level.pair for level in each.levels]}]
            } if each.runs >= FEWEST_RUNS else worker.leave_out(
                elapsed * FEWEST_RUNS / each.runs, elapsed)
            for algorithm, each in zip(algorithms, made, strict=True)}
        return [{
            **self.session.head(TREE, algorithm.name), "implementation": "python",
            **({"parameters": algorithm.parameters} if algorithm.parameters else {}),
            **({"problem": "instances"} if algorithm.problem == "instances" else {}),
            "n": n, "probes": visited, "seed": SEED,
            **found.get(algorithm.name, worker.leave_out(0.0, 0.0, "cannot be estimated"))}
            for algorithm in (chosen if self.session.plan[ALGORITHMS] else algorithms)]

    def algorithms(self, n: int) -> list[Algorithm[Any, Any]]:
        """Return the algorithms with a search in Python: those that the plan names, or else those
        whose tree is their own, and the plain one.
        """
        named, found = self.session.plan[ALGORITHMS], {}
        for solver in solvers(n, self.session.plan):
            own = solver.algorithm.tree == Tree.OWN or solver.algorithm.name == PLAIN_SEARCH
            if solver.implementation == "python" and (named or own):
                found[solver.algorithm.name] = solver.algorithm
        return list(found.values())


def can_be_led(algorithm: Algorithm[Any, Any]) -> bool:
    """Return whether the tree of a search can be estimated."""
    try:
        require_steerable(algorithm)
    except SteeringError:
        return False
    return True
