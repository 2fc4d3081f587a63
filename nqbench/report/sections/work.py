"""How much is tested and compared."""

from dataclasses import dataclass

import pandas as pd

from nqbench import analysis
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section

SHOWN_N = 8  # the counters are shown for this n, or for the largest measured below it


@dataclass(frozen=True)
class Facts:
    """The counters at one n; drawn: whether the figure is, for which both were measured."""

    n: int
    drawn: bool
    counters: pd.DataFrame


def build(frames: Frames) -> Part | None:
    """Return the counters of the main run; None if no search in it prunes."""
    counters = frames.counters.dropna(axis=1, how="all")
    if analysis.pruning(counters).empty:
        return None
    n = int(counters[counters["n"] <= SHOWN_N]["n"].max())
    drawn = {"tests", "comparisons"} <= set(counters) and bool(
        counters[["tests", "comparisons"]].any(axis=None))
    return Part(Facts(n, drawn, counters[counters["n"] == n].drop(columns="n")),
                {"counters": counters}, {"work": lambda: plots.work(counters)} if drawn else {}, {
                    "counters": "Solutions, nodes, tests and comparisons of each search; exact."})


SECTION = Section("work", "Tests and comparisons", 60, build, requires=("counters",))
