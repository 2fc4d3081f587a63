"""What the kernels and threads of the counting engine gain."""

from dataclasses import dataclass

import pandas as pd

from nqbench._text import format_justified
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, taken

FEW = 6  # with fewer samples, an interval is from the smallest to the largest


@dataclass(frozen=True)
class Facts:
    """The samples of the times; few: whether the intervals are from the smallest to the largest
    sample.
    """

    taken: Taken
    few: bool


def find(found: pd.DataFrame) -> str:
    """Return how much faster the fastest kernel is on one core, at the largest n; empty if it is
    not significantly faster.
    """
    alone = found[(found["n"] == found["n"].max()) & (found["jobs"] == 1)]
    best = alone.sort_values("ratio", ascending=False).head(1)
    if not (best["low"] > 1).any():
        return ""
    times = format_justified(*best[["ratio", "low", "high"]].iloc[0])
    return f"On one core the engine counts {times} times as fast as Somers' program"


def build(frames: Frames) -> Part:
    """Return the kernels against Somers' program."""
    found = frames.kernels
    doubtful = bool(found["samples"].max() < FEW)
    return Part(Facts(taken(found), doubtful), {"kernels": found}, captions={
        "kernels": "The kernels of the counting engine against Somers' program: medians of "
                   "{samples}, with 95 % bootstrap intervals (low, high)."}, records=frames.engine,
        finding=find(found))


SECTION = Section("kernels", "The engine", 130, build, requires=("kernels",), timed=True,
                  names_run=True, chapter="How fast")
