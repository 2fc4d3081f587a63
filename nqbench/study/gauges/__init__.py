"""Sources of what is measured beside the time of a search: one file, one source.

A source names its metrics, says whether they can be measured here, and measures one of them in
searches that are not timed. A metric with a function `measure` needs none.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from nqbench._discovery import Folder
from nqbench.metrics import METRICS, Kind, Metric
from nqbench.solver import SolverKey

if TYPE_CHECKING:
    from nqbench.study.worker import Search


class UnavailableError(Exception):
    """A metric cannot be measured; the message says why."""


class Source(ABC):
    """A way to measure some metrics of a search.

    Attributes
    ----------
    metrics
        their names.
    once
        whether one sample in each process is enough, as all are alike.
    """

    metrics: ClassVar[tuple[str, ...]]
    once: ClassVar[bool] = False

    @abstractmethod
    def explain_absence(self, metric: str) -> str:
        """Return why the metric cannot be measured on this machine; empty if it can."""

    def explain_refusal(self, solver: SolverKey) -> str:
        """Return why it cannot be measured of this solver; by default, it can of every one."""
        return ""

    @abstractmethod
    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        """Return the value for one search, from `loops` of them where one is too short.

        Raises
        ------
        UnavailableError
            if it cannot be measured after all.
        """

    def cost(self, seconds: float, shortest: float) -> float:
        """Return the seconds that measuring takes, for a search of `seconds` whose samples last
        `shortest` seconds at least.
        """
        return max(seconds, shortest)


class Function(Source):
    """The source of a metric with a function of its own; see `Metric.measure`."""

    metrics = ()

    def explain_absence(self, metric: str) -> str:
        return ""

    def measure(self, metric: str, search: Callable[[], object], loops: int) -> float:
        value: Any = search()
        return float(value)


SOURCES: Folder[Source] = Folder(__name__, "SOURCE", "source")
FUNCTION = Function()


def find_source(metric: Metric) -> Source:
    """Return what measures a gauge.

    >>> find_source(METRICS["energy"]) is SOURCES["energy"]
    True
    """
    if metric.measure is not None:
        return FUNCTION
    return next(source for source in SOURCES.values() if metric.name in source.metrics)


def explain_absence(metric: Metric, solver: SolverKey | None = None) -> str:
    """Return why a metric cannot be measured here, or not of this solver; empty if it can.

    >>> explain_absence(METRICS["seconds"])
    ''
    """
    if metric.kind != Kind.GAUGE:
        return ""
    source = find_source(metric)
    return source.explain_absence(metric.name) or (
        source.explain_refusal(solver) if solver else "")


def reader(metric: str, search: "Search") -> Callable[[], float]:
    """Return a function that measures a search once, and raises UnavailableError if the value is
    no number.
    """
    found = METRICS[metric]
    function = (search.function() if found.measure is None else
                partial(found.measure, search.solver.find(), search.n or 0))
    source = find_source(found)

    def read() -> float:
        value = source.measure(metric, function, search.loops or 1)
        if not isfinite(value):
            raise UnavailableError(f"it measured {value}")
        return value

    return read
