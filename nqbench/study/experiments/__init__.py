"""The experiments of a study: one file, one experiment.

A preset names its experiments; each name is that of a module in this folder.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

from nqbench.errors import InvalidValueError
from nqbench.records.record import Record
from nqbench.study.plans import Preset
from nqbench.study.session import Session


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


class Experiment(ABC):
    """Steps, which of them are complete, how to run one, and its records.

    A study makes one object of each experiment in its preset. To add an experiment, write
    `nqbench/study/experiments/NAME.py` with a class like this one, end it with
    `EXPERIMENT = CLASS`, and put NAME into the `experiments` of a preset. A metric that is not
    in `nqbench/metrics/` must be added there.

    Attributes
    ----------
    session
        plan, clock, worker, forecast and records, shared by all experiments of the study.

    Examples
    --------
    >>> from nqbench import count
    >>> class Totals(Experiment):
    ...     '''Count the solutions of each n.'''
    ...
    ...     def steps(self):
    ...         return [Step(n) for n in self.session.plan.sizes]
    ...
    ...     def is_complete(self, step):
    ...         return any(record["metric"] == "solutions" and record["n"] == step.number
    ...                    for record in self.session.records)
    ...
    ...     def run(self, step):
    ...         self.session.say(f"n = {step.number}")
    ...         return [{**self.session.head(), "metric": "solutions", "unit": "solutions",
    ...                  "algorithm": "cross", "implementation": "python", "kernel": None,
    ...                  "jobs": 1, "n": step.number, "loops": None, "predicted": None,
    ...                  "status": "measured", "samples": [count(step.number)]}]

    >>> totals = Totals(Session("mine", Preset(budget=10, first_n=6, max_n=8)))
    >>> [record["samples"] for step in totals.steps() for record in totals.run(step)]
    [[4], [40], [92]]
    """

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def missing(cls, plan: Preset) -> str:
        """Return what the experiment needs and does not find here; by default, nothing."""
        return ""

    @abstractmethod
    def steps(self) -> Sequence[Step]:
        """Return the steps in their order.

        A study runs those of the first process of all its experiments, then those of the next.
        """

    @abstractmethod
    def is_complete(self, step: Step) -> bool:
        """Return whether all records of a step are in the session, measured or left out.

        A power cut can leave a part of them.
        """

    @abstractmethod
    def run(self, step: Step) -> list[Record]:
        """Run a step and return its records."""

    def reserved(self) -> float:
        """Return how many seconds of the budget the other experiments must leave; 0 by default."""
        return 0.0

    def stop(self) -> None:  # noqa: B027
        """Stop the processes that the experiment started itself; none by default."""


def find(name: str) -> type[Experiment]:
    """Return an experiment by its name.

    Raises
    ------
    InvalidValueError
        if there is none.

    Examples
    --------
    >>> find("points").__name__
    'Points'
    >>> find("dots")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no experiment 'dots', only checks, clusters, ...
    """
    known = sorted(module.name for module in iter_modules(__path__))
    if name not in known:
        raise InvalidValueError(f"there is no experiment {name!r}, only {', '.join(known)}")
    experiment: type[Experiment] = import_module(f"{__name__}.{name}").EXPERIMENT
    return experiment
