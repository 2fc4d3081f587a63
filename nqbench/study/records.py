"""Records: what was measured, one JSON object a line, appended to files in results/.

Fields, schema 1:
    schema          1
    run             the start of the run (UTC), the same in all its records
    preset          which plan the run follows
    time            when this was measured (UTC)
    context         where: see `nqbench.study.context`
    algorithm, implementation, n
    metric, unit    `seconds` of the plain build, or a counter of `nqbench.tally`
    status          `measured`, or `left out`: predicted to exceed the budget
    samples         what was measured, in the order of the rounds; one for a counter
    loops           searches timed together in one sample (metric `seconds`)
    predicted       seconds predicted for one search before it was measured, null if
                    nothing was known yet
Checks of published values have the metric `check` and, for these, the fields
sequence, expected, got, answered_by.

Sample i of two points of the same run and n were taken in the same round, one
shortly after the other: ratios are taken round by round.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from nqbench.algorithms import NAMES

SCHEMA = 1
Record = dict[str, Any]

_REQUIRED = {
    "run": str, "time": str, "context": dict, "metric": str, "status": str, "n": int,
    "samples": list,
}


def append(path: Path, records: Iterable[Record]) -> None:
    """Append records, each as a whole line, and see them onto the disk.

    A line that an earlier run could not finish is closed first, so that it alone
    is lost.
    """
    lines = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    if not lines:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                lines = "\n" + lines
        file.write(lines.encode())
        file.flush()
        os.fsync(file.fileno())


def read(folder: Path, warn: Callable[[str], None]) -> Iterator[Record]:
    """Yield the records of all `*.jsonl` files of a folder, in the order of their names.

    `warn` is called with a line that names file and line for whatever is damaged,
    foreign or of a newer schema; the rest is used.
    """
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                fault = _fault(record)
            except ValueError:
                fault = "is not JSON"
            if fault:
                warn(f"{path}:{number}: {fault}; the line is passed over")
            else:
                yield record


def _fault(record: object) -> str | None:
    """Say what keeps a parsed line from being a record."""
    if not isinstance(record, dict) or "schema" not in record:
        return "is not a record of nqbench"
    if record["schema"] != SCHEMA:
        return f"has schema {record['schema']!r}, this nqbench reads {SCHEMA}"
    for name, kind in _REQUIRED.items():
        if not isinstance(record.get(name), kind):
            return f"has no valid field {name!r}"
    if record["metric"] != "check" and record.get("algorithm") not in NAMES:
        return f"speaks of algorithm {record.get('algorithm')!r}, which is not in the catalogue"
    return None
