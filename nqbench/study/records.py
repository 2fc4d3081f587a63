"""Records: what was measured, one JSON object a line, appended to files in results/.

`record.json` beside this file is the schema: every field and what it means. A record
is the time, a counter, or a prediction ("left out") of one algorithm, implementation
and n, the check of a published value, an estimate of the plain tree from random probes,
the rate of a solver of Sudoku on a set of puzzles, or the time of a peer.

Sample i of two points of the same run and n were taken in the same round, one
shortly after the other: ratios are taken round by round.
"""

import json
import os
import reprlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nqbench.algorithms import NAMES
from nqbench.sudoku import algorithms as sudoku
from nqbench.tally import BY_LEVEL

if TYPE_CHECKING:
    import pandas

SCHEMA = 1
DIGITS = 300
Record = dict[str, Any]

# What tells one record from the others; of two that agree in it the later counts.
_KEY = ["machine", "run", "metric", "algorithm", "implementation", "kernel", "jobs", "n",
        "sequence", "method", "data_set", "peer", "task_seconds", "failures"]
_COLUMNS = [*_KEY, "preset", "time", "unit", "status", "samples", "loops", "predicted",
            "expected", "got", "answered_by", "probes", "seed", "puzzles", "nodes", "guesses",
            "solutions", "slowest", "sha12", "nodes_allowed", "package", "version", "fault",
            "workers", "tasks", "dispatch"]


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


def read(folder: Path, warn: Callable[[str], None] = warnings.warn) -> Iterator[Record]:
    """Yield the records of all `*.jsonl` files of a folder, in the order of their names.

    `warn` is called with a line that names file and line for whatever is damaged,
    foreign or of a newer schema; the rest is used.
    """
    for path in sorted(folder.glob("*.jsonl")):
        if not path.is_file():
            warn(f"{path}: is no file and passed over")
            continue
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            warn(f"{path}: cannot be read and is passed over ({error.strerror})")
            continue
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            record, fault = _parsed(line)
            if fault:
                warn(f"{path}:{number}: {fault}; the line is passed over")
            else:
                yield record


def frame(records: Iterable[Record]) -> "pandas.DataFrame":
    """Return records as a DataFrame, one row a record, the context spread out.

    Sequences' values can exceed 64 bits and levels are lists: those columns hold
    Python objects.
    """
    import pandas

    rows = [{**record, **record["context"]} for record in records]
    found = pandas.DataFrame(rows, dtype=object)
    for name in _COLUMNS:
        if name not in found:
            found[name] = None
    found["n"] = found["n"].astype(int)
    return found.drop(columns="context", errors="ignore").drop_duplicates(_KEY, keep="last")


def _parsed(line: bytes) -> tuple[Record, str]:
    """Return a record and what keeps it from being one, if anything does."""
    from fastjsonschema import JsonSchemaValueException

    try:
        record = json.loads(line, parse_constant=_no_number, parse_float=_finite,
                            parse_int=_whole)
    except (ValueError, RecursionError):
        return {}, "is not JSON"
    if not isinstance(record, dict) or "schema" not in record:
        return {}, "is not a record of nqbench"
    if record["schema"] != SCHEMA:
        return {}, f"has schema {reprlib.repr(record['schema'])}, this nqbench reads {SCHEMA}"
    try:
        _validator()(record)
    except JsonSchemaValueException as error:
        return {}, error.message.removeprefix("data.")
    name = record.get("algorithm", NAMES[0])
    if record["metric"] == "rate":  # of Sudoku, where a choice may stand behind a colon
        foreign = name.partition(":")[0] not in sudoku.NAMES
    else:
        foreign = name not in NAMES
    if foreign:
        return {}, f"algorithm {reprlib.repr(record['algorithm'])} is not in the catalogue"
    levels = [s["levels"] if record["metric"] == "estimate" else s for s in record["samples"]
              if record["metric"] in (*BY_LEVEL, "estimate")]
    if any(len(found) != record["n"] + 1 for found in levels):
        return {}, f"{record['metric']} must be {record['n'] + 1} levels"
    return record, ""


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _no_number(digits)


def _whole(digits: str) -> int:
    """Far above all that is counted, and small enough for a float."""
    return int(digits) if len(digits) < DIGITS else int(_no_number(digits))


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not JSON")


@cache
def _validator() -> Callable[[Record], Record]:
    import fastjsonschema

    schema = json.loads(files("nqbench.study").joinpath("record.json").read_text("utf-8"))
    compiled: Callable[[Record], Record] = fastjsonschema.compile(schema)
    return compiled
