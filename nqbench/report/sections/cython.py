"""The cost of the language: the same algorithm in Python and in Cython."""

from dataclasses import dataclass

import pandas as pd

from nqbench.algorithms import Search, catalogue
from nqbench.analysis import ratios
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, gained


@dataclass(frozen=True)
class Facts:
    """The ratios at the largest n of each algorithm."""

    largest: pd.DataFrame
    taken: Taken

    @property
    def finding(self) -> str:
        """How much faster Cython is; empty if an algorithm is not significantly faster."""
        if not (self.largest["verdict"] == "faster").all():
            return ""
        low, high = (f"{number:.2g}" for number in (
            self.largest["low"].min(), self.largest["high"].max()))
        return f"Compiled by Cython, the same search is {low} to {high} times as fast"


def build(frames: Frames) -> Part | None:
    """Return the ratios of the main run; None if no algorithm was timed in both languages."""
    found = against_cython(frames.timings)
    if found.empty:
        return None
    made = Facts(found.groupby("algorithm", sort=False).tail(1), frames.taken)
    return Part(made, {"cython": found}, {"cython": lambda: plots.cython(frames.timings)}, {
                    "cython": "Time in Python over time in Cython: medians of {samples}, round by "
                    "round, with 95 % bootstrap intervals (low, high)."},
                finding=made.finding)


def against_cython(timings: pd.DataFrame) -> pd.DataFrame:
    """Return the time in Python divided by the time in Cython: algorithm, n, ratio, low, high,
    verdict.
    """
    found = pd.concat([
        ratios(timings, (name, "python"), (name, "cython")).assign(algorithm=name)
        for name, a in catalogue().items() if isinstance(a, Search) and a.core
    ])[["algorithm", "n", "ratio", "low", "high", "chance"]].reset_index(drop=True)
    return gained(found, "ratio")


SECTION = Section("cython", "Python and Cython", 120, build, requires=("timings",),
                  chapter="How fast")
