"""Merge files of records into one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nqbench.errors import InvalidValueError
from nqbench.records.contradictions import WrongCount, contradictions
from nqbench.records.record import LONGEST, Record, join, parse, point_of, to_line
from nqbench.util.files import naming, read_lines, require_target, write_whole

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
        if a line of a file is not a record of this schema, if a record of one file would replace
        a wrong count of another one, or if `out` exists.
    OSError
        if a file cannot be read, or `out` written.
    """
    require_target(out, new=True)
    found: dict[object, Record] = {}
    faults: list[str] = []
    wrong: list[WrongCount] = []
    read = replaced = 0
    for path in files:
        own: list[Record] = []
        for place, record, fault in _read(path):
            if fault:
                faults.append(f"{place} {fault}")
            else:
                own.append(record)
        for record in own:
            begun = record["status"] if record["metric"] == "study" else ""
            key = point_of(record), record.get("process", 0), begun
            replaced += key in found and found.pop(key) != record
            found[key] = record
        read += len(own)
        wrong += contradictions(join(own, lambda _: None))  # other files may have the first process
    if faults:
        more = f"; and {len(faults) - NAMED} more lines" if len(faults) > NAMED else ""
        raise InvalidValueError(f"nothing was merged: {'; '.join(faults[:NAMED])}{more}")
    lost = _lost(wrong, contradictions(join(found.values())))
    if lost:
        raise InvalidValueError(f"nothing was merged: {lost[0]} in one file, and another file has "
                                "a later record of the same point without this fault")
    write_whole(out, "".join(map(to_line, found.values())), new=True)
    return Merged(len(found), read - len(found), replaced)


def _lost(wrong: Sequence[WrongCount], left: Sequence[WrongCount]) -> list[WrongCount]:
    """Return the wrong counts of searches that are not wrong any more."""
    known = {(one.run, one.machine, search) for one in left for search in one.searches}
    return [one for one in wrong if not any(
        (one.run, one.machine, search) in known for search in one.searches)]


def _read(path: Path) -> Iterator[tuple[str, Record, str]]:
    """Yield the place of each line that is not empty, its record, and why it is invalid."""
    with naming(path), path.open("rb") as file:
        for number, line in enumerate(read_lines(file, LONGEST), 1):
            if line.strip():
                yield f"{path}:{number}", *parse(line)
            if len(line) > LONGEST:  # it may never end
                return
