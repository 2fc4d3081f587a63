"""The peers and our own searches side by side: each in a process of its own, in turns.

Compiled code of a peer may run for hours without looking at a signal, and CP-SAT catches Ctrl-C
for itself. So each counts in a child process, which times itself and is killed when it is
stopped: at Ctrl-C, or after more time than it was allowed. Our own searches are treated alike.
What a process needs to start, to import, and to compile at run time is not timed.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from nqbench._interrupts import delay_interrupts
from nqbench._version import __version__
from nqbench.algorithms import catalogue
from nqbench.metrics import METRICS
from nqbench.peers import peers
from nqbench.records.names import BASELINE, IN_PYTHON
from nqbench.records.record import Record
from nqbench.reference import published
from nqbench.study.measure import calibrate, quiet, sample

METRIC = METRICS["peer"]
FIRST_N = 4  # counted by each process before anything is timed
START = 120.0  # seconds that a process may take to start, import and compile
LENGTH = 200  # of what is kept of an error
OWN = {BASELINE: ("cross", "cython"), "bitmask (Cython)": ("bitmask", "cython"),
       IN_PYTHON: ("bitmask", "python")}


class FaultError(Exception):
    """A count failed, with what is to be said of it."""


class StoppedError(Exception):
    """A count took more time than it was allowed: so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"stopped after {seconds:.3g} s")
        self.seconds = seconds


class Child:
    """A process that counts n queens, and times itself."""

    def __init__(self, count: Callable[[int], int]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, its_end = context.Pipe()
        self.process = context.Process(target=_serve, args=(count, its_end), daemon=True)
        with delay_interrupts():
            self.process.start()
        its_end.close()
        try:
            self.answer(START)
        except BaseException:
            self.kill()
            raise

    def ask(self, n: int, loops: int, allowed: float) -> Any:
        """Return what `calibrate` does if loops is 0, else what `sample` does.

        Raises
        ------
        FaultError
            if the count raised something, or its process died.
        StoppedError
            if there is no answer after `allowed` seconds: then the process was killed.
        """
        with suppress(BrokenPipeError):  # it died: that is seen when it gives no answer
            self.pipe.send((n, loops))
        return self.answer(allowed)

    def answer(self, allowed: float) -> Any:
        try:
            if not self.pipe.poll(allowed):
                self.kill()
                raise StoppedError(allowed)
            good, found = self.pipe.recv()
        except (EOFError, ConnectionError):
            self.kill()
            raise FaultError(f"its process ended with {self.process.exitcode}") from None
        if not good:
            raise FaultError(found)
        return found

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(count: Callable[[int], int], pipe: Connection) -> None:
    """Count once, then answer (n, loops) until nobody asks any more."""
    os.dup2(2, 1)  # what a peer prints is no output of ours
    _answer(pipe, partial(count, FIRST_N))
    while True:
        try:
            n, loops = pipe.recv()
        except EOFError:
            return
        search = partial(count, n)
        _answer(pipe, partial(sample, search, loops) if loops else partial(calibrate, search))


def _answer(pipe: Connection, work: Callable[[], object]) -> None:
    try:
        with quiet():
            pipe.send((True, work()))
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        pipe.send((False, text[:LENGTH]))


@dataclass
class Contender:
    """A peer, or one of our own searches; its version is None if it is not installed."""

    name: str
    package: str
    version: str | None
    count: Callable[[int], int]
    child: Child | None = None

    def process(self) -> Child:
        """Its process, made anew if it died."""
        if self.child is None or not self.child.process.is_alive():
            self.child = Child(self.count)
        return self.child

    def stop(self) -> None:
        if self.child is not None:
            self.child.kill()


def contenders() -> list[Contender]:
    """Our own searches, their builds compared, then the peers."""
    for algorithm, _ in OWN.values():
        catalogue()[algorithm].compare_builds()
    return [*(Contender(name, "nqbench", __version__, partial(_own, *solver))
              for name, solver in OWN.items()),
            *(Contender(peer.name, peer.package, peer.installed(), peer.count)
              for peer in peers())]


def _own(algorithm: str, implementation: str, n: int) -> int:
    return catalogue()[algorithm].count(n, implementation, 1)


@dataclass
class Turns:
    """What a contender did at one n."""

    contender: Contender
    n: int
    predicted: float
    status: str = "measured"
    loops: int | None = None
    samples: list[float] = field(default_factory=list)
    seconds: float | None = None  # that the first count took, or after which it was stopped
    solutions: int | None = None
    fault: str | None = None
    process: int = 0
    processes: int = 1
    skipped: Record = field(default_factory=dict)  # why it was left out

    def begin(self, allowed: float) -> None:
        """Count for the first time, and check the answer; in a later process, only start it."""
        with self.watched():
            if self.loops is not None:
                self.contender.process()  # which counts once when it starts
                return
            self.seconds, loops, self.solutions = self.contender.process().ask(self.n, 0, allowed)
            expected = published("A000170")[self.n]
            if self.solutions != expected:
                raise FaultError(f"counted {self.solutions} instead of {expected}")
            self.loops = loops

    def sample(self, allowed: float) -> None:
        if self.loops:
            with self.watched():
                self.samples.append(self.contender.process().ask(self.n, self.loops, allowed))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note what goes wrong; then nothing of it was measured."""
        try:
            yield
            return
        except FaultError as error:
            self.status, self.fault = "failed", str(error)
        except StoppedError as error:
            self.status, self.fault, self.seconds = "timed out", str(error), error.seconds
        self.loops, self.samples = None, []

    def fields(self) -> Record:
        """Return what is recorded of it."""
        peer = self.contender
        return {**METRIC.fields, "process": self.process, "processes": self.processes,
                "n": self.n, "peer": peer.name,
                "package": peer.package, "version": peer.version, "status": self.status,
                "samples": self.samples, "loops": self.loops, "solutions": self.solutions,
                "fault": self.fault, "predicted": self.predicted or None, **self.skipped}


def in_turns(turns: Sequence[Turns], samples: int, allowed: float,
             say: Callable[[str], None]) -> None:
    """Count with all of them, then take samples round by round."""
    for one in turns:
        say(f"n = {one.n}, warm-up: {one.contender.name}")
        one.begin(allowed)
    for turn in range(samples):
        for one in turns:
            say(f"n = {one.n}, round {turn + 1} of {samples}: {one.contender.name}")
            one.sample(allowed)
