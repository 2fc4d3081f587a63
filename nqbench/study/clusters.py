"""Counts beyond one machine: what they would take, and how their tasks would be scheduled.

First the seconds that a Dask cluster of this machine takes to hand a task out; then samples of
the parts of some n; then simulated runs at many workers, with tasks of the sizes that the parts
of one of these n have, made longer or shorter, and workers that fail.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import asdict
from statistics import median
from time import perf_counter
from typing import Any

from nqbench.engine.executing import IN_FLIGHT
from nqbench.engine.planning import Sample, sample
from nqbench.records.record import Record
from nqbench.study import scheduling

SEED = 1
PLANNED = (20, 24, 27, 28)
MODEL = 27  # whose parts give the tasks their sizes
LOCAL = 2  # workers that the hand-out is measured with
TASKS, ROUNDS = 1000, 5
WORKERS = 10_000
LENGTHS = (5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)  # seconds a task
FAILURES = (0.0, 0.001, 0.01, 0.1)  # of a worker in an hour
RUN = 7200.0  # seconds of work for each worker
MOST = 360  # tasks for each worker: short ones make a shorter run

Step = tuple[str, int]


def steps() -> list[Step]:
    """What is done: "dispatch", "plan" and n, "schedule" and which of LENGTHS."""
    return [("dispatch", 0), *(("plan", n) for n in PLANNED),
            *(("schedule", length) for length in range(len(LENGTHS)))]


def is_done(step: Step, records: list[Record]) -> bool:
    """Whether the records of a step are there."""
    what, number = step
    found = [record for record in records if record["metric"] == what]
    if what == "schedule":
        return len([r for r in found if r["task_seconds"] == LENGTHS[number]]) == len(FAILURES)
    return any(record["n"] == number for record in found)


def do(step: Step, before: list[Record], over: bool,
       say: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Yield the fields of the records of a step, after those of the steps `before`; a simulation is
    left out if the time is `over`.
    """
    what, number = step
    if what == "dispatch":
        say("handing tasks out")
        yield {"metric": what, "unit": "seconds", "n": 0, "status": "measured", "workers": LOCAL,
               "tasks": TASKS, "samples": dispatch()}
    elif what == "plan":
        say(f"parts for n = {number}")
        yield {"metric": what, "unit": "seconds", "n": number, "status": "measured",
               "samples": [asdict(sample(number, SEED))]}
    else:
        for failures in FAILURES:
            say(f"tasks of {LENGTHS[number]:g} s, {failures:g} failures an hour")
            yield schedule(LENGTHS[number], failures, before, over)


def dispatch() -> list[float]:
    """Return the seconds that it takes to hand a task out and to take its answer, in rounds of
    tasks that do nothing, on a Dask cluster of this machine.
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
    """The fields of a simulated run: tasks of so many seconds, so many failures an hour."""
    each = next(median(r["samples"]) for r in before if r["metric"] == "dispatch")
    parts = next(Sample.of(r["samples"][0]) for r in before
                 if r["metric"] == "plan" and r["n"] == MODEL)
    relative = [draw.seconds / parts.mean for draw in parts.draws]
    tasks = int(min(RUN / length, MOST) * WORKERS)
    head = {"metric": "schedule", "unit": "share", "n": MODEL, "workers": WORKERS,
            "task_seconds": length, "failures": failures, "dispatch": each, "tasks": tasks,
            "seed": SEED}
    if over:
        return {**head, "status": "left out", "samples": []}
    site = scheduling.Site(WORKERS, each, failures)
    outcome = scheduling.simulate(site, tasks, length, relative, SEED)
    return {**head, "status": "measured", "samples": [asdict(outcome)]}
