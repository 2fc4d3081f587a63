"""The experiments of a study: topics have them, in the tuple EXPERIMENTS of their measurement.py.

A preset names its experiments.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from nqbench.records.record import Record
from nqbench.study.presets import Preset
from nqbench.study.session import Session
from nqbench.util.discovery import Gathered, Members


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
    """Steps: which there are, which are complete, and what running one records.

    A study makes one object of each experiment in its preset. To add an experiment, write a class
    like this one in the file measurement.py of a topic, end it with `EXPERIMENTS = (CLASS,)`, and
    put its name into the `experiments` of a preset, a file PRESET.toml beside it.

    Attributes
    ----------
    name
        its name in presets.
    session
        preset, clock, worker, forecast and records, shared by all experiments of the study.
    least
        seconds that the budget must have, for an experiment that is not made smaller to fit.

    Examples
    --------
    The whole of a file measurement.py, which counts the solutions of each n:

    >>> from nqbench.algorithms import find
    >>> from nqbench.metrics import METRICS
    >>> from nqbench.study.experiments import Experiment, Step
    >>> class Totals(Experiment):
    ...     name = "totals"
    ...
    ...     def steps(self):
    ...         return [Step(n) for n in self.session.preset.sizes]
    ...
    ...     def is_complete(self, step):
    ...         return any(record["metric"] == "solutions" and record["n"] == step.number
    ...                    for record in self.session.records)
    ...
    ...     def measure(self, step):
    ...         self.session.say(f"n = {step.number}")
    ...         found = find("bitmask").count(step.number, "python")
    ...         return [{**self.session.head(), **METRICS["solutions"].fields,
    ...                  "algorithm": "bitmask", "implementation": "python", "kernel": None,
    ...                  "jobs": 1, "n": step.number, "loops": None, "predicted": None,
    ...                  "status": "measured", "samples": [found]}]
    >>> EXPERIMENTS = (Totals,)

    The whole of a file totals.toml, its preset:

    >>> preset = '''
    ... # Totals for n = 6 to 8.
    ...
    ... [study]
    ... experiments = ["totals"]
    ... budget = 10
    ... first_n = 6
    ... max_n = 8
    ... processes = 1
    ... '''

    What a study does with it:

    >>> totals = Totals(Session("totals", Preset(budget=10, first_n=6, max_n=8)))
    >>> [record["samples"] for step in totals.steps() for record in totals.run(step)]
    [[4], [40], [92]]
    """

    name = ""
    least = 0.0

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def missing(cls, preset: Preset) -> str:
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
        """Return how many seconds of the budget the other experiments must leave; 0 by default."""
        return 0.0

    def stop(self) -> None:  # noqa: B027
        """Stop the processes that the experiment started itself; none by default."""


EXPERIMENTS = Members[type[Experiment]](
    "experiment", Gathered("measurement*.py", "EXPERIMENTS"))


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
    >>> find("pointz")
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: there is no experiment 'pointz'; did you mean points?
    """
    return EXPERIMENTS.find(name)
