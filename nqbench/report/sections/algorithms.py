"""The catalogue: the algorithms that are compared, and their sources."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from nqbench.algorithms import PUBLISHED, catalogue
from nqbench.records.descriptions import Description, describe
from nqbench.report.formats import format_first
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Part, Section

DIGITS = 12  # digits of the hash of a source


@dataclass(frozen=True)
class Facts:
    """The number of algorithms, and of those that come from the documents of docs/sources.md."""

    number: int
    published: int

    @property
    def finding(self) -> str:
        """Both numbers."""
        return (f"{format_first(self.number)} algorithms: {self.published} from five documents, "
                f"{self.number - self.published} further ideas")


def build(frames: Frames) -> Part:
    """Return the whole catalogue, and the external algorithms that were measured."""
    outside = {**frames.deciding, **frames.descriptions}
    found = algorithms(outside)
    made = Facts(len(found), int(found["algorithm"].isin(PUBLISHED).sum()))
    return Part(made, tables={"algorithms": found}, records=UNMEASURED,
                captions={"algorithms": "The algorithms and their sources."},
                finding=made.finding)


def algorithms(outside: Mapping[str, Description]) -> pd.DataFrame:
    """Return all algorithms: name, year, technique, symmetry, implementations, origin."""
    return pd.DataFrame([{
        "algorithm": each.name, "year": "no date given" if each.year is None else str(each.year),
        "technique": each.technique, "symmetry": each.symmetry,
        "implementations": ", ".join(each.implementations), "origin": each.origin + (
            f"; SHA-256 {each.source[:DIGITS]}" if each.source else ""),
    } for each in (*map(describe, catalogue().values()), *outside.values())])


SECTION = Section("algorithms", "Algorithms", 30, build, named=False,
                  chapter="Published algorithms")
