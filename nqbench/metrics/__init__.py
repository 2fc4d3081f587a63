"""What a record can measure: a file in this folder is one metric.

To add one, write NAME.py with a `METRIC` of that name. A counter is then part of each
`nqbench.Tally`, of the records of studies, and of the frames of `nqbench.analysis`; in records that
are older than the counter, it counts as not measured.

An external package adds metrics by entry points of the group `nqbench.metrics`: the name of an
entry point is the name of the metric, and its value refers to the metric, as in `branching =
"mylab.queens:METRIC"`.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from nqbench._discovery import OpenFolder


class Kind(StrEnum):
    """What the samples in a record of a metric are; `nqbench/records/record.json` checks them."""

    TIME = "time"  # seconds of one search, in each round
    COUNTER = "counter"  # of one search: a number, or a list with a number for each level
    GAUGE = "gauge"  # of one search, measured in searches after the timed ones
    OTHER = "other"  # described in `record.json`


@dataclass(frozen=True)
class Metric:
    """What a record measures.

    Attributes
    ----------
    name, unit
        in records and on the page.
    meaning
        what it measures, for people.
    by_level
        whether it is a list with a number for each level, 0 .. n; other metrics are totals.
    less_is_better
        whether less is better; None if neither less nor more is.
    kind
        the kind of its samples.
    whole
        whether the value of a counter is a whole number. Numbers by level always are.
    order
        its place among the metrics of its kind.
    measure
        a function that returns the value for a solver (`nqbench.solver.Solver`) and n; the metric
        is then a gauge. A study calls it once in each round, in a process that does not take the
        times.

    Examples
    --------
    >>> METRICS["seconds"].unit, METRICS["solutions"].less_is_better
    ('s', None)

    The whole of a file answer_bytes.py, a metric that a function measures:

    >>> import sys
    >>> from nqbench.metrics import Metric
    >>> def measure(solver, n):
    ...     return sys.getsizeof(solver.count(n))
    >>> METRIC = Metric("answer_bytes", "bytes", "size of the number of solutions",
    ...                 measure=measure)
    >>> METRIC.kind
    <Kind.GAUGE: 'gauge'>
    """

    name: str
    unit: str
    meaning: str
    by_level: bool = False
    less_is_better: bool | None = True
    _: KW_ONLY
    kind: Kind = Kind.OTHER
    whole: bool = True
    order: int = 1000
    measure: Callable[[Any, int], float] | None = None

    def __post_init__(self) -> None:
        if self.measure is not None:
            object.__setattr__(self, "kind", Kind.GAUGE)

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields of a record that name the metric."""
        return {"metric": self.name, "unit": self.unit}


@dataclass(frozen=True, kw_only=True)
class Counter(Metric):
    """A metric that is read from the finished tally of a search.

    Attributes
    ----------
    compute
        a function that returns the value from a tally, or None if this tally does not count it. By
        default it returns the attribute with the name of the counter, which a subclass of `Tally`
        may add.

    Examples
    --------
    The whole of a file branching.py, a counter that is made of others:

    >>> from nqbench.metrics import Counter
    >>> def branching(tally):
    ...     inner = tally.nodes - tally.dead_ends - tally.levels[-1]
    ...     return (tally.nodes - 1) / max(1, inner)
    >>> METRIC = Counter("branching", "children", "children of a node that has any, on average",
    ...                  less_is_better=None, whole=False, compute=branching)

    Its value for a tree of four nodes, one of which is a dead end:

    >>> from nqbench import tally
    >>> walk = tally.Tally(2)
    >>> for level in (0, 1, 1, 2):
    ...     walk.node(level)
    >>> walk.dead_end(1)
    >>> METRIC.value(walk)
    1.5
    """

    kind: Kind = Kind.COUNTER
    compute: Callable[[Any], Any] | None = None

    def value(self, tally: Any) -> Any:
        """Return the value of this counter in a finished tally; None if the tally does not count
        it.
        """
        return self.compute(tally) if self.compute else getattr(tally, self.name, None)


def _explain_fault(metric: Metric) -> str:
    """Return why an external metric cannot be measured; empty if it can."""
    return "" if metric.kind in (Kind.COUNTER, Kind.GAUGE) else (
        "it is neither a Counter nor has it a function `measure`")


METRICS: OpenFolder[Metric] = OpenFolder(
    __name__, "METRIC", "metric", group="nqbench.metrics", kind=Metric,
    explain_fault=_explain_fault)


def installed() -> dict[str, Metric]:
    """Return the metrics that entry points name; a warning names each one that is broken."""
    return METRICS.installed()


def counters() -> tuple[Counter, ...]:
    """Return all counters, in their order.

    >>> [counter.name for counter in counters()][:3]
    ['nodes', 'levels', 'tests']
    """
    return _counters(folders())


def gauges() -> tuple[Metric, ...]:
    """Return all metrics that are measured beside the time, in their order.

    >>> [gauge.name for gauge in gauges()][:2]
    ['instructions', 'cycles']
    """
    found = [metric for metric in METRICS.values() if metric.kind == Kind.GAUGE]
    return tuple(sorted(found, key=_place))


def folders() -> tuple[str, ...]:
    """Return the folders that hold metrics, and the names of external metrics, as the key of a
    cache.
    """
    return (*__path__, *installed())


@cache
def _counters(key: tuple[str, ...]) -> tuple[Counter, ...]:
    found = [metric for metric in METRICS.values() if isinstance(metric, Counter)]
    return tuple(sorted(found, key=_place))


def _place(metric: Metric) -> tuple[int, str]:
    return metric.order, metric.name
