"""Runs: the records that one call of a study wrote, and their properties.

A run is identified by the time at which it began and by its machine. Its records may be in several
files, and a file may contain several runs. It is written to `PRESET-TIME-MACHINE.jsonl`, a name
that no other run has, so files of several machines can be put into one folder. The published
records are in `results/`, and those of a user in its subfolder `local`, which git ignores.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from nqbench.errors import InvalidValueError
from nqbench.problems import SolverKey
from nqbench.records.descriptions import Descriptions, read_descriptions
from nqbench.records.record import ABOUT, LOCAL, Record, count_points, read_file
from nqbench.util import files
from nqbench.util.text import printable, some, unknown
from nqbench.util.versions import explain_absence, find_revision

COMPLETE, INTERRUPTED, UNKNOWN = "complete", "interrupted", "unknown"
ID_DIGITS = 4  # digits that identify a commit or a machine
NAMED_RUNS = 5  # runs in one line of text
Located = tuple[Path, Record]
Place = tuple[Any, ...]  # of a point in a comparison: the values of these fields
PLACE = ["algorithm", "implementation", "kernel", "jobs", "n"]


@dataclass
class Run:
    """The records of one run, in the order in which they were read, and their files.

    Attributes
    ----------
    started
        when it began (UTC); this is the name of the run, which may be shortened.
    machine
        where it ran: the identity of an installation.
    """

    started: str
    machine: str
    files: list[Path] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The time at which it began, to the second."""
        return self.started[:19]

    @property
    def preset(self) -> str | None:
        """The preset that it follows; None if there is none."""
        found: str | None = self.records[0].get("preset")
        return found

    @property
    def context(self) -> dict[str, Any]:
        """Where its last record was measured: see `nqbench.records.context`."""
        found: dict[str, Any] = self.records[-1]["context"]
        return found

    @property
    def label(self) -> str | None:
        """The label that its user gave the machine."""
        found: str | None = self.context.get("label")
        return found

    @property
    def commit(self) -> str | None:
        """The commit that it measured; None outside a clone."""
        found: str | None = self.context["commit"]
        return found

    @property
    def sizes(self) -> tuple[int, int]:
        """The smallest and the largest n."""
        found = [record["n"] for record in self.records if record["metric"] not in ABOUT] or [0]
        return min(found), max(found)

    @property
    def solvers(self) -> list[str]:
        """The algorithms with their implementations, in the order of their records."""
        return list(dict.fromkeys(
            f"{record['algorithm']} ({record['implementation']})"
            for record in self.records if "implementation" in record))

    @property
    def algorithms(self) -> list[str]:
        """The algorithms, in the order of their records."""
        return list(dict.fromkeys(
            record["algorithm"] for record in self.records if "algorithm" in record))

    @property
    def study(self) -> dict[str, Any] | None:
        """What it measures, as the keys of a study file; None if it is no study."""
        return find_study(self.records)

    @property
    def outside(self) -> Descriptions:
        """The external algorithms that it measured."""
        return read_descriptions(self.records)

    @property
    def state(self) -> str:
        """Whether the run is "complete" or "interrupted"; "unknown" if its records cannot tell."""
        about = [record for record in self.records if record["metric"] == "study"]
        if not about:
            return UNKNOWN
        points = count_points(record for record in self.records if record["metric"] not in ABOUT)
        return COMPLETE if any(record["status"] == COMPLETE and record.get("points") == points
                               for record in about) else INTERRUPTED


def describe(place: Place) -> str:
    """Return the solver of a point in words.

    >>> describe(("cross", "cython", "avx2", 1, 14)), describe(("bitmask", "python", None, 1, 8))
    ('cross (cython, avx2, 1 thread)', 'bitmask (python)')
    """
    return str(SolverKey(*place[:4]))


def locate(results: str | Path, published: bool = False,
           warn: Callable[[str], None] = warnings.warn) -> Iterator[Located]:
    """Return the records of a folder and of its subfolder `local`, or only the `published` ones of
    the folder itself, each with its file.

    `warn` is called with a line for each file with damaged or foreign lines.

    Raises
    ------
    InvalidValueError
        if there is no such folder.
    """
    folder = Path(results)
    if not folder.is_dir():
        raise InvalidValueError(
            f"there is no folder {str(results)!r} with results: run `nqbench study` first")
    folders = (folder,) if published else (folder, folder / LOCAL)
    return ((path, record) for each in folders for path in sorted(each.glob("*.jsonl"))
            for record in read_file(path, warn))


def find_study(records: Iterable[Record]) -> dict[str, Any] | None:
    """Return what the study of these records measures, as the keys of a study file; None if they
    are of no study.

    >>> find_study([{"metric": "study", "study": {"n": "6-8"}}, {"metric": "seconds"}])
    {'n': '6-8'}
    """
    return next((record["study"] for record in reversed([*records])
                 if record["metric"] == "study" and isinstance(record.get("study"), dict)), None)


def group(found: Iterable[Located]) -> list[Run]:
    """Return the runs of records with their files, the oldest first."""
    runs: dict[tuple[str, str], Run] = {}
    for path, record in found:
        key = record["run"], record["context"]["machine"]
        run = runs.setdefault(key, Run(*key))
        run.records.append(record)
        if path not in run.files:
            run.files.append(path)
    return [runs[key] for key in sorted(runs)]


def read_quietly(folder: Path) -> list[Run]:
    """Return the runs of one folder, the oldest first; damaged lines are skipped."""
    return group(locate(folder, True, lambda line: None))


def find_run(runs: Sequence[Run], name: str) -> Run:
    """Return a run by the beginning of the time at which it began, or by its file.

    Raises
    ------
    InvalidValueError
        if there is no such run, or more than one.
    """
    found = named(runs, name)
    if not found:
        raise InvalidValueError(_unknown_run(runs, "run", name))
    if len(found) > 1:
        raise InvalidValueError(f"{name!r} matches several runs: " + some(
            [f"{run.name} ({run.preset}, {run.machine})" for run in found], NAMED_RUNS))
    return found[0]


def named(runs: Iterable[Run], name: str) -> list[Run]:
    """Return the runs whose time begins with this text, or whose file has this name."""
    return [run for run in runs if name and (
        run.started.startswith(name) or name in [path.name for path in run.files])]


def at_machine(runs: Iterable[Run], name: str) -> list[Run]:
    """Return the runs with this label, or on the machine whose identity begins with this text."""
    return [run for run in runs if name and (run.label == name or (
        len(name) >= ID_DIGITS and run.machine.startswith(name)))]


def find_sides(a: str | Path, b: str | Path, results: str | Path = "results") -> list[list[Run]]:
    """Return the runs of each of two files, folders, runs, labels, machines, commits, or revisions
    of this package that git knows, whose source was not changed.

    Raises
    ------
    InvalidValueError
        if there are no such records, or if those of one side are of several machines.
    """
    read = cache(lambda: group(locate(results)))
    return [_find_side(name, read) for name in (a, b)]


def _find_side(name: str | Path, read: Callable[[], list[Run]]) -> list[Run]:
    path, word = Path(name), str(name)
    if word and path.is_dir():
        found = group(locate(path))
    elif word and path.is_file():
        found = group((path, record) for record in read_file(path))
    else:
        runs = read()
        found = ([find_run(runs, word)] if named(runs, word)
                 else at_machine(runs, word) or [
                     run for run in runs if len(word) >= ID_DIGITS
                     and (run.commit or "").startswith(word)] or [
                     run for known in [find_revision(word)] if known for run in runs
                     if (run.commit, run.context["dirty"]) == (known.archived, False)])
        if not found:
            raise InvalidValueError(_unknown_run(runs, "file, run, label or commit", word)
                                    + explain_absence())
    machines = sorted({run.machine for run in found})
    if not found:
        raise InvalidValueError(f"{word} has no records")
    if len(machines) > 1:
        raise InvalidValueError(f"{word} has the records of {len(machines)} machines "
                                f"({', '.join(machines)}): name a run or a label of one of them")
    return found


def select(runs: Sequence[Run], names: Sequence[str] = (),
           machines: Sequence[str] = ()) -> list[Run]:
    """Return the runs of these names and of these machines (labels, or the beginning of their
    identities); no names, or no machines: all.

    Raises
    ------
    InvalidValueError
        if there is no such run or machine, or if no run fits both.
    """
    chosen = [find_run(runs, name) for name in names] if names else list(runs)
    for name in machines:
        if not at_machine(runs, name):
            known = filter(None, chain.from_iterable((run.label, run.machine) for run in runs))
            raise InvalidValueError(unknown("machine", name, dict.fromkeys(map(printable, known))))
    here = [run for run in runs if run in chosen and (
        not machines or any(at_machine([run], name) for name in machines))]
    if chosen and not here:
        raise InvalidValueError(
            f"none of these runs is of {' or '.join(machines)}: "
            + ", ".join(f"{run.name} ({run.label or run.machine})" for run in chosen))
    return here


def begin(folder: Path, preset: str, started: str, machine: str) -> Path:
    """Create the file of a new run, and return its path.

    Raises
    ------
    OSError
        if the folder cannot be written.
    """
    name = f"{preset}-{datetime.fromisoformat(started):%Y%m%dT%H%M%SZ}-{machine}"
    number = 1
    while True:
        path = folder / (f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")
        with suppress(FileExistsError):
            path.open("xb").close()
            return path
        number += 1


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


def _unknown_run(runs: Sequence[Run], what: str, name: str) -> str:
    """Return the message for an unknown name, with the nearest names."""
    if not runs:
        return f"there is no {what} {name!r}, nor any run: run `nqbench study` first"
    known = dict.fromkeys(chain.from_iterable(
        (run.name, *(path.name for path in run.files), run.label, run.machine,
         (run.commit or "")[:8]) for run in runs))
    text = unknown(what, name, filter(None, known))
    return text if "did you mean" in text else (
        f"there is no {what} {name!r}; the newest run is {runs[-1].name}, and "
        "`nqbench results list` shows all")
