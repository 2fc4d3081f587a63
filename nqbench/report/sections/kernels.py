"""What the kernels and threads of the counting engine gain."""

from dataclasses import dataclass

from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, taken

FEW = 6  # with fewer samples an interval is from the least to the most


@dataclass(frozen=True)
class Facts:
    """What the times were taken from; few: whether the intervals are from the least to the most."""

    taken: Taken
    few: bool


def build(frames: Frames) -> Part:
    """Return the kernels against Somers' program."""
    found = frames.kernels
    doubtful = bool(found["samples"].max() < FEW)
    return Part(Facts(taken(found), doubtful), {"kernels": found}, captions={
        "kernels": "The kernels of the counting engine against Somers' program: medians of "
                   "{samples}, with 95 % bootstrap intervals (low, high)."}, records=frames.engine)


SECTION = Section("kernels", "The engine", 130, build, requires=("kernels",), timed=True)
