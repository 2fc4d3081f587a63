"""The contents of the report: the parts of all sections for which there are records."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.metrics import points
from nqbench.records.contradictions import WrongCount
from nqbench.records.record import SMALL
from nqbench.report.formats import plural
from nqbench.report.frames import Frames, read_context
from nqbench.report.sections import SECTIONS, Part, ordered

SAMPLES = "{samples}"  # in a caption: how many samples its times are medians of
SECONDS = "s"  # the unit of times that are medians of samples


@dataclass(frozen=True)
class Contents:
    """The contents of the page: the frames, and the parts made from them by section, in order."""

    frames: Frames
    parts: dict[str, Part]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of all sections."""
        return {name: table for part in self.parts.values() for name, table in part.tables.items()}

    @property
    def figures(self) -> dict[str, Callable[[], Figure]]:
        """The functions that draw the figures of all sections."""
        return {name: draw for part in self.parts.values() for name, draw in part.figures.items()}

    @property
    def captions(self) -> dict[str, str]:
        """The captions of the tables of all sections."""
        return {table: caption(
            part.captions.get(table, f"{SECTIONS[name].title}."),
            self.frames.main if part.records is None else part.records)
            for name, part in self.parts.items() for table in part.tables}

    @cached_property
    def sources(self) -> dict[str, dict[Any, Any]]:
        """The contexts of the runs that sections name, by section: those of other runs than the one
        at the top.
        """
        runs = {name: read_context(part.records) for name, part in self.parts.items()
                if SECTIONS[name].names_run and part.records is not None and len(part.records)}
        return {name: run for name, run in runs.items() if run["run"] != self.machine["run"]}

    @property
    def machine(self) -> dict[Any, Any]:
        """The context of the run named at the top."""
        return self.frames.machine

    @property
    def wrong(self) -> list[WrongCount]:
        """The counts that are wrong."""
        return self.frames.wrong


def contents(records: pd.DataFrame, history: pd.DataFrame, sha256: str = "") -> Contents:
    """Make the parts of all sections; `history` is what asv measured across commits, `sha256` the
    hash of the records. Raise what `Frames` raises.
    """
    frames = Frames(records, history, sha256)
    made = {section.name: section.part(frames) for section in ordered()}
    return Contents(frames, {name: part for name, part in made.items() if part is not None})


def caption(what: str, records: pd.DataFrame) -> str:
    """Return a caption: what the table shows, and the machines and commits of its records."""
    said = what.replace(SAMPLES, count_samples(records))
    return " ".join([said, *(f"Measured on {where}." for where in places(records))])


def count_samples(records: pd.DataFrame) -> str:
    """Return how many samples the times of records have, except for the smallest n.

    >>> records = pd.DataFrame({"metric": ["seconds"] * 2, "status": "measured", "n": 9,
    ...                         "samples": [[0.1, 0.2], [0.3]]})
    >>> count_samples(records), count_samples(records[1:])
    ('1 to 2 samples', '1 sample')
    """
    timed = records[records["metric"].isin(points(SECONDS)) & (records["status"] == "measured")]
    usual = timed[timed["n"] > SMALL]
    many = (usual if len(usual) else timed)["samples"].map(len)
    least, most = (int(many.min()), int(many.max())) if len(many) else (0, 0)
    return f"{f'{least} to ' if least < most else ''}{most} {plural(most, 'sample')}"


def places(records: pd.DataFrame) -> list[str]:
    """Return the machines that records were made on, each with its commits."""
    found = []
    for _, own in records.groupby("machine", sort=False):
        last = own.iloc[-1]
        commits = dict.fromkeys(
            f"{commit[:8]}{' (changed since)' if dirty is True else ''}"
            for commit, dirty in zip(own["commit"], own["dirty"], strict=True)
            if isinstance(commit, str))
        known = ", ".join(commits) or "unknown"
        cores = int(last["cores"])
        found.append(f"{last['processor']} with {cores} {plural(cores, 'core')}, commit {known}")
    return found
