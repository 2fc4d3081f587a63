"""Predict counts beyond one machine: their time, and how their tasks would be scheduled.

First measure the seconds that a Dask cluster of this machine needs to dispatch a task; then sample
the parts of some n; then simulate many workers, some of which fail. The simulated tasks have the
relative sizes of the parts of one of these n.
"""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import asdict
from importlib.util import find_spec
from statistics import median
from time import perf_counter
from typing import Any

from nqbench.engine.executing import IN_FLIGHT
from nqbench.engine.planning import Sample, sample
from nqbench.metrics import METRICS
from nqbench.records.record import Record
from nqbench.study.experiments import Experiment, Step
from nqbench.study.presets import UNCOMPILED, Preset, is_compiled
from nqbench.topics.clusters import simulation

SEED = 1
PLANNED = (20, 24, 27, 28)
MODEL = 27  # its parts give the tasks their relative sizes
LOCAL = 2  # workers with which dispatching is measured
TASKS, ROUNDS = 1000, 5
WORKERS = 10_000
LENGTHS = (5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)  # seconds a task
FAILURES = (0.0, 0.001, 0.01, 0.1)  # of a worker in an hour
RUN = 7200.0  # seconds of work for each worker
MOST = 360  # tasks for each worker: short ones make a shorter run


class Clusters(Experiment):
    """Measure dispatching and samples of parts; simulate schedules from both."""

    name = "clusters"

    least = 300.0  # for dispatching and the samples

    @classmethod
    def missing(cls, preset: Preset) -> str:
        """Return what is missing, the engine or Dask."""
        if not is_compiled():
            return UNCOMPILED
        return "" if find_spec("distributed") else "Dask: pip install 'nqbench[cluster]'"

    def steps(self) -> list[Step]:
        """Return the steps: "dispatch", "plan" and n, "schedule" and which of LENGTHS."""
        return [Step(0, what="dispatch"), *(Step(n, what="plan") for n in PLANNED),
                *(Step(number, what="schedule") for number in range(len(LENGTHS)))]

    def is_complete(self, step: Step) -> bool:
        """Return whether the step has its records: a schedule, one for each of FAILURES."""
        found = [record for record in self.session.records if record["metric"] == step.what]
        if step.what == "schedule":
            length = LENGTHS[step.number]
            return len([r for r in found if r["task_seconds"] == length]) == len(FAILURES)
        return any(record["n"] == step.number for record in found)

    def measure(self, step: Step) -> list[Record]:
        """Run a step; skip its simulations if the time is over."""
        over = self.session.elapsed > self.session.preset.budget
        return [{**self.session.head(), **fields} for fields in self.fields(step, over)]

    def fields(self, step: Step, over: bool) -> Iterator[dict[str, Any]]:
        """Yield the fields of the records of a step."""
        if step.what == "dispatch":
            self.session.say("handing tasks out")
            yield {**METRICS[step.what].fields, "n": 0, "status": "measured",
                   "workers": LOCAL, "tasks": TASKS, "samples": dispatch()}
        elif step.what == "plan":
            self.session.say(f"parts for n = {step.number}")
            yield {**METRICS[step.what].fields, "n": step.number,
                   "status": "measured", "samples": [asdict(sample(step.number, SEED))]}
        else:
            for failures in FAILURES:
                length = LENGTHS[step.number]
                self.session.say(f"tasks of {length:g} s, {failures:g} failures an hour")
                yield schedule(length, failures, self.session.records, over)


def dispatch() -> list[float]:
    """Return the seconds to dispatch a task and to receive its answer, in rounds of tasks that do
    nothing, on a Dask cluster of this machine.
    """
    from nqbench.engine.cluster import cluster

    with cluster(f"local:{LOCAL}", lambda line: None) as (executor, _):
        _round(executor)  # warm-up
        return [_round(executor) for _ in range(ROUNDS)]


def _round(executor: Executor) -> float:
    start = perf_counter()
    flying: set[Future[int]] = set()
    for number in range(TASKS):
        if len(flying) >= IN_FLIGHT * LOCAL:
            flying = wait(flying, return_when=FIRST_COMPLETED).not_done
        flying.add(executor.submit(abs, -number))
    wait(flying)
    return (perf_counter() - start) / TASKS


def schedule(length: float, failures: float, before: list[Record], over: bool) -> dict[str, Any]:
    """Return the fields of a simulated run: tasks of `length` seconds, `failures` of each worker an
    hour, after the records made `before`.
    """
    each = next(median(r["samples"]) for r in before if r["metric"] == "dispatch")
    parts = next(Sample.of(r["samples"][0]) for r in before
                 if r["metric"] == "plan" and r["n"] == MODEL)
    relative = [draw.seconds / parts.mean for draw in parts.draws]
    tasks = int(min(RUN / length, MOST) * WORKERS)
    head = {**METRICS["schedule"].fields, "n": MODEL, "workers": WORKERS,
            "task_seconds": length, "failures": failures, "dispatch": each, "tasks": tasks,
            "seed": SEED}
    if over:
        return {**head, "status": "left out", "samples": []}
    site = simulation.Site(WORKERS, each, failures)
    outcome = simulation.simulate(site, tasks, length, relative, SEED)
    return {**head, "status": "measured", "samples": [asdict(outcome)]}


EXPERIMENTS = (Clusters,)
