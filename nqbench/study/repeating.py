"""Find what the later processes of a study repeat: the records of the first one."""

from collections.abc import Sequence
from typing import Any

from nqbench.records.record import Record


def of_first(records: Sequence[Record], metric: str, process: int, **fields: Any) -> list[Record]:
    """Return the records of the first process with these fields that a later `process` repeats.

    >>> first = {"metric": "seconds", "status": "measured", "n": 8, "processes": 2}
    >>> of_first([first], "seconds", 1, n=8) == [first], of_first([first], "seconds", 2)
    (True, [])
    """
    return [record for record in records
            if record["metric"] == metric and is_first(record, process)
            and all(record[name] == value for name, value in fields.items())]


def is_first(record: Record, process: int) -> bool:
    """Return whether a record is of the first process, and one that a later `process` repeats."""
    return bool(record["status"] == "measured" and record.get("process", 0) == 0
                and process < record.get("processes", 1))


def is_repeated(records: Sequence[Record], metric: str, process: int, **fields: Any) -> bool:
    """Return whether a later `process` has repeated all records with these fields."""
    found = [record for record in records
             if record["metric"] == metric and record.get("process") == process
             and all(record[name] == value for name, value in fields.items())]
    return len(found) >= len(of_first(records, metric, process, **fields))
