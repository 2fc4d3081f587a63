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
from math import inf
from statistics import median
from typing import ClassVar

from nqbench._version import __version__
from nqbench.errors import PluginError
from nqbench.problems.peers import PEERS
from nqbench.problems.plugins.children import Child, StoppedError
from nqbench.problems.plugins.limits import STOPPED, TIME, Limits
from nqbench.problems.plugins.programs import Counted
from nqbench.problems.published import published
from nqbench.problems.queens import catalogue
from nqbench.records.record import SMALL, Record
from nqbench.search.implementations import quiet
from nqbench.search.metrics import METRICS, Metric
from nqbench.study.conditions import Conditions
from nqbench.study.experiments import LEAST, Experiment, Session, Step, find_cores
from nqbench.study.fields import BUDGET, LIMITS, PROCESSES, SAMPLES, SHARE, SHORTEST, TIME_LIMIT, N
from nqbench.study.plan import Plan
from nqbench.study.samples import calibrate, is_repeated, of_first, sample
from nqbench.study.worker import LEFT_OUT, explain_stop

Answer = tuple[float, int, int, dict[str, int]]
METRIC = METRICS["peer"]
FIRST_N = 4  # counted by each process before anything is timed
START = 120.0  # seconds that a process may take to start, import and compile, at first
STARTED = 20.0  # and later
LENGTH = 200  # characters of a recorded error
BASELINE, IN_PYTHON = "cross (Cython)", "bitmask (Python)"
OWN = {BASELINE: ("cross", "cython"), "bitmask (Cython)": ("bitmask", "cython"),
       IN_PYTHON: ("bitmask", "python")}


def _count(count: Callable[[int], int], n: int, loops: int, tell: object) -> Answer:
    """Return the seconds of a count, in a sample of so many loops, the loops, what was found, and
    its counters; find the loops if they are 0.
    """
    search = partial(count, n)
    try:
        with quiet(), Conditions() as conditions:
            conditions.pin(1)
            if loops:
                seconds, found = sample(search, loops)
            else:
                seconds, loops, found, _ = calibrate(search)
            return seconds, loops, found, dict(getattr(found, "counters", {}))
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
        text = " ".join(f"{type(error).__name__}: {error}".split())
        raise PluginError(text[:LENGTH]) from None


@dataclass
class Contender:
    """A peer, or one of our own searches; its version is None if it is not installed. Its process
    has these limits, and what is `left` of the budget. A constraint solver propagates at a `level`.
    """

    name: str
    package: str
    version: str | None
    count: Callable[[int], int]
    limits: Limits | None = None
    child: Child | None = None
    left: Callable[[], float] = lambda: inf
    level: str = ""

    def start(self, allowed: float) -> Child:
        """Return its process; start it if there is none, or if it ended: it counts once."""
        if self.left() <= 0:
            raise StoppedError(LEFT_OUT, 0.0)
        if self.child is None or self.child.ended:
            self.child = Child(self.limits)
            try:
                self.child.call(_count, self.count, FIRST_N, 0,
                                seconds=min(max(allowed, STARTED), self.left()))
            except BaseException:
                self.child.kill()
                raise
        return self.child

    def ask(self, n: int, loops: int, allowed: float) -> tuple[float, int, Counted]:
        """Return the seconds of a count, the loops of a sample, and the number of solutions; find
        the loops if they are 0.

        Raises
        ------
        PluginError
            if the count raised an exception.
        StoppedError
            if there is no answer after `allowed` seconds, or the process ended; it is killed.
        """
        def read(told: Answer) -> tuple[float, int, Counted]:
            return told[0], told[1], Counted(told[2], counters=told[3])

        found: tuple[float, int, Counted] = self.start(allowed).call(
            _count, self.count, n, loops, seconds=min(allowed, self.left()), read=read)
        return found

    def stop(self) -> None:
        """Kill its process."""
        if self.child is not None:
            self.child.kill()


def contenders() -> list[Contender]:
    """Return our own searches, whose builds are compared first, then the peers."""
    for algorithm, _ in OWN.values():
        catalogue()[algorithm].compare_builds()
    return [*(Contender(name, "nqbench", __version__, partial(_count_ours, *solver))
              for name, solver in OWN.items()),
            *(Contender(peer.name, peer.package, peer.installed(), peer.count)
              for peer in PEERS)]


def _count_ours(algorithm: str, implementation: str, n: int) -> int:
    return catalogue()[algorithm].count(n, implementation, 1)


@dataclass
class Turns:
    """The samples of a contender at one n."""

    metric: ClassVar[Metric] = METRIC
    contender: Contender
    n: int
    predicted: float
    status: str = "measured"
    loops: int | None = None
    samples: list[float] = field(default_factory=list)
    seconds: float | None = None  # of the first count, or until it was stopped
    solutions: int | None = None
    fault: str | None = None
    process: int = 0
    processes: int = 1
    skipped: Record = field(default_factory=dict)  # why it was left out

    def begin(self, allowed: float) -> None:
        """Count for the first time, and check the answer; in a later process, only start it."""
        with self.note_faults():
            if self.loops is not None:
                self.contender.start(allowed)
                return
            self.seconds, loops, found = self.contender.ask(self.n, 0, allowed)
            self.solutions = int(found)
            self.require_right(found)
            self.loops = loops

    def sample(self, allowed: float) -> None:
        """Take a sample, unless the first count failed."""
        if self.loops:
            with self.note_faults():
                seconds, _, found = self.contender.ask(self.n, self.loops, allowed)
                self.require_right(found)
                self.samples.append(seconds)

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
            self.status, self.fault = "failed", str(error)
        except StoppedError as error:
            if error.outcome == TIME and self.contender.left() <= 0:
                error = StoppedError(LEFT_OUT, error.seconds)
            self.skipped = explain_stop(error, self.predicted)
            if error.outcome in STOPPED:
                self.seconds = error.seconds
        self.loops, self.samples = None, []

    def fields(self) -> Record:
        """Return the fields of its record."""
        peer = self.contender
        return {**self.metric.fields, "process": self.process, "processes": self.processes,
                "n": self.n, "peer": peer.name,
                "package": peer.package, "version": peer.version, "status": self.status,
                "samples": self.samples, "loops": self.loops, "solutions": self.solutions,
                "fault": self.fault, "predicted": self.predicted or None, **self.skipped}


def in_turns(turns: Sequence[Turns], samples: int, allowed: float,
             say: Callable[[str], None]) -> None:
    """Count once with each contender, then take samples round by round."""
    for each in turns:
        say(f"n = {each.n}, warm-up: {each.contender.name}")
        each.begin(allowed)
    for turn in range(samples):
        for each in turns:
            say(f"n = {each.n}, round {turn + 1} of {samples}: {each.contender.name}")
            each.sample(allowed)


class Peers(Experiment):
    """Count with each peer for each n, in each process."""

    reads = (N, *LIMITS, SAMPLES, PROCESSES, SHARE, SHORTEST, TIME_LIMIT)
    turns: ClassVar[type[Turns]] = Turns

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.metric_name = self.turns.metric.name
        self.contenders = {contender.name: replace(contender, limits=session.plan.limits,
                                                   left=lambda: session.left)
                           for contender in self.find_contenders()}
        for record in session.records:
            if record["metric"] == self.metric_name and record["samples"]:
                session.forecast.add(record["peer"], record["n"], median(record["samples"]))

    @classmethod
    def missing(cls, plan: Plan) -> str:
        """Return what our own searches need."""
        return find_cores()

    def find_contenders(self) -> list[Contender]:
        """Return what counts."""
        return contenders()

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
                turns.status = "not installed"
            elif skipped := session.explain_skip(n, cost, planned):
                turns.status, turns.skipped = "left out", skipped
            else:
                chosen.append(turns)
                planned += cost
        in_turns(chosen, plan.rounds(n), self.patience(n), session.say)
        for turns in chosen:
            if turns.seconds is not None:
                session.forecast.add(turns.contender.name, n, turns.seconds)
        return [{**session.head(), **turns.fields()} for turns in found]

    def repeat(self, step: Step) -> list[Record]:
        """Take the samples of a later process; return a record for each peer that the first one
        measured.
        """
        n, process, session = step.number, step.process, self.session
        chosen = [self.turns(self.contenders[record["peer"]], n, median(record["samples"]),
                             loops=record["loops"], solutions=record["solutions"],
                             process=process, processes=record["processes"])
                  for record in of_first(session.records, self.metric_name, process, n=n)]
        in_turns(chosen, session.plan.rounds(n), self.patience(n), session.say)
        return [{**session.head(), **turns.fields()} for turns in chosen
                if turns.skipped.get("status") != LEFT_OUT]

    def patience(self, n: int) -> float:
        """Return the seconds after which a peer is stopped; at first it starts, too."""
        plan, session = self.session.plan, self.session
        return max(LEAST, min(START, session.left)) if n <= SMALL else (
            min(filter(None, (plan[TIME_LIMIT], plan[BUDGET] * plan[SHARE]))))

    def stop(self) -> None:
        """Stop the processes of all peers."""
        for contender in self.contenders.values():
            contender.stop()
