"""A simulation of the schedule at many workers, some of which fail: discrete events, seeded.

One scheduler hands out tasks, one after the other, each in `dispatch` seconds. Every worker has
one task at work and others on the way, as `executing.IN_FLIGHT` says. Workers fail at random
(a Poisson process); what such a worker had is handed out again once that has been noticed, and
the worker is back some time later. It ends with the last answer.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf
from random import Random

from nqbench.engine.executing import IN_FLIGHT


@dataclass(frozen=True)
class Site:
    """Where tasks are done.

    Attributes
    ----------
    workers
        how many, each one task at a time.
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
    """What came of a simulated run.

    Attributes
    ----------
    efficiency
        the work of all tasks by the time of all workers until the end.
    wall
        seconds until the end.
    failed
        tasks that were lost with their worker while at work.
    """

    efficiency: float
    wall: float
    failed: int


def simulate(site: Site, tasks: int, mean: float, relative: Sequence[float],
             seed: int = 0) -> Outcome:
    """Do so many tasks at a site; they take `mean` seconds on average, each one of the `relative`
    sizes at random (their own mean is 1).

    >>> quiet = Site(workers=10, dispatch=0.001, failures=0.0)
    >>> outcome = simulate(quiet, 1000, 60.0, [0.5, 1.5])
    >>> 0.95 < outcome.efficiency <= 1.0, outcome.failed
    (True, 0)
    """
    return _Run(site, [mean * share for share in relative], tasks, Random(seed)).outcome()


DONE, FAILED, NOTICED, AWAKE = range(4)


class _Run:
    """The state of a simulated run; times are in seconds from its beginning."""

    def __init__(self, site: Site, sizes: list[float], tasks: int, random: Random) -> None:
        self.site, self.sizes, self.random = site, sizes, random
        self.left = tasks  # that nobody has had yet
        self.lost: deque[tuple[float, float]] = deque()  # when to hand it out again, its size
        self.waiting: list[deque[tuple[float, float]]] = [deque() for _ in range(site.workers)]
        self.fails = [self.lifetime() for _ in range(site.workers)]
        self.idle: list[int] = []
        self.events: list[tuple[float, int, int, float]] = []  # when, who, what, size of the task
        self.free = 0.0  # when the scheduler is
        self.work = 0.0  # seconds of it that are done
        self.failed = 0

    def lifetime(self) -> float:
        rate = self.site.failures / 3600
        return self.random.expovariate(rate) if rate else inf

    def outcome(self) -> Outcome:
        end = 0.0
        for _ in range(IN_FLIGHT):
            for worker in range(self.site.workers):
                self.hand_out(worker, 0.0)
        for worker in range(self.site.workers):
            self.start(worker, 0.0)
        while self.events:
            now, worker, what, size = heappop(self.events)
            if what == DONE:
                end = now
                self.work += size
                self.hand_out(worker, now)
                self.start(worker, now)
            elif what == FAILED:
                self.fail(worker, now, size)
            elif what == NOTICED:
                self.notice(now)
            else:
                self.awake(worker, now)
        return Outcome(self.work / (self.site.workers * end), end, self.failed)

    def hand_out(self, worker: int, now: float) -> None:
        """Put the next task on its way to a worker, if there is one."""
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
        """Begin the next task that has arrived, or will."""
        if not self.waiting[worker]:
            self.idle.append(worker)
            return
        arrived, size = self.waiting[worker].popleft()
        begin = max(now, arrived)
        while self.fails[worker] < begin:  # while it had nothing to do: nobody minds
            self.fails[worker] += self.lifetime()
        if self.fails[worker] < begin + size:
            heappush(self.events, (self.fails[worker], worker, FAILED, size))
        else:
            heappush(self.events, (begin + size, worker, DONE, size))

    def fail(self, worker: int, now: float, size: float) -> None:
        """All that the worker had is to be handed out again."""
        self.failed += 1
        noticed = now + self.site.noticed
        lost = [size, *(size for _, size in self.waiting[worker])]
        self.waiting[worker].clear()
        self.lost.extend((noticed, size) for size in lost)
        heappush(self.events, (noticed, worker, NOTICED, 0.0))
        back = now + self.site.repaired
        self.fails[worker] = back + self.lifetime()
        heappush(self.events, (back, worker, AWAKE, 0.0))

    def notice(self, now: float) -> None:
        """Those who have nothing to do take what was lost, one task each."""
        while self.idle and self.lost and self.lost[0][0] <= now:
            worker = self.idle.pop()
            self.hand_out(worker, now)
            self.start(worker, now)

    def awake(self, worker: int, now: float) -> None:
        """A worker that has nothing takes as many tasks as it may have."""
        for _ in range(IN_FLIGHT):
            self.hand_out(worker, now)
        self.start(worker, now)
