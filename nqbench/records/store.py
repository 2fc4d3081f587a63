"""Manage the files of a results folder: one for each run, locked against a second study.

A run is written to `PRESET-TIME-MACHINE.jsonl`, a name that no other run has, so files of several
machines can be put into one folder. The published records are in `results/`, and those of a user in
its subfolder `local`, which git ignores; `runs.publish` moves a run from there.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from nqbench.util import files


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
