"""What the experiments of a study share."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from time import perf_counter

from nqbench.forecast import Forecast
from nqbench.records.context import context
from nqbench.records.names import SMALL
from nqbench.records.record import SCHEMA, Record
from nqbench.study.plans import Preset
from nqbench.study.repeating import is_first
from nqbench.study.worker import Worker

Progress = Callable[[str, float, float], None]  # what is done, seconds gone, budget


class Session:
    """The plan of a study, its clock, and what it has measured, `before` an interruption too.

    Attributes
    ----------
    started
        when the study began (UTC).
    records
        those of all complete steps.
    forecast
        what searches will cost, judging by those measured.
    worker
        the process that measures.
    waiting
        seconds in each process for samples that are taken again.
    kept
        seconds of the budget that `skipped` leaves for other experiments.
    """

    def __init__(self, preset: str, plan: Preset, progress: Progress | None = None,
                 before: Sequence[Record] = ()) -> None:
        self.preset = preset
        self.plan = plan
        self.progress = progress or (lambda done, seconds, budget: None)
        self.records = list(before)
        self.started = now()
        self.start = perf_counter()
        self.forecast = Forecast()
        self.waiting = plan.patience * plan.budget / plan.processes
        self.worker = Worker(self.waiting)
        self.kept = 0.0
        if before:
            self.started = before[0]["run"]
            spent = (datetime.fromisoformat(before[-1]["time"])
                     - datetime.fromisoformat(self.started))
            self.start -= spent.total_seconds()

    @property
    def gone(self) -> float:
        """Return the seconds since the study began, without those of an interruption."""
        return perf_counter() - self.start

    def say(self, what: str) -> None:
        """Report what is done now."""
        self.progress(what, self.gone, self.plan.budget)

    def head(self) -> Record:
        """Return the fields that every record of the study has."""
        return {"schema": SCHEMA, "run": self.started, "preset": self.preset,
                "budget": self.plan.budget, "time": now(), "context": context()}

    def rounds_cost(self, n: int, predicted: float) -> float:
        """Return the seconds of a first search and of all rounds, for a search of `predicted`
        seconds.
        """
        sample = max(predicted, self.plan.sample_seconds(n))
        return sample * (1 + self.plan.processes * self.plan.rounds(n))

    def skipped(self, n: int, cost: float, planned: float) -> Record:
        """Return why a point of n is skipped, as fields of its record; nothing if there is time.

        Parameters
        ----------
        cost
            seconds of all its rounds.
        planned
            seconds of the other points of this n.
        """
        one, left = self.plan.budget * self.plan.share, (
            self.plan.budget - self.gone - self.reserved - planned)
        if n <= SMALL or cost <= min(one, left):
            return {}
        return ({"reason": "too long", "cost": cost, "allowed": one} if cost > one else
                {"reason": "no time left", "cost": cost, "allowed": max(0.0, left)})

    @property
    def reserved(self) -> float:
        """Return the seconds needed later: for other experiments, for the start of later
        processes and their warm-ups (about as long), for their samples of what the first one has
        measured, and for samples that are taken again.
        """
        again: float = sum(
            (record["processes"] - 1) * sum(record["samples"]) * record["loops"]
            for record in self.records if is_first(record, 1))
        return (again + self.kept
                + (self.plan.processes - 1) * (2 * self.worker.starting + self.waiting)
                + self.worker.patience)


def now() -> str:
    """Return the time (UTC) as it is written to records."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
