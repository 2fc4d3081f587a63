"""Manage the files of a results folder: one for each run, locked against a second study; and merge
files of records into one.

A run is written to `PRESET-TIME-MACHINE.jsonl`, a name that no other run has, so files of several
machines can be put into one folder. The published records are in `results/`, and those of a user in
its subfolder `local`, which git ignores; `runs.publish` moves a run from there.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nqbench.errors import InvalidValueError
from nqbench.records.contradictions import WrongCount, contradictions
from nqbench.records.record import LONGEST, Record, join, parse, point_of, read_file, to_line
from nqbench.util import files
from nqbench.util.files import naming, read_lines, require_target, write_whole


def begin(folder: Path, preset: str, started: str, machine: str) -> Path:
    """Create the file of a new run, and return its path.

    Raises
    ------
    OSError
        if the folder cannot be written.
    """
    when = datetime.fromisoformat(started).strftime("%Y%m%dT%H%M%SZ")
    name = f"{preset}-{when}-{machine}"
    number = 1
    while True:
        path = folder / (f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")
        try:
            path.open("xb").close()
        except FileExistsError:
            number += 1
        else:
            return path


@contextmanager
def remove_if_empty(path: Path) -> Iterator[None]:
    """Remove the file of a run at the end if nothing was written to it."""
    try:
        yield
    finally:
        with suppress(FileNotFoundError):  # somebody removed it meanwhile
            if not path.stat().st_size:
                path.unlink()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Create a results folder and lock it against other studies: two studies at once would slow
    down and spoil each other.

    Raises
    ------
    InvalidValueError
        if another study is writing there.
    OSError
        if the folder cannot be created or read.
    """
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    with files.locked(folder, f"another study is writing to {folder}: wait for it, since two at "
                      "once slow each other down"):
        yield


def runs(folder: Path) -> Iterator[tuple[Path, list[Record]]]:
    """Yield each run of a folder with its file, the oldest first; damaged lines are skipped."""
    found: dict[tuple[str, Path], list[Record]] = {}
    for path in folder.glob("*.jsonl"):
        for record in read_file(path, lambda line: None):
            found.setdefault((record["run"], path), []).append(record)
    for (_, path), records in sorted(found.items(), key=lambda item: item[0]):
        yield path, records


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
