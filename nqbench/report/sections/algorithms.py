"""The catalogue: the algorithms that are compared, and their sources."""

from collections.abc import Mapping

import pandas as pd

from nqbench.algorithms import catalogue
from nqbench.records.descriptions import Description, describe
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Part, Section

DIGITS = 12  # digits of the hash of a source


def build(frames: Frames) -> Part:
    """Return the whole catalogue, and the external algorithms that were measured."""
    outside = {**frames.deciding, **frames.descriptions}
    found = algorithms(outside)
    years = sorted(filter(None, found["year"]))
    return Part(tables={"algorithms": found}, records=UNMEASURED,
                captions={"algorithms": "The algorithms and their sources."},
                finding=f"{len(found)} algorithms, published from {years[0]} to {years[-1]}")


def algorithms(outside: Mapping[str, Description]) -> pd.DataFrame:
    """Return all algorithms: name, year, technique, symmetry, implementations, origin."""
    return pd.DataFrame([{
        "algorithm": each.name, "year": "" if each.year is None else str(each.year),
        "technique": each.technique, "symmetry": each.symmetry,
        "implementations": ", ".join(each.implementations), "origin": each.origin + (
            f"; SHA-256 {each.source[:DIGITS]}" if each.source else ""),
    } for each in (*map(describe, catalogue().values()), *outside.values())])


SECTION = Section("algorithms", "Algorithms", 30, build, named=False, chapter="The textbooks")
