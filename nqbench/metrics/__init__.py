"""What a record can measure: a file in this folder is one metric.

To add one, write NAME.py with a `METRIC` of that name. A counter is then part of each
`nqbench.Tally`, of the records of studies and of the frames of `nqbench.analysis`; in records
that are older than the counter it is not measured.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from nqbench._discovery import Folder


class Kind(StrEnum):
    """What the samples in a record of a metric are; `nqbench/records/record.json` checks them."""

    TIME = "time"  # seconds of one search, in each round
    COUNTER = "counter"  # of one search: a number, or a list with a number for each level
    OTHER = "other"  # what `record.json` says of this metric


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
        whether it is a list with a number for each level, 0 .. n; the others are totals.
    less_is_better
        whether less of it is better; None if neither is.
    kind
        what its samples are.
    whole
        whether its value is a whole number; for counters. Numbers by level always are.
    order
        its place among the counters.

    >>> METRICS["seconds"].unit, METRICS["solutions"].less_is_better
    ('s', None)
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
        returns the value from a tally; by default its attribute of the counter's name.

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
        """Return the value of this counter in a finished tally."""
        return self.compute(tally) if self.compute else getattr(tally, self.name)


METRICS: Folder[Metric] = Folder(__name__, "METRIC", "metric")


def counters() -> tuple[Counter, ...]:
    """Return all counters, in their order.

    >>> [counter.name for counter in counters()][:3]
    ['nodes', 'levels', 'tests']
    """
    return _counters(folders())


def folders() -> tuple[str, ...]:
    """Return the folders that hold metrics: a key of what is cached about them."""
    return tuple(__path__)


@cache
def _counters(paths: tuple[str, ...]) -> tuple[Counter, ...]:
    found = [metric for metric in METRICS.values() if isinstance(metric, Counter)]
    return tuple(sorted(found, key=lambda counter: (counter.order, counter.name)))
