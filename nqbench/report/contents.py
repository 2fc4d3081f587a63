"""The contents of the report: the parts of all sections for which there are records."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from nqbench.records.contradictions import WrongCount
from nqbench.report.captions import caption
from nqbench.report.frames import Frames, read_context
from nqbench.report.sections import SECTIONS, Part, ordered


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
