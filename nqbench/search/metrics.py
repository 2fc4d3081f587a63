"""What a record can measure: each row of metrics.json, of TABLE, and of the `metrics` in the
topic.json of a topic is one metric.

A counter is part of each `nqbench.Tally`, of the records of studies, and of the frames of
`nqbench.analysis`; in records that are older than the counter, it counts as not measured. What each
means is in docs/metrics.md.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.util.discovery import Members, read_topics
from nqbench.util.text import printable

RESERVED_NAMES = ("solver", "implementation", "problem", "level", "children", "median", "low",
                  "high", "samples", "loops", "processes", "warning")  # columns of tables
REFUSED = "refused_"  # begins the name of the counter of a rule
NO_POINTS = {"algorithm", "check", "study"}  # what a run is, or how it went


class Kind(StrEnum):
    """What the samples in a record of a metric are; `nqbench/records/record.json` checks them."""

    TIME = "time"  # seconds of one search, in each round
    COUNTER = "counter"  # of one search: a number, or a list with a number for each level
    PROCESSOR = "processor"  # seconds of the processor of one search, in each round
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
    own
        whether it is of one algorithm alone, so that its records define it.

    Examples
    --------
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
    own: bool = False

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields of a record that name the metric."""
        definition = {"definition": self.meaning} if self.own else {}
        return {"metric": self.name, "unit": self.unit, **definition}


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

    >>> from nqbench.search.metrics import Counter
    >>> def branching(tally):
    ...     inner = tally.nodes - tally.dead_ends - tally.levels[-1]
    ...     return (tally.nodes - 1) / max(1, inner)
    >>> METRIC = Counter("branching", "children", "children of a node that has any, on average",
    ...                  less_is_better=None, whole=False, compute=branching)

    Its value for a tree of four nodes, one of which is a dead end:

    >>> from nqbench.search import tally
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
        it, or what it is computed from.
        """
        if self.compute is None:
            return getattr(tally, self.name, None)
        try:
            return self.compute(_Counted(tally))
        except _UncountedError:
            return None


class _UncountedError(Exception):
    """A counter that the search never reports."""


class _Counted:
    """A tally that tells only what its search counts."""

    def __init__(self, tally: Any) -> None:
        self.tally = tally

    def __getattr__(self, name: str) -> Any:
        if name in self.tally.uncounted:
            raise _UncountedError
        return getattr(self.tally, name)


def declare(given: Mapping[str, Any], taken: Callable[[str], bool]) -> tuple[Counter, ...]:
    """Return the counters that an algorithm declares, from a text for each, which says what it
    counts, or from its unit and such a text.

    Raises
    ------
    InvalidValueError
        if one is not described so, or if its name is not an identifier or is `taken`.

    Examples
    --------
    >>> declare({"looks": ("squares", "squares looked at")}, str.isupper)[0].unit
    'squares'
    >>> declare({"nodes": "squares looked at"}, str.isupper)
    Traceback (most recent call last):
        ...
    nqbench.errors.InvalidValueError: the name of the counter 'nodes' is taken; choose another
    """
    made = []
    for name, told in given.items() if isinstance(given, Mapping) else [("", given)]:
        unit, meaning = told if isinstance(told, tuple) and len(told) == 2 else ("", told)
        if not meaning or not all(isinstance(text, str) and printable(text) == text for text in (
                name, unit, meaning)) or not name.isidentifier() or name.startswith("_"):
            raise InvalidValueError('counters must be names and what each counts, as in {"looks": '
                                    f'"squares looked at"}}, not {given!r:.90}')
        if taken(name) or name in METRICS or name in RESERVED_NAMES or name.startswith(REFUSED):
            raise InvalidValueError(f"the name of the counter {name!r} is taken; choose another")
        made.append(Counter(name, unit, meaning, own=True))
    return tuple(made)


def of_rule(rule: str) -> Counter:
    """Return the counter of the candidates that a rule of a search refuses."""
    return Counter(f"{REFUSED}{rule}", "candidates",
                   f"candidates refused by the rule {rule}, by number of queens placed",
                   by_level=True, less_is_better=None, own=True)


def of_record(record: Mapping[str, Any]) -> Metric:
    """Return the metric of a record, which may define a counter that one algorithm alone has.

    >>> of_record({"metric": "looks", "unit": "squares", "definition": "squares looked at"}).kind
    <Kind.COUNTER: 'counter'>
    """
    if not isinstance(record.get("definition"), str):
        return METRICS[record["metric"]]
    levels = isinstance(record.get("samples"), list) and any(
        isinstance(sample, list) for sample in record["samples"])
    return Counter(record["metric"], record["unit"], record["definition"], levels, own=True)


def counters() -> tuple[Counter, ...]:
    """Return all counters, in the order of the table.

    >>> [counter.name for counter in counters()][:3]
    ['nodes', 'levels', 'tests']
    """
    return tuple(metric for metric in TABLE if isinstance(metric, Counter))


def points(*units: str) -> list[str]:
    """Return the names of the metrics whose records are points of a study; if units are given, only
    those in one of them.

    >>> {"seconds", "rate", "plan"} <= {*points()}, {"nodes", "check"} & {*points()}
    (True, set())
    >>> {"seconds", "rate", "plan"} & {*points("seconds")}
    {'plan'}
    """
    return [metric.name for metric in METRICS.values()
            if metric.kind in (Kind.TIME, Kind.OTHER) and metric.name not in NO_POINTS
            and (not units or metric.unit in units)]


# The counters of events, each with what a search must call of its tally: all of one of these sets.
STATEMENTS: dict[str, tuple[set[str], ...]] = {
    **dict.fromkeys(("nodes", "levels"), ({"node"},)), "tests": ({"test"}, {"tests"}),
    "scans": ({"scans"},), "comparisons": ({"comparisons"},), "exhaustions": ({"exhausted"},),
    **dict.fromkeys(("dead_ends", "dead_levels", "leaves"),
                    ({"node", "exhausted"}, {"dead_end"})),
    "tests_to_first": ({"test", "solution"}, {"tests", "solution"}),
    "nodes_to_first": ({"node", "solution"},)}


def _read(told: Mapping[str, Mapping[str, Any]]) -> Iterator[Metric]:
    """Yield the metrics that a file describes, by name: the attributes of `Metric`."""
    for name, each in told.items():
        given = {key: each[key] for key in ("unit", "meaning", "by_level", "less_is_better")
                 if key in each}
        kind = Kind(each.get("kind", Kind.OTHER))
        yield Counter(name, **given) if kind == Kind.COUNTER else Metric(name, **given, kind=kind)


@cache
def topic_metrics() -> dict[str, dict[str, Any]]:
    """Return what the topics say about their metrics, by name: the attributes of `Metric`; `key`,
    the fields that identify a point beside those that all have; `record`, the JSON Schema of a
    record; `each`, its fields with a value for each sample; `levels`, the field of a sample with a
    value for each level; `compared`, how what its searches found is compared in
    `records.contradictions`, if it is:

    by
        the field that names what searched, in place of an algorithm.
    total
        the field with the number of solutions of n queens.
    timed
        whether a search that failed, failed while it was timed, and so is wrong.
    answers, of, of_n
        the field with an answer for each instance: a number, or whether it has a solution; what
        the instances are, as a text with fields of the record; whether they are boards of n
        queens (by default they are).

    >>> {"unit", "meaning", "record"} <= {*min(topic_metrics().values(), key=len)}
    True
    """
    return {name: metric for told in read_topics().values()
            for name, metric in told.get("metrics", {}).items()}


TABLE: tuple[Metric, ...] = (
    *_read(json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))),
    Metric("solutions", "solutions",
           "solutions found, including mirror images", less_is_better=None, kind=Kind.COUNTER),
    *_read(topic_metrics()),
)
METRICS = Members("metric", {metric.name: metric for metric in sorted(
    TABLE, key=lambda metric: [*Kind].index(metric.kind))})
