"""Manage the files of a results folder: one for each run, locked against a second study.

A run is written to `PRESET-TIME-MACHINE.jsonl`, a name that no other run has, so files of several
machines can be put into one folder. The published records are in `results/`, and those of a user in
its subfolder `local`, which git ignores; `publish` moves a run from there.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from nqbench.errors import InvalidValueError
from nqbench.records.record import LOCAL, Record, read_file

with suppress(ImportError):  # Windows: folders are not locked there
    import fcntl


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
    if os.name != "posix":
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise InvalidValueError(
            f"another study is writing to {folder}: wait for it, since two at once slow each "
            "other down") from None
    try:
        yield
    finally:
        os.close(handle)


def runs(folder: Path) -> Iterator[tuple[Path, list[Record]]]:
    """Yield each run of a folder with its file, the oldest first; damaged lines are skipped."""
    found: dict[tuple[str, Path], list[Record]] = {}
    for path in folder.glob("*.jsonl"):
        for record in read_file(path, lambda line: None):
            found.setdefault((record["run"], path), []).append(record)
    for (_, path), records in sorted(found.items(), key=lambda item: item[0]):
        yield path, records


def publish(results: Path, run: str | None = None) -> Path:
    """Move the file of a run from `results/local` to `results`, and return its new path.

    `run` is the name of the file, or the beginning of the time at which the run started; by
    default the newest run.

    Raises
    ------
    InvalidValueError
        if there is no such run, or more than one, or if its file is there already.
    OSError
        if the file cannot be moved.
    """
    known = list(runs(results / LOCAL))
    chosen = [(path, records) for path, records in known
              if run is None or path.name == run or records[0]["run"].startswith(run)]
    if not chosen:
        names = ", ".join(path.name for path, _ in known) or "no runs"
        raise InvalidValueError(
            f"there is no run {run!r} in {results / LOCAL}: it holds {names}" if run else
            f"there is no run in {results / LOCAL} to publish: run `nqbench study` first")
    if run is not None and len({path for path, _ in chosen}) > 1:
        raise InvalidValueError(
            f"{run!r} matches several runs: {', '.join(path.name for path, _ in chosen)}")
    path = chosen[-1][0]
    target = results / path.name
    try:
        os.link(path, target)  # unlike a move, never replaces a file
    except FileExistsError:
        raise InvalidValueError(f"{target} exists already, and is not replaced") from None
    path.unlink()
    return target
