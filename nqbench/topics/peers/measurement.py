"""Measure the peers and our own searches in turns, all of one n, each in a separate process.

Compiled code of a peer may run for hours without checking for signals, and CP-SAT handles Ctrl-C
itself. So each counts in a child process, which times itself. It is killed at Ctrl-C, or when its
time is over. Our own searches are treated in the same way. Starting, importing and compiling at
run time are not timed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Any, ClassVar

from nqbench._version import __version__
from nqbench.errors import PluginError
from nqbench.problems.peers import PEERS
from nqbench.problems.plugins.children import StoppedError
from nqbench.problems.plugins.limits import ENDED, LEFT_OUT, STOPPED, Limits
from nqbench.problems.plugins.programs import Counted
from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.records.record import SMALL, Record, wall_of
from nqbench.search.implementations import quiet
from nqbench.search.metrics import METRICS, Metric
from nqbench.study.experiments import LEAST, Experiment, Session, Step, find_cores
from nqbench.study.fields import BUDGET, LIMITS, PROCESSES, SAMPLES, SHARE, SHORTEST, TIME_LIMIT, N
from nqbench.study.plan import Plan
from nqbench.study.samples import Conditions, Taken, is_repeated, loops_of, of_first
from nqbench.study.worker import Timed, Worker, add_sample, explain_stop
from nqbench.util.clocks import Calibration, Sample, calibrate, choose_loops, orders, sample

METRIC = METRICS["peer"]
FIRST_N = 4  # counted by each process before anything is timed
START = 120.0  # seconds that a process may take to start, import and compile, at first
STARTED = 20.0  # and later
LENGTH = 200  # characters of a recorded error
BASELINE, IN_PYTHON = "cross (Cython)", "bitmask (Python)"
OWN = {BASELINE: ("cross", "cython"), "bitmask (Cython)": ("bitmask", "cython"),
       IN_PYTHON: ("bitmask", "python")}


def _count(count: Callable[[int], int], n: int, loops: int, shortest: float,
           tell: object) -> tuple[list[Any], dict[str, int], dict[str, Any]]:
    """Return a sample of so many counts, or what `calibrate` returns if they are 0; the counters
    that were printed, and the state of the machine.
    """
    search = partial(count, n)
    try:
        with quiet(), Conditions() as conditions:
            conditions.pin(1)
            taken = sample(search, loops) if loops else calibrate(search, shortest)
            return [*taken], dict(getattr(taken.found, "counters", {})), conditions.describe()
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
        text = " ".join(f"{type(error).__name__}: {error}".split())
        raise PluginError(text[:LENGTH]) from None


@dataclass
class Contender:
    """A peer, or one of our own searches; its version is None if it is not installed. It counts in
    the process of its `worker`, which may take the bytes of memory that it has `reserved` and does
    not use. A constraint solver propagates at a `level`.
    """

    name: str
    package: str
    version: str | None
    count: Callable[[int], int]
    worker: Worker = field(default_factory=Worker)
    level: str = ""
    reserved: int = 0

    def start(self, allowed: float) -> None:
        """Start its process if there is none, or if it ended: it counts once."""
        if self.worker.child is None:
            self.worker.ask(_count, self.count, FIRST_N, 1, 0.0, seconds=max(allowed, STARTED))

    def measure(self, n: int, loops: int, shortest: float,
                allowed: float) -> tuple[Any, dict[str, Any]]:
        """Return a `Sample` of so many counts, or a `Calibration` if they are 0, both made in the
        process, and the state of the machine.

        Raises
        ------
        StoppedError
            if the count failed, if there is no answer after `allowed` seconds, or if the process
            ended.
        """
        self.start(allowed)
        told, counters, machine = self.worker.ask(_count, self.count, n, loops, shortest,
                                                  seconds=allowed)
        made: Any = Sample(*told) if loops else Calibration(*told)
        return made._replace(found=Counted(made.found, counters=counters)), machine


def _count_ours(algorithm: str, implementation: str, n: int) -> int:
    return catalogue()[algorithm].count(n, implementation, 1)


@dataclass
class Turns:
    """The samples of a contender at one n; `loops` of them are known of a long count, before."""

    metric: ClassVar[Metric] = METRIC
    contender: Contender
    n: int
    predicted: float
    timed: Timed = field(default_factory=lambda: Timed(0, []))
    calibration: Calibration | None = None
    seconds: float | None = None  # of the first count, or until it was stopped
    solutions: int | None = None
    process: int = 0
    processes: int = 1
    outcome: Record = field(default_factory=lambda: {"status": "measured", "fault": None})

    def begin(self, shortest: float, allowed: float) -> None:
        """Count for the first time, and check the answer; what takes long is only started in a
        later process.
        """
        with self.note_faults():
            if self.timed.loops:
                self.contender.start(allowed)
                return
            made, _ = self.contender.measure(self.n, 0, shortest, allowed)
            self.seconds, self.solutions = made.wall, int(made.found)
            self.require_right(made.found)
            self.calibration = made

    def sample(self, turn: int, place: int, allowed: float) -> None:
        """Take a sample at its place in a round, unless the first count failed."""
        if self.timed.loops:
            with self.note_faults():
                taken, machine = self.contender.measure(self.n, self.timed.loops, 0.0, allowed)
                self.require_right(taken.found)
                limits = self.contender.worker.limits or Limits()
                self.timed = add_sample(self.timed, turn, place, Taken(
                    taken, 0, taken.disturbed), limits.cores == 1, machine)

    def require_right(self, found: int) -> None:
        """Reject a number of solutions that is not the published one."""
        expected = published("A000170")[self.n]
        if found != expected:
            raise PluginError(f"counted {found} instead of {expected}")

    @contextmanager
    def note_faults(self) -> Iterator[None]:
        """Record a fault; the samples are dropped then."""
        try:
            yield
            return
        except PluginError as error:
            self.outcome = {"status": ENDED, "fault": str(error)}
        except StoppedError as error:
            self.outcome = {"fault": None, **explain_stop(error, self.predicted)}
            if error.outcome in STOPPED:
                self.seconds = error.seconds
        self.timed, self.calibration = Timed(0, []), None

    def fields(self) -> Record:
        """Return the fields of its record."""
        peer = self.contender
        return {**self.metric.fields, "process": self.process, "processes": self.processes,
                "n": self.n, "peer": peer.name,
                "package": peer.package, "version": peer.version,
                "samples": self.timed.samples, "loops": self.timed.loops or None,
                "solutions": self.solutions, "predicted": self.predicted or None,
                **(self.timed.state if self.timed.samples else {}), **self.outcome}


def in_turns(turns: Sequence[Turns], samples: int, shortest: float, allowed: float,
             say: Callable[[str], None], seed: str) -> None:
    """Count once with each contender, then take samples round by round."""
    for each in turns:
        say(f"n = {each.n}, warm-up: {each.contender.name}")
        each.begin(shortest, allowed)
    made = [each for each in turns if each.calibration]
    for each, loops in zip(made, choose_loops(
            [each.calibration for each in made if each.calibration], shortest), strict=True):
        each.timed = replace(each.timed, loops=loops)
    for turn, order in enumerate(orders(len(turns), samples, seed)):
        for at, place in enumerate(order):
            say(f"n = {turns[place].n}, round {turn + 1} of {samples}: "
                f"{turns[place].contender.name}")
            turns[place].sample(turn, at, allowed)


class Peers(Experiment):
    """Count with each peer for each n, in each process."""

    reads = (N, *LIMITS, SAMPLES, PROCESSES, SHARE, SHORTEST, TIME_LIMIT)
    turns: ClassVar[type[Turns]] = Turns

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.metric_name = self.turns.metric.name
        limits = session.plan.limits
        self.contenders = {each.name: replace(each, worker=Worker(
            limits=replace(limits, memory=limits.memory + each.reserved),
            left=lambda: session.left)) for each in self.find_contenders()}
        for record in session.records:
            if record["metric"] == self.metric_name and record["samples"]:
                session.forecast.add(record["peer"], record["n"], median(wall_of(record)))

    @classmethod
    def missing(cls, plan: Plan) -> str:
        """Return what our own searches need."""
        return find_cores()

    @staticmethod
    def find_contenders() -> list[Contender]:
        """Return our own searches, whose builds are compared first, then the peers."""
        for algorithm, _ in OWN.values():
            catalogue()[algorithm].compare_builds()
        return [*(Contender(name, "nqbench", __version__, partial(_count_ours, *solver))
                  for name, solver in OWN.items()),
                *(Contender(peer.name, peer.package, peer.installed(), peer.count)
                  for peer in PEERS)]

    def is_complete(self, step: Step) -> bool:
        """Return whether each peer has its record."""
        records = self.session.records
        if step.process:
            return is_repeated(records, self.metric_name, step.process, n=step.number)
        return {record["peer"] for record in records
                if record["metric"] == self.metric_name and record["n"] == step.number
                and not record.get("process")} == set(self.contenders)

    def measure(self, step: Step) -> list[Record]:
        """Count n queens with all peers; return a record each."""
        n, session, plan = step.number, self.session, self.session.plan
        found = [self.turns(contender, n, session.forecast.predict(contender.name, n),
                            processes=plan[PROCESSES]) for contender in self.contenders.values()]
        chosen: list[Turns] = []
        planned = 0.0
        for turns in found:
            cost = session.rounds_cost(n, turns.predicted)
            if turns.contender.version is None:
                turns.outcome["status"] = "not installed"
            elif skipped := session.explain_skip(n, cost, planned):
                turns.outcome |= skipped
            else:
                chosen.append(turns)
                planned += cost
        in_turns(chosen, plan.rounds(n), plan.sample_seconds(n), self.patience(n), session.say,
                 session.seed(0, n))
        for turns in chosen:
            if turns.seconds is not None:
                session.forecast.add(turns.contender.name, n, turns.seconds)
        return [{**session.head(), **turns.fields()} for turns in found]

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process; return a record for each peer that the first one
        measured.
        """
        n, process, session = step.number, step.process, self.session
        shortest = session.plan.sample_seconds(n)
        chosen = [self.turns(self.contenders[record["peer"]], n, median(wall_of(record)),
                             timed=Timed(loops_of(record, shortest) or 0, []),
                             solutions=record["solutions"],
                             process=process, processes=record["processes"])
                  for record in of_first(session.records, self.metric_name, process, n=n)]
        in_turns(chosen, session.plan.rounds(n), shortest, self.patience(n), session.say,
                 session.seed(process, n))
        return [{**session.head(), **turns.fields()} for turns in chosen
                if turns.outcome["status"] != LEFT_OUT]

    def patience(self, n: int) -> float:
        """Return the seconds after which a peer is stopped; at first it starts, too."""
        plan, session = self.session.plan, self.session
        return max(LEAST, min(START, session.left)) if n <= SMALL else (
            min(filter(None, (plan[TIME_LIMIT], plan[BUDGET] * plan[SHARE]))))

    def stop(self) -> None:
        """Stop the processes of all peers."""
        for contender in self.contenders.values():
            contender.worker.stop()
