"""Records: the measurements, one JSON object per line, in the files of a results folder.

`record.json` beside this file is the schema: the fields that all have, and what they mean; the
`topic.json` of a topic has those of its metrics. A record is the time, a counter, or a prediction
("left out") of a solver and an n, or what an experiment of a topic measures.

Times are taken in several processes, one after the other, and each process writes its own records.
`frame` joins the records of a point: its samples are ordered by process, with the same number from
each. Sample i of two points of the same run and n were taken in the same round of the same process,
one shortly after the other: ratios are taken round by round.
"""

import hashlib
import json
import os
import reprlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nqbench.errors import InvalidValueError
from nqbench.problems import PROBLEMS
from nqbench.search.metrics import METRICS, Kind, of_record, topic_metrics
from nqbench.util.clocks import WALL
from nqbench.util.files import LARGE, naming, parse_json, read_lines
from nqbench.util.text import printable

ABOUT = ("study", "algorithm")  # metrics of records that say what was measured, not how much
CUSTOM = "custom"  # the name of a study that is described by options
PLAIN_SEARCH = "bitmask"  # the search without symmetry that the others are compared with
FEWEST = 3  # processes, or samples of the only process, that have an interval
SMALL = 4  # up to here every point is measured, so there is always a report
LARGEST_ESTIMATE = 30


if TYPE_CHECKING:
    import pandas

SCHEMA = 1
EACH = "wall", "processor", "waited", "losses", "place"  # fields with a value for each sample
TOTALS: dict[str, Callable[..., Any]] = {"repeated": sum, "disturbed": sum, "load": max}  # by field
LOCAL = "local"  # the subfolder of a user's own records
SHOWN_FAULT = 500  # characters of what is wrong
WHOLE = ("n", "process", "processes")  # fields that count something
OWN_IMPLEMENTATIONS = ("python", "cython")  # the implementations of an algorithm of the catalogue
Record = dict[str, Any]

# The fields that identify a point.
_KEY = ["machine", "run", "metric", "algorithm", "implementation", "kernel", "jobs", "n",
        *(name for told in topic_metrics().values() for name in told.get("key", ()))]
_COLUMNS = [*_KEY, "processes", "label", "reason", "cost", "allowed", "preset", "time", "unit",
            "definition", "status", "samples", "loops", "predicted", "fault", "source", "study",
            "description", "recordings", "first", "parameters",
            *dict.fromkeys(name for told in topic_metrics().values() for part in (
                told["record"], told["record"].get("then", {}), told["record"].get("else", {}))
                for name in part.get("properties", ()))]


class Samples(list[Any]):
    """The samples of a point, ordered by process, with the same number from each of the
    `processes`. Of those by the processor's clock, `wall` are the seconds that passed; so many were
    `disturbed`.

    >>> Samples([0.1, 0.2, 0.3, 0.4], processes=2).processes
    2
    """

    def __init__(self, samples: Iterable[Any] = (), processes: int = 1,
                 wall: Sequence[float] | None = None, disturbed: int = 0) -> None:
        super().__init__(samples)
        self.processes, self.wall, self.disturbed = processes, wall, disturbed


def wall_of(record: Record) -> list[float]:
    """Return the seconds that passed for one search in each sample of a record.

    >>> wall_of({"samples": [1.0], "wall": [1.2]}), wall_of({"samples": [1.0], "clock": "wall"})
    ([1.2], [1.0])
    """
    found: list[float] = record["wall"] if "wall" in record else record["samples"]
    return found


def append(path: Path, records: Iterable[Record]) -> None:
    """Append records, each as a complete line, and flush them to disk.

    An incomplete last line of an earlier run gets its newline first, so that only
    that record is lost.

    Raises
    ------
    OSError
        naming the file, if it cannot be written.
    """
    lines = "".join(map(to_line, records))
    if not lines:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                lines = "\n" + lines
        file.write(lines.encode())
        file.flush()
        os.fsync(file.fileno())


def read(folder: Path, warn: Callable[[str], None] = warnings.warn) -> Iterator[Record]:
    """Yield the records of all `*.jsonl` files of a folder, in the order of their names.

    `warn` is called with a line for each file that has damaged or foreign lines, or lines of a
    newer schema: it names the first and says how many there are. The rest is used.
    """
    for path in sorted(folder.glob("*.jsonl")):
        yield from read_file(path, warn)


def read_file(path: Path, warn: Callable[[str], None] = warnings.warn) -> Iterator[Record]:
    """Yield the records of one file; see `read`."""
    if not path.is_file():
        warn(f"{path}: is not a file; it is skipped")
        return
    faults = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(read_lines(file, LARGE), 1):
                record, fault = parse(line) if line.strip() else ({}, "")
                if fault:
                    faults.append((number, fault))
                elif record:
                    yield record
    except OSError as error:
        warn(f"{path}: cannot be read and is skipped ({error.strerror})")
    if len(faults) == 1:
        warn(f"{path}:{faults[0][0]}: {faults[0][1]}; the line is skipped")
    elif faults:
        warn(f"{path}:{faults[0][0]}: {faults[0][1]}; this line and {len(faults) - 1:,} more are "
             "skipped")


def to_frame(points: Iterable[Record]) -> "pandas.DataFrame":
    """Return joined records as a DataFrame; see `nqbench.records.frame`."""
    import pandas

    found = pandas.DataFrame([{**point["context"], **point} for point in points], dtype=object)
    for name in _COLUMNS:
        if name not in found:
            found[name] = None
    found["n"] = found["n"].astype(int)
    return add_parameters(found.drop(columns=["context", "process"], errors="ignore"))


def add_parameters(rows: "pandas.DataFrame") -> "pandas.DataFrame":
    """Return rows with a column for each parameter in their column `parameters`; no value where an
    algorithm does not have it. An underscore follows a name that another column has.

    >>> import pandas
    >>> add_parameters(pandas.DataFrame({"n": [8, 8], "parameters": [{"n": 2}, None]}))["n_"][0]
    2
    """
    import pandas

    given = [each if isinstance(each, dict) else {} for each in rows["parameters"]]
    return rows.assign(**{
        name if name not in rows else f"{name}_": pandas.Series(
            [each.get(name) for each in given], rows.index, dtype=object)
        for name in dict.fromkeys(name for each in given for name in each)})


def join(records: Iterable[Record], warn: Callable[[str], None] = warnings.warn) -> list[Record]:
    """Join the records of each point, one for each process. If a process has two, the later one
    counts; if a process has no times, the point has none. What is known is not compared here, but
    by `nqbench.records.contradictions.judge`.

    Samples without the record of the first process, which alone says what was counted, are skipped;
    `warn` is called with a line that names the first such point and says how many there are.
    """
    found: dict[tuple[Any, ...], dict[int, Record]] = {}
    for record in records:
        key = point_of(record)
        processes = found.setdefault(key, {})
        if record.get("process", 0) in processes:
            found[key] = found.pop(key)
        processes[record.get("process", 0)] = record
    points: list[Record] = []
    lost: list[Record] = []
    for processes in found.values():
        point = _join([processes[number] for number in sorted(processes)])
        (lost if point["samples"] and 0 not in processes else points).append(point)
    if lost:
        first, more = lost[0], f" and {len(lost) - 1:,} more" if len(lost) > 1 else ""
        warn(f"run {first['run']}: {first['metric']} of {first.get('algorithm', 'a peer')} at "
             f"n = {first['n']} has no record of the first process; this point{more} "
             f"{'are' if more else 'is'} skipped")
    return points


def point_of(record: Record) -> tuple[Any, ...]:
    """Return what the records of one point have in common in all processes."""
    return (record["context"]["machine"], *(record.get(name) for name in _KEY[1:]))


def count_points(records: Iterable[Record]) -> int:
    """Return the number of points; each process counts separately."""
    return len({(point_of(record), record.get("process", 0)) for record in records})


def to_line(record: Record) -> str:
    """Return a record as a line of a file."""
    return json.dumps(record, separators=(",", ":")) + "\n"


def digest(records: Iterable[Record]) -> str:
    """Return the SHA-256 of the canonical lines of records: with sorted keys and without spaces,
    each line once, sorted. So neither the files nor their order matter.

    >>> digest([{"n": 8, "a": 1}, {"n": 9}]) == digest([{"n": 9}, {"a": 1, "n": 8}, {"n": 9}])
    True
    """
    lines = {json.dumps(record, sort_keys=True, separators=(",", ":")) + "\n" for record in records}
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def _join(rows: list[Record]) -> Record:
    failed = [row for row in rows if not row["samples"]]
    if failed:
        return {**failed[-1], "processes": 1}
    first, each = rows[0], min(len(row["samples"]) for row in rows)  # as many of each process
    samples = [sample for row in rows for sample in row["samples"][:each]]
    totals: Record = {name: of([row.get(name) or 0 for row in rows]) for name, of in TOTALS.items()
                      if first.get(name) is not None}
    joined = {name: [one for row in rows for one in row.get(name, ())[:each]]
              for name in EACH if name in first}
    if len({row.get("clock", WALL) for row in rows}) > 1:  # one clock did not tell in a process
        samples = [one for row in rows for one in wall_of(row)[:each]]
        joined.pop("wall", None)
        first = {**first, "clock": WALL}
    return {**first, **joined, **totals, "processes": len(rows),
            "samples": Samples(samples, len(rows), joined.get("wall"), totals.get("disturbed", 0))}


def parse(line: bytes) -> tuple[Record, str]:
    """Return a record, and why it is invalid; empty if it is valid."""
    from fastjsonschema import JsonSchemaValueException

    if len(line) > LARGE:
        return {}, f"has more than {LARGE:,} bytes"
    try:
        record = parse_json(line)
    except InvalidValueError:
        return {}, "is not JSON"
    if not isinstance(record, dict) or "schema" not in record:
        return {}, "is not a record of nqbench"
    if record["schema"] != SCHEMA:
        return {}, f"has schema {reprlib.repr(record['schema'])}, this nqbench reads {SCHEMA}"
    metric, own = record.get("metric"), "definition" in record
    if isinstance(metric, str) and (metric in METRICS if own else metric not in METRICS):
        return {}, f"metric {reprlib.repr(metric)} " + (
            "is no counter of one algorithm alone" if own else
            "is not known")
    form: Any = record
    if own and all(isinstance(record.get(name), str) for name in ("metric", "unit", "definition")):
        metric = "levels" if of_record(record).by_level else "nodes"
        form = {**record, "metric": metric}
    try:
        for validate in (_compile(metric if isinstance(metric, str) else ""), _compile(None)):
            validate(form)
    except JsonSchemaValueException as error:
        return {}, printable(error.message.removeprefix("data."))[:SHOWN_FAULT]
    unit = of_record(record).unit
    fault = _mistyped(record) or _foreign(record) or ("" if record.get("unit", unit) == unit else (
        f"unit must be {unit!r}, not {reprlib.repr(record['unit'])}"))
    if fault:
        return {}, fault
    told = topic_metrics().get(record["metric"], {})
    levels = ([sample[told["levels"]] for sample in record["samples"]] if "levels" in told else
              record["samples"] if of_record(record).by_level else [])
    if any(len(found) != record["n"] + 1 for found in levels):
        return {}, f"{record['metric']} must be {record['n'] + 1} levels"
    for name in (*EACH, *told.get("each", ())):
        if record["samples"] and name in record and len(record[name]) != len(record["samples"]):
            return {}, f"{name} must be as many as the samples"
    return record, ""


def _mistyped(record: Record) -> str:
    """Return what is wrong with a field of a point; the schema accepts 8.0 for 8, and anything in
    the fields of other metrics.
    """
    wrong = [name for name in (*_KEY[1:], *WHOLE) if isinstance(
        record.get(name), list | dict | float if name in WHOLE else list | dict)]
    return f"{wrong[0]} must be {'integer' if wrong[0] in WHOLE else 'one value'}" if wrong else ""


def _foreign(record: Record) -> str:
    """Return the unknown name in a record: a problem, an algorithm or an implementation."""
    problem = record.get("problem", "queens")
    if problem not in PROBLEMS:
        return f"problem {reprlib.repr(problem)} is not here"
    if "algorithm" not in record:
        return ""
    name = str(record["algorithm"]).partition(":")[0]  # the values of parameters follow
    # an external algorithm, which another record describes
    if "source" in record and record["metric"] != "rate":
        return "" if name not in PROBLEMS[problem].catalogue else (
            f"algorithm {reprlib.repr(name)} is in the catalogue, and has no source")
    if (record["metric"], record.get("implementation")) == ("rate", "process"):
        return ""  # a program, whose name is its command
    if name not in PROBLEMS[problem].catalogue:
        return f"algorithm {reprlib.repr(record['algorithm'])} is not in the catalogue"
    implementation = record.get("implementation", OWN_IMPLEMENTATIONS[0])
    return "" if implementation in OWN_IMPLEMENTATIONS else (
        f"implementation must be one of {', '.join(OWN_IMPLEMENTATIONS)}, not "
        f"{reprlib.repr(implementation)}")


def _metrics_of(case: dict[str, Any]) -> list[str]:
    """Return the metrics that a case of the schema is about."""
    about: dict[str, Any] = case["if"]["properties"]["metric"]
    return about["enum"] if "enum" in about else [about["const"]]


@cache
def _compile(metric: str | None) -> Callable[[Record], Record]:
    """Return the validator for the cases of the schema that are about a metric; for None, that of
    everything except the cases. Checking all cases would take most of the time of reading.
    """
    import fastjsonschema

    part = schema()
    cases = part.pop("allOf")
    if metric is not None:
        part = {"definitions": part["definitions"],
                "allOf": [case["then"] for case in cases if metric in _metrics_of(case)]}
    compiled: Callable[[Record], Record] = fastjsonschema.compile(part)
    return compiled


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a record: `record.json` with the names of the metrics."""
    text = files("nqbench.records").joinpath("record.json").read_text("utf-8")
    of_search = [metric for metric in METRICS.values() if metric.kind in (Kind.TIME, Kind.COUNTER)]
    for name, chosen in {
        "metric": METRICS.values(),
        "of_search": of_search,
        "time": [metric for metric in of_search if metric.kind == Kind.TIME],
        "processor": [metric for metric in METRICS.values() if metric.kind == Kind.PROCESSOR],
        "by_level": [metric for metric in of_search if metric.by_level],
        "fraction": [metric for metric in of_search if not metric.whole],
    }.items():  # in place, because a reference costs a call for each record
        text = text.replace(f'{{"$ref": "#/definitions/{name}"}}',
                            json.dumps({"enum": [metric.name for metric in chosen]}))
    found: dict[str, Any] = json.loads(text)
    found["allOf"] += [{"if": {"properties": {"metric": {"const": name}}}, "then": told["record"]}
                       for name, told in topic_metrics().items()]
    return found
