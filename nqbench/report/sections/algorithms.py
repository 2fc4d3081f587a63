"""The catalogue: what is compared, and where each comes from."""

import pandas as pd

from nqbench.algorithms import catalogue
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Part, Section


def build(frames: Frames) -> Part:
    """Return the catalogue, whatever was measured."""
    return Part(tables={"algorithms": algorithms()}, records=UNMEASURED,
                captions={"algorithms": "The algorithms, and where they come from."})


def algorithms() -> pd.DataFrame:
    """Return the catalogue: name, year, technique, symmetry, implementations, origin."""
    return pd.DataFrame([{
        "algorithm": a.name, "year": "" if a.year is None else str(a.year),
        "technique": a.technique, "symmetry": a.symmetry,
        "implementations": ", ".join(a.implementations), "origin": a.origin,
    } for a in catalogue().values()])


SECTION = Section("algorithms", "Algorithms", 30, build, named=False)
