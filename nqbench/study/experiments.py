"""The experiments of a study, and the session: what they share while it runs.

Topics have experiments, in their measurement.py; their topic.json names them. A plan names its
experiments.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from time import perf_counter
from typing import Any

from nqbench import engine
from nqbench.errors import NOT_COMPILED, InvalidValueError
from nqbench.problems.forecast import Forecast
from nqbench.problems.queens import catalogue
from nqbench.records.context import context
from nqbench.records.record import ABOUT, FEWEST, SCHEMA, SMALL, Record, wall_of
from nqbench.search.metrics import METRICS, Kind, Metric
from nqbench.study.fields import BUDGET, CHOSEN, PATIENCE, PROCESSES, SHARE, TIME_LIMIT, Field, N
from nqbench.study.outside import Outside
from nqbench.study.plan import Plan, find_experiment
from nqbench.study.samples import is_first
from nqbench.study.worker import Worker, leave_out

Progress = Callable[[str, float, float], None]  # what is done, seconds since the start, budget
LEAST = 5.0  # seconds that a search may take, if they are left
SURE = 5  # processes that all points have time for; others are made if there is more
COMMON = 8  # up to this n, an experiment may take time that is reserved for those after it
SLACK = 1.2  # times as long as measured, if the machine becomes slower
CLOSING = 0.04  # of the budget, at least: for what follows the last step
TOLERANCE = 3  # times the seconds that it should take at most


class Session:
    """The plan of a study, its clock, and what it has measured, `before` interruptions too.

    Attributes
    ----------
    plan
        what the study measures.
    started
        when the study began (UTC).
    records
        those of all complete steps; see `add`.
    forecast
        what searches will cost, judging by those measured.
    outside
        the external algorithms that it measures.
    waiting
        seconds in each process for repeating samples.
    reserve
        seconds of the budget for the experiments after this one.
    closing
        those for what follows the last step.
    """

    def __init__(self, plan: Plan, progress: Progress | None = None,
                 before: Sequence[Record] = (), outside: Outside | None = None,
                 start: float | None = None) -> None:
        self.plan = plan
        self.chosen = {"metrics": list(plan[CHOSEN])} if plan[CHOSEN] else {}
        self.progress = progress or (lambda what, seconds, budget: None)
        self.records: list[Record] = []
        self.repeats = 0.0  # seconds of later processes, for their samples of these records
        self.add([record for record in before if record["metric"] not in ABOUT])
        self.started = now()
        self.start = perf_counter() if start is None else start
        self.forecast = Forecast()
        self.outside = outside or Outside(plan.algorithms)
        self.waiting = self.reserve = 0.0
        self.closing = CLOSING * plan[BUDGET]
        self.begun: tuple[float, float] | None = None  # the last later process: when, its patience
        if before:
            self.started = before[0]["run"]
            times = [*map(datetime.fromisoformat, [self.started, *(x["time"] for x in before)])]
            if not times[0] <= times[-1] <= datetime.now(UTC):
                raise InvalidValueError(
                    f"the run of {self.started} cannot be resumed: its last record is of "
                    f"{before[-1]['time']}, before it began or in the future; begin a new one, "
                    "without --resume")
            self.start -= sum((end - start).total_seconds() for (start, end), record in zip(
                pairwise(times), before, strict=True) if record["status"] != "begun")

    def add(self, records: Sequence[Record]) -> None:
        """Add the records of a step."""
        self.records += records
        self.repeats += sum(map(repeats_of, records))

    @property
    def sure(self) -> int:
        """The processes that all points have time for."""
        return min(self.plan[PROCESSES], SURE)

    @cached_property
    def worker(self) -> Worker:
        """The process that measures; the budget ends what it does."""
        return Worker(0.0, self.outside.packed, self.plan.limits, lambda: self.left)

    def begin(self, experiment: "Experiment", reserve: float) -> None:
        """Begin an experiment, which leaves `reserve` seconds to those after it, or their part of
        what is left. What an experiment before it needed counts no more; what it has measured
        itself does, before an interruption.
        """
        own, share, self.begun = experiment.to_reserve(), self.plan[BUDGET], None
        if type(experiment) is not find_experiment(self.plan.experiments[0]):
            share, self.worker.overhead = own or share, 0.0
        self.repeats = sum(repeats_of(record) for record in self.records
                           if record["metric"] == experiment.metric_name)
        self.reserve = min(reserve, max(0.0, self.left) * reserve / (own + reserve)
                           ) if own else reserve
        if PATIENCE in experiment.reads:
            many = self.plan[PROCESSES] if PROCESSES in experiment.reads else 1
            self.waiting = self.plan[PATIENCE] * share / many
            self.worker.patience = self.waiting

    def stop(self) -> None:
        """Stop the process that measures; the next measurement starts another one."""
        if "worker" in vars(self):
            self.worker.stop()

    @property
    def elapsed(self) -> float:
        """Return the seconds since the study began, without those of an interruption."""
        return perf_counter() - self.start

    @property
    def left(self) -> float:
        """Return the seconds that are left for measuring."""
        return self.plan[BUDGET] - self.closing - self.elapsed

    def say(self, what: str) -> None:
        """Report progress."""
        self.progress(what, self.elapsed, self.plan[BUDGET])

    def seed(self, process: int, what: object) -> str:
        """Return what shuffles the order of the samples of a process at n, or of a data set."""
        return f"{self.started} {process} {what}"

    def head(self, metric: Metric | None = None, algorithm: str = "") -> Record:
        """Return the fields that every record of the study has, those of its metric, and its
        algorithm, with the source of an external one.
        """
        source = self.outside.sources.get(algorithm)
        return {"schema": SCHEMA, "run": self.started, "preset": self.plan.name,
                "budget": self.plan[BUDGET], **self.chosen, "time": now(), "context": context(),
                **(metric.fields if metric else {}),
                **({"algorithm": algorithm} if algorithm else {}),
                **({"source": source} if source else {})}

    def rounds_cost(self, n: int, predicted: float) -> float:
        """Return the seconds of a first search and of all rounds, for a search of `predicted`
        seconds.
        """
        sample = max(predicted, self.plan.sample_seconds(n))
        return sample * (1 + self.sure * self.plan.rounds(n))

    def explain_skip(self, n: int, cost: float, planned: float) -> Record:
        """Return that a point of n is left out, as fields of its record; none if there is time.

        Parameters
        ----------
        cost
            seconds of all its rounds.
        planned
            seconds of the other points of this n.
        """
        one, left = self.plan[BUDGET] * self.plan[SHARE], self.left
        long = cost > one and left > 0
        if n > SMALL:
            left -= planned + self.needed_later + self.reserve * (n > COMMON)
        if cost <= min(one, left) or (n <= SMALL and left > 0):
            return {}
        return leave_out(cost, one, "too long") if long else leave_out(cost, left)

    def allow(self, n: int, predicted: float) -> float:
        """Return the seconds that a search of n may take before it is stopped, and recorded as
        such: several times what was predicted, or what one has if all rounds fit into the budget.
        """
        plan = self.plan
        left = min(plan[BUDGET] * plan[SHARE], self.left - self.needed_later)
        fitting = left * min(1.0, TOLERANCE / (1 + self.sure * plan.rounds(n)))
        return min(filter(None, (plan[TIME_LIMIT], max(LEAST, TOLERANCE * predicted, fitting))))

    @property
    def needed_later(self) -> float:
        """Return the seconds that this experiment needs later: for the starts and warm-ups of later
        processes, for their samples of what the first one has measured, and for samples that are
        taken again.
        """
        return SLACK * self.repeats + self.worker.patience + (self.sure - 1) * (
            SLACK * self.worker.overhead + self.waiting)

    def begin_process(self, process: int) -> bool:
        """Begin a later process, which takes as long as the one before; return False if that would
        exceed the budget, or what other experiments need if there are `FEWEST` already. It repeats
        samples as far as there is time for it.
        """
        elapsed, later = self.elapsed, self.sure - 1
        each = self.repeats / later + self.worker.overhead if self.begun is None else (
            elapsed - self.begun[0] - (self.begun[1] - self.worker.patience))
        left = self.left - self.reserve * (process >= FEWEST)
        if each > left:
            return False
        self.worker.patience = max(0.0, min(self.worker.patience + self.waiting,
                                            left - each * max(1, later - process + 1)))
        self.begun = elapsed, self.worker.patience
        return True


def repeats_of(record: Record) -> float:
    """Return the seconds that later processes need for their samples of a record."""
    again = is_first(record, 1) and METRICS[record["metric"]].kind != Kind.PROCESSOR
    return (min(record["processes"], SURE) - 1) * record["loops"] * sum(
        wall_of(record)) if again else 0.0


def find_cores() -> str:
    """Return what a study of compiled cores needs, if they are not here; else nothing."""
    return "" if engine.available() and "cython" in catalogue()["somers"].implementations else (
        f"the compiled cores, but {NOT_COMPILED}")


def now() -> str:
    """Return the time (UTC) as it is written to records."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Step:
    """A part of an experiment; its records are written together.

    Attributes
    ----------
    number
        n, or what the experiment counts instead: the number of a data set, for example.
    process
        which process takes the samples; the first is 0.
    what
        the kind of the step, in an experiment that has several.
    """

    number: int
    process: int = 0
    what: str = ""


class Experiment:
    """Steps: which there are, which are complete, and what running one records.

    A study makes one object of each experiment in its plan. To add an experiment, write a class
    like this one in the file measurement.py of a topic, and name it in the `experiments` of the
    topic.json beside it, and in those of a preset, a file PRESET.toml.

    Attributes
    ----------
    session
        plan, clock, worker, forecast and records, shared by all experiments of the study.
    metric_name
        the metric of its records, or of those that later processes repeat.
    problems
        the names of the problems whose algorithms it measures; those of a plan are of one.
    reads
        the fields of a plan that it reads, beside the budget: those of `nqbench.study.fields`, and
        its own. By default `steps` reads n.
    least
        seconds that the budget must have, for an experiment that is not made smaller to fit.

    Examples
    --------
    The whole of a file measurement.py, which counts the solutions of each n:

    >>> from nqbench.problems.queens import find
    >>> from nqbench.search.metrics import METRICS
    >>> from nqbench.study.experiments import Experiment
    >>> class Totals(Experiment):
    ...     metric_name = "solutions"
    ...
    ...     def measure(self, step):
    ...         self.session.say(f"n = {step.number}")
    ...         found = find("bitmask").count(step.number, "python")
    ...         return [{**self.session.head(METRICS["solutions"], "bitmask"),
    ...                  "implementation": "python", "kernel": None, "jobs": 1,
    ...                  "n": step.number, "loops": None, "predicted": None,
    ...                  "status": "measured", "samples": [found]}]

    The whole of a file topic.json:

    >>> topic = '''
    ... {"experiments": {"totals": "measurement:Totals"}}
    ... '''

    The whole of a file totals.toml, its preset:

    >>> plan = '''
    ... # Totals for n = 6 to 8.
    ...
    ... [study]
    ... experiments = ["totals"]
    ... budget = 10
    ... n = "6-8"
    ... '''

    What a study does with it:

    >>> totals = Totals(Session(Plan("totals", ("totals",), {"budget": 10, "n": (6, 7, 8)})))
    >>> [record["samples"] for step in totals.steps() for record in totals.run(step)]
    [[4], [40], [92]]
    """

    metric_name = ""
    problems: tuple[str, ...] = ("queens",)
    reads: tuple[Field[Any], ...] = (N,)
    least = 0.0

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def missing(cls, plan: Plan) -> str:
        """Return what the experiment needs and does not find here; by default, nothing."""
        return ""

    def steps(self) -> Sequence[Step]:
        """Return the steps in their order, by default one for each n, in each process if it reads
        how many there are.

        A study runs those of its first experiment, then those of the next. Those of a process
        follow each other.
        """
        many = self.session.plan[PROCESSES] if PROCESSES in self.reads else 1
        return [Step(n, process) for process in range(many) for n in self.session.plan[N]]

    def is_complete(self, step: Step) -> bool:
        """Return whether all records of a step are in the session, measured or left out; by default
        one of its `metric_name`.

        A power cut can leave a part of them.
        """
        return any(record["metric"] == self.metric_name and record["n"] == step.number
                   for record in self.session.records)

    def run(self, step: Step) -> list[Record]:
        """Run a step and return its records: `measure` in the first process, then `repeat`."""
        return self.repeat(step) if step.process else self.measure(step)

    def measure(self, step: Step) -> list[Record]:
        """Run a step in the first process and return its records."""
        raise NotImplementedError(f"{type(self).__name__} measures nothing")

    def repeat(self, step: Step) -> list[Record]:
        """Run a step in a later process and return its records; by default like the first."""
        return [{**record, "process": step.process} for record in self.measure(step)]

    def to_reserve(self) -> float:
        """Return how many seconds of the budget the experiments before must leave; 0 by default."""
        return 0.0

    def stop(self) -> None:
        """Stop the processes that the experiment started itself; none by default."""
