"""How long should a task of a count on a cluster be? Simulate 10,000 workers, some of which fail,
and print the share of their time that they work, for tasks of several lengths.

    python research/schedules/schedules.py --dispatch 0.00442

Without --dispatch, it is measured how many seconds a Dask cluster of this machine needs to hand out
a task. The tasks have the relative sizes of the parts of n = 27, of which some are timed first.

The simulation has discrete events from a random seed. One scheduler dispatches tasks, one after the
other, each in `dispatch` seconds. Every worker runs one task and has others queued, see
`nqbench.engine.tasks.IN_FLIGHT`. Workers fail at random (a Poisson process). When the failure is
noticed, the tasks of the worker are dispatched again; the worker returns some time later. The
simulation ends with the last answer.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf
from random import Random
from statistics import median
from time import perf_counter

import click

from nqbench.engine.cluster import cluster
from nqbench.engine.plans import sample
from nqbench.engine.tasks import IN_FLIGHT

SEED = 1
MODEL = 27  # its parts give the tasks their relative sizes
LOCAL = 2  # workers with which dispatching is measured
TASKS, ROUNDS = 1000, 5
WORKERS = 10_000
LENGTHS = (5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)  # seconds a task
FAILURES = (0.0, 0.001, 0.01, 0.1)  # of a worker in an hour
RUN = 7200.0  # seconds of work for each worker
MOST = 360  # tasks for each worker: short ones make a shorter run


@dataclass(frozen=True)
class Site:
    """A cluster.

    Attributes
    ----------
    workers
        their number; each runs one task at a time.
    dispatch
        seconds of the scheduler for each task.
    failures
        of a worker in an hour, on average.
    noticed, repaired
        seconds from a failure until it is noticed, and until the worker is back.
    """

    workers: int
    dispatch: float
    failures: float
    noticed: float = 300.0
    repaired: float = 600.0


@dataclass(frozen=True)
class Outcome:
    """The result of a simulated run.

    Attributes
    ----------
    efficiency
        the seconds of all tasks, divided by the seconds of all workers until the end.
    wall
        seconds until the end.
    failed
        tasks that were running when their worker failed.
    """

    efficiency: float
    wall: float
    failed: int


def simulate(site: Site, tasks: int, mean: float, relative: Sequence[float],
             seed: int = 0) -> Outcome:
    """Simulate a number of `tasks` at a site. They take `mean` seconds on average; their sizes are
    drawn from the `relative` ones, whose mean is 1.

    >>> quiet = Site(workers=10, dispatch=0.001, failures=0.0)
    >>> outcome = simulate(quiet, 1000, 60.0, [0.5, 1.5])
    >>> 0.95 < outcome.efficiency <= 1.0, outcome.failed
    (True, 0)
    """
    return _Run(site, [mean * share for share in relative], tasks, Random(seed)).outcome()


DONE, FAILED, NOTICED, RESTARTED = range(4)


class _Run:
    """The state of a simulated run; times are in seconds from its beginning."""

    def __init__(self, site: Site, sizes: list[float], tasks: int, random: Random) -> None:
        self.site, self.sizes, self.random = site, sizes, random
        self.left = tasks  # not dispatched yet
        self.lost: deque[tuple[float, float]] = deque()  # when to dispatch it again, its size
        self.waiting: list[deque[tuple[float, float]]] = [deque() for _ in range(site.workers)]
        self.fails = [self.lifetime() for _ in range(site.workers)]
        self.idle: list[int] = []
        self.events: list[tuple[float, int, int, float]] = []  # time, worker, event, size of task
        self.free = 0.0  # when the scheduler is free
        self.work = 0.0  # seconds of finished tasks
        self.failed = 0

    def lifetime(self) -> float:
        """Draw the seconds until a worker fails."""
        rate = self.site.failures / 3600
        return self.random.expovariate(rate) if rate else inf

    def outcome(self) -> Outcome:
        """Run the simulation and return its result."""
        end = 0.0
        for _ in range(IN_FLIGHT):
            for worker in range(self.site.workers):
                self.dispatch(worker, 0.0)
        for worker in range(self.site.workers):
            self.start(worker, 0.0)
        while self.events:
            now, worker, what, size = heappop(self.events)
            if what == DONE:
                end = now
                self.work += size
                self.dispatch(worker, now)
                self.start(worker, now)
            elif what == FAILED:
                self.fail(worker, now, size)
            elif what == NOTICED:
                self.notice(now)
            else:
                self.restart(worker, now)
        return Outcome(self.work / (self.site.workers * end), end, self.failed)

    def dispatch(self, worker: int, now: float) -> None:
        """Dispatch the next task to a worker, if there is one."""
        if self.lost and self.lost[0][0] <= now:
            size = self.lost.popleft()[1]
        elif self.left:
            size = self.random.choice(self.sizes)
            self.left -= 1
        else:
            return
        self.free = max(self.free, now) + self.site.dispatch
        self.waiting[worker].append((self.free, size))

    def start(self, worker: int, now: float) -> None:
        """Start the next task of a worker, now or when it arrives."""
        if not self.waiting[worker]:
            self.idle.append(worker)
            return
        arrived, size = self.waiting[worker].popleft()
        begin = max(now, arrived)
        while self.fails[worker] < begin:  # an idle worker loses nothing
            self.fails[worker] += self.lifetime()
        if self.fails[worker] < begin + size:
            heappush(self.events, (self.fails[worker], worker, FAILED, size))
        else:
            heappush(self.events, (begin + size, worker, DONE, size))

    def fail(self, worker: int, now: float, size: float) -> None:
        """Plan to dispatch all tasks of a failed worker again, and its return."""
        self.failed += 1
        noticed = now + self.site.noticed
        lost = [size, *(size for _, size in self.waiting[worker])]
        self.waiting[worker].clear()
        self.lost.extend((noticed, size) for size in lost)
        heappush(self.events, (noticed, worker, NOTICED, 0.0))
        back = now + self.site.repaired
        self.fails[worker] = back + self.lifetime()
        heappush(self.events, (back, worker, RESTARTED, 0.0))

    def notice(self, now: float) -> None:
        """Dispatch lost tasks to idle workers, one each."""
        while self.idle and self.lost and self.lost[0][0] <= now:
            worker = self.idle.pop()
            self.dispatch(worker, now)
            self.start(worker, now)

    def restart(self, worker: int, now: float) -> None:
        """Fill the queue of a worker that returns."""
        for _ in range(IN_FLIGHT):
            self.dispatch(worker, now)
        self.start(worker, now)


def dispatch() -> list[float]:
    """Return the seconds to dispatch a task and to receive its answer, in rounds of tasks that do
    nothing, on a Dask cluster of this machine.
    """
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


@click.command(help=__doc__.partition("\n\n")[0])
@click.option("--dispatch", "each", type=float, help="Seconds to hand out a task.")
def main(each: float | None) -> None:
    each = median(dispatch()) if each is None else each
    parts = sample(MODEL, SEED)
    relative = [draw.seconds / parts.mean for draw in parts.draws]
    print(f"handing out a task takes {each:.3g} s\nfailures an hour  seconds per task")
    print(f"{'':16}" + "".join(f"{length:8g}" for length in LENGTHS))
    for failures in FAILURES:
        found = [simulate(Site(WORKERS, each, failures), int(min(RUN / length, MOST) * WORKERS),
                          length, relative, SEED).efficiency for length in LENGTHS]
        print(f"{failures:<16g}" + "".join(f"{share:8.1%}" for share in found), flush=True)


if __name__ == "__main__":
    main()
