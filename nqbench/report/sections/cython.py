"""The cost of the language: the same algorithm in Python and in Cython."""

from dataclasses import dataclass

import pandas as pd

from nqbench.algorithms import Search, catalogue
from nqbench.analysis import ratios
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, gained

PEAK = 1.5  # times the largest ratio on large boards; a larger one on a small board is explained


@dataclass(frozen=True)
class Facts:
    """The ratios at the largest n of each algorithm, and those at and above the least of these n;
    peak: the row with the largest ratio, on a smaller board, None if it is not clearly larger.
    """

    largest: pd.DataFrame
    large: pd.DataFrame
    peak: pd.Series | None
    taken: Taken

    @property
    def typical(self) -> float:
        """The median of the ratios on the large boards."""
        return float(self.large["ratio"].median())

    @property
    def finding(self) -> str:
        """How much faster Cython is on large boards; empty if an algorithm is not significantly
        faster there.
        """
        if not (self.large["verdict"] == "faster").all():
            return ""
        least, most = self.large["n"].min(), self.large["n"].max()
        where = f"At {most} queens" if least == most else f"From {least} to {most} queens"
        return f"{where}, a search compiled by Cython is about {self.typical:.2g} times as fast"


def build(frames: Frames) -> Part | None:
    """Return the ratios of the main run; None if no algorithm was timed in both languages."""
    found = against_cython(frames.timings)
    if found.empty:
        return None
    made = facts(found, frames.taken)
    return Part(made, {"cython": found}, {"cython": lambda: plots.cython(frames.timings)}, {
                    "cython": "Time in Python over time in Cython: medians of {samples}, round by "
                    "round, with 95 % bootstrap intervals (low, high)."},
                finding=made.finding)


def facts(found: pd.DataFrame, taken: Taken) -> Facts:
    """Return the facts of the table of ratios."""
    largest = found.groupby("algorithm", sort=False).tail(1)
    large = found[found["n"] >= largest["n"].min()]
    peak = found.sort_values("ratio").iloc[-1]
    return Facts(largest, large, peak if peak["low"] > PEAK * large["high"].max() else None, taken)


def against_cython(timings: pd.DataFrame) -> pd.DataFrame:
    """Return the time in Python divided by the time in Cython: algorithm, n, ratio, low, high,
    verdict.
    """
    compared = [ratios(timings, (name, "python"), (name, "cython")).assign(algorithm=name)
                for name, a in catalogue().items() if isinstance(a, Search) and a.core]
    found = pd.concat([each for each in compared if len(each)] or compared, ignore_index=True)
    return gained(found[["algorithm", "n", "ratio", "low", "high", "chance"]], "ratio")


SECTION = Section("cython", "Python and Cython", 120, build, requires=("timings",),
                  chapter="How fast")
