"""Merge files of records into one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nqbench._files import write_whole
from nqbench.errors import InvalidValueError
from nqbench.records.record import Record, parse, point_of, to_line

NAMED = 5  # damaged lines in one line of text


@dataclass(frozen=True)
class Merged:
    """The number of records in a merged file, and of dropped duplicates; `replaced` is the number
    of duplicates that differ from the record that replaces them.
    """

    records: int
    duplicates: int
    replaced: int


def merge(files: Sequence[Path], out: Path) -> Merged:
    """Write the records of several files to the new file `out`, completely or not at all.

    If two records are of the same point and process, the later one stays, as in reading
    (`nqbench.records.join`).

    Raises
    ------
    InvalidValueError
        if a line of a file is not a record of this schema, or if `out` exists.
    OSError
        if a file cannot be read, or `out` written.
    """
    if out.exists():
        raise InvalidValueError(f"{out} exists already, and is not replaced: choose another --out")
    found: dict[object, Record] = {}
    faults: list[str] = []
    read = replaced = 0
    for path in files:
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            record, fault = parse(line) if line.strip() else ({}, "")
            if fault:
                faults.append(f"{path}:{number} {fault}")
            if fault or not record:
                continue
            read += 1
            begun = record["status"] if record["metric"] == "study" else ""
            key = point_of(record), record.get("process", 0), begun
            replaced += key in found and found.pop(key) != record
            found[key] = record
    if faults:
        more = f"; and {len(faults) - NAMED} more lines" if len(faults) > NAMED else ""
        raise InvalidValueError(f"nothing was merged: {'; '.join(faults[:NAMED])}{more}")
    write_whole(out, "".join(map(to_line, found.values())))
    return Merged(len(found), read - len(found), replaced)
