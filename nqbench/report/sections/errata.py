"""The faults of the published listings."""

from dataclasses import dataclass

import pandas as pd

from nqbench.reference import ERRATA
from nqbench.report.frames import Frames
from nqbench.report.sections import UNMEASURED, Part, Section


@dataclass(frozen=True)
class Facts:
    """The number of faults, and of listings that have them."""

    faults: int
    listings: int


def build(frames: Frames) -> Part:
    """Return the errata, which do not depend on the records."""
    listings = {name for erratum in ERRATA for name in erratum.listings}
    return Part(Facts(len(ERRATA), len(listings)), {"errata": errata()}, captions={
        "errata": "Faults of the published listings."}, records=UNMEASURED,
        finding=f"{len(listings)} published listings have {len(ERRATA)} faults")


def errata() -> pd.DataFrame:
    """Return the faults of the published listings."""
    return pd.DataFrame([{"listing": e.listing, "fault": e.fault, "shown": e.shown,
                          "right": e.right} for e in ERRATA])


SECTION = Section("errata", "Errata", 190, build, named=False, chapter="Trust")
