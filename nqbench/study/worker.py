"""Measure in a separate process, where searches take turns, round by round.

Times differ from process to process by several per cent, however many samples each takes: the
memory layout differs, and so does the load of the machine. So a study uses several processes.

The process reads requests from standard input and answers on standard output, with one JSON object
per line: first its progress, then the result. It does not receive Ctrl-C; the process that started
it kills it.
"""

import json
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from nqbench._interrupts import delay_interrupts
from nqbench._text import describe_error
from nqbench.errors import InvalidValueError, LostError, PluginError
from nqbench.metrics import METRICS, counters
from nqbench.plugins import blame, unpack
from nqbench.problems import PROBLEMS
from nqbench.solver import SolverKey
from nqbench.study.deciding import Decided, decide
from nqbench.study.gauges import UnavailableError, find_source, reader
from nqbench.study.measure import Reference, calibrate, quiet

WARM_N = 5  # queens of the search that warms up; of another problem, one instance


@dataclass(frozen=True)
class Search:
    """A search to be timed.

    Attributes
    ----------
    name
        its name in the progress.
    solver
        which solver of n queens or of Sudoku.
    n
        queens; None for instances of another problem.
    problem, instances
        its name, and the texts of the instances.
    limit
        solutions of an instance after which its search stops.
    rounds
        how many samples are taken.
    loops
        searches in a sample; calibrated first if None.
    """

    name: str
    solver: SolverKey
    rounds: int
    n: int | None = None
    problem: str = "queens"
    instances: tuple[str, ...] = ()
    limit: int = 0
    loops: int | None = None

    def function(self) -> Callable[[], Any]:
        """Return the search as a function."""
        if self.n is not None:
            return partial(self.solver.find().count, self.n)
        problem = PROBLEMS[self.problem]
        implementation: Any = problem.find(self.solver.algorithm).find_implementation(
            self.solver.implementation)
        counter: Callable[[], Any] = implementation.counter(
            list(map(problem.parse, self.instances)), self.limit)
        return counter

    def warm_up(self) -> None:
        """Run a smaller search, which builds and loads what is needed."""
        smaller = (replace(self, instances=self.instances[:1]) if self.n is None else
                   replace(self, n=min(self.n, WARM_N)))
        smaller.function()()


@dataclass(frozen=True)
class Timed:
    """The result of timing a search.

    Attributes
    ----------
    loops
        searches in a sample.
    samples
        the seconds of one search, in each round.
    found
        what the search found; None where the loops were known.
    """

    loops: int
    samples: list[float]
    found: Any = None


def in_turns(searches: Sequence[Search], shortest: float, say: Callable[[str], None],
             reference: Reference | None = None) -> list[Timed]:
    """Time searches in rounds, in which they take turns. A sample lasts at least `shortest`
    seconds. The `reference` shows when the machine is disturbed.

    >>> search = Search("", SolverKey("somers", "cython"), rounds=3, n=6)
    >>> (timed,) = in_turns([search], 0.001, lambda text: None)
    >>> timed.found * 2, len(timed.samples)
    (4, 3)
    """
    reference = reference or Reference()
    functions = [search.function() for search in searches]
    found = []
    with quiet():
        for search, function in zip(searches, functions, strict=True):
            say(f"warm-up: {search.name}")
            search.warm_up()
            if search.loops is None:
                _, loops, answer = calibrate(function, shortest)
                found.append(Timed(loops, [], answer))
            else:
                found.append(Timed(search.loops, []))
        rounds = max((search.rounds for search in searches), default=0)
        for turn in range(rounds):
            for search, function, timed in zip(searches, functions, found, strict=True):
                if turn < search.rounds:
                    say(f"round {turn + 1} of {rounds}: {search.name}")
                    timed.samples.append(reference.sample(function, timed.loops))
    return found


@dataclass
class Gauged:
    """The result of measuring a metric of a search beside its time.

    Attributes
    ----------
    samples
        the value for one search, in each round.
    seconds
        how long that took.
    fault
        why it could not be measured; then there are no samples.
    """

    metric: str
    samples: list[float] = field(default_factory=list)
    seconds: float = 0.0
    fault: str = ""

    def add(self, read: Callable[[], float]) -> None:
        """Take a sample, if none has failed."""
        if self.fault:
            return
        start = perf_counter()
        try:
            self.samples.append(read())
        except UnavailableError as error:
            self.fault = str(error)
        except Exception as error:  # whatever an external function raises
            self.fault = describe_error(error)
        self.seconds += perf_counter() - start
        if self.fault:
            self.samples = []


def gauge(searches: Sequence[Search], metrics: Sequence[Sequence[str]],
          say: Callable[[str], None]) -> list[list[Gauged]]:
    """Measure these metrics of each search in rounds, in which they take turns.

    >>> search = Search("", SolverKey("bitmask", "python"), rounds=2, n=4)
    >>> ((found,),) = gauge([search], [["peak_memory"]], lambda text: None)
    >>> found.fault, len(found.samples), found.samples[0] > 100
    ('', 1, True)
    """
    found = [[Gauged(name) for name in names] for names in metrics]
    readers = []
    for search, names in zip(searches, metrics, strict=True):
        if names:
            search.warm_up()
        with warnings.catch_warnings(action="ignore"):  # the study has warned of broken metrics
            readers.append([reader(name, search) for name in names])
    for turn in range(max((search.rounds for search in searches), default=0)):
        for search, read, gauged in zip(searches, readers, found, strict=True):
            for function, one in zip(read, gauged, strict=True):
                if turn < _rounds(search, one.metric):
                    say(f"round {turn + 1} of {search.rounds}, {one.metric}: {search.name}")
                    one.add(function)
    return found


def _rounds(search: Search, metric: str) -> int:
    return 1 if find_source(METRICS[metric]).once else search.rounds


class Worker:
    """A process that measures; it starts when it is first needed.

    Attributes
    ----------
    starting
        seconds of the last start.
    fastest
        the shortest time of the reference in any of its processes, in seconds.
    patience
        seconds that may still be spent on repeating samples.
    outside
        external algorithms that the process must know, see `nqbench.plugins.pack`.
    """

    def __init__(self, patience: float = 0.0,
                 outside: Sequence[Mapping[str, Any]] = ()) -> None:
        self.patience = patience
        self.outside = outside
        self.process: subprocess.Popen[str] | None = None
        self.starting = 0.0
        self.fastest: float | None = None

    def measure(self, searches: Sequence[Search], shortest: float,
                say: Callable[[str], None]) -> list[Timed]:
        """Return what `in_turns` does, measured in the process.

        Raises
        ------
        LostError
            if the process ended.
        PluginError
            if an external algorithm fails, or has changed since the study began.
        """
        if not searches:
            return []
        answer = self._ask({"searches": list(map(asdict, searches)), "shortest": shortest,
                            "fastest": self.fastest, "patience": self.patience}, say)
        self.fastest, self.patience = answer["fastest"], answer["patience"]
        return [Timed(**timed) for timed in answer["timed"]]

    def gauge(self, searches: Sequence[Search], metrics: Sequence[Sequence[str]],
              say: Callable[[str], None]) -> list[list[Gauged]]:
        """Return what `gauge` does, measured in the process.

        Raises
        ------
        LostError
            if the process ended.
        """
        if not any(metrics):
            return [[] for _ in searches]
        answer = self._ask({"searches": list(map(asdict, searches)),
                            "metrics": list(map(list, metrics))}, say)
        return [[Gauged(**gauged) for gauged in each] for each in answer["gauged"]]

    def count(self, solver: SolverKey, n: int, names: Sequence[str]) -> dict[str, Any]:
        """Return the solutions and these counters of a search, as far as it counts them, by name.

        Raises
        ------
        LostError
            if the process ended.
        PluginError
            if the algorithm fails.
        """
        answer = self._ask({"count": asdict(solver), "n": n, "counters": list(names)},
                           lambda text: None)
        found: dict[str, Any] = answer["counted"]
        return found

    def decide(self, algorithms: Sequence[str], instances: Sequence[str],
               nodes: int) -> Decided:
        """Return what `decide` does, in the process; raise what `count` raises."""
        answer = self._ask({"decide": list(algorithms), "instances": list(instances),
                            "nodes": nodes}, lambda text: None)
        return Decided(**answer["decided"])

    def _ask(self, request: dict[str, Any], say: Callable[[str], None]) -> dict[str, Any]:
        """Return the answer of the process to a request."""
        if self.process is None:
            self.process = self._start()
            if self.outside:
                self._ask({"outside": self.outside}, say)
        process = self.process
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # the process ended; below it sends no answer
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        for answer in self._answers(process):
            if answer.keys() & {"timed", "gauged", "known", "counted", "decided"}:
                return answer
            if "refused" in answer:
                raise PluginError(answer["refused"])
            if "bug" in answer:
                raise RuntimeError(f"in the process that measures:\n{answer['bug']}")
            say(answer["say"])
        raise LostError(f"the process that measures ended with status {process.wait()}")

    def _answers(self, process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
        assert process.stdout is not None
        for line in process.stdout:
            if line.endswith("\n"):
                yield json.loads(line)

    def _start(self) -> subprocess.Popen[str]:
        path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
        begin = perf_counter()
        with delay_interrupts():
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", "from nqbench.study.worker import serve; serve()"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                env={**os.environ, "PYTHONPATH": path})
        assert process.stdout is not None
        process.stdout.readline()  # it is ready
        self.starting = perf_counter() - begin
        return process

    def stop(self) -> None:
        """Kill the process; the next measurement starts another one."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def serve() -> None:
    """Answer requests until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a search may print
    _answer(answers, {"say": "ready"})
    for line in sys.stdin:
        try:
            _answer(answers, _carry_out(json.loads(line),
                                        lambda text: _answer(answers, {"say": text})))
        except (Exception, SystemExit) as error:
            fault = blame(error)
            _answer(answers, {"refused": fault} if fault else {"bug": traceback.format_exc()})


def _carry_out(request: dict[str, Any], say: Callable[[str], None]) -> dict[str, Any]:
    """Return the answer to a request: times, other metrics, or that external algorithms are known.
    """
    if "outside" in request:
        try:
            unpack(request["outside"])
        except InvalidValueError as error:
            return {"refused": str(error)}
        return {"known": True}
    if "count" in request:
        solver = SolverKey(**request["count"]).find()
        tally: Any = solver.algorithm.profile(request["n"], solver.implementation)
        values = {counter.name: counter.value(tally) for counter in counters()}
        return {"counted": {"solutions": tally.solutions, **{
            name: values[name] for name in request["counters"] if values[name] is not None}}}
    if "decide" in request:
        return {"decided": asdict(decide(request["decide"], request["instances"],
                                         request["nodes"]))}
    searches = [Search(**{**search, "solver": SolverKey(**search["solver"])})
                for search in request["searches"]]
    if "metrics" in request:
        gauged = gauge(searches, request["metrics"], say)
        return {"gauged": [list(map(asdict, each)) for each in gauged]}
    reference = Reference(request["fastest"] or inf, request["patience"])
    timed = in_turns(searches, request["shortest"], say, reference)
    return {"timed": list(map(asdict, timed)), "fastest": reference.fastest,
            "patience": max(0.0, reference.patience)}


def _answer(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
