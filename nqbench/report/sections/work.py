"""The numbers of tests and comparisons."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench import analysis
from nqbench.report import plots
from nqbench.report.choices import by_scale
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section

SHOWN_N = 8  # the counters are shown for this n, or for the nearest measured, below it if possible


@dataclass(frozen=True)
class Facts:
    """The counters at one n; drawn: whether there is a figure, which needs both counters."""

    n: int
    drawn: bool
    counters: pd.DataFrame


def build(frames: Frames) -> Part | None:
    """Return the counters of the main run; None if no search in it prunes."""
    counters = frames.counters.dropna(axis=1, how="all")
    if analysis.pruning(counters).empty:
        return None
    n = max(filter(SHOWN_N.__ge__, counters["n"]), default=int(counters["n"].min()))
    drawn = {"tests", "comparisons"} <= set(counters) and bool(
        counters[["tests", "comparisons"]].any(axis=None))
    made = Facts(n, drawn, counters[counters["n"] == n].drop(columns="n"))
    return Part(made, {"counters": counters},
                {"work": by_scale(partial(plots.work, counters))} if drawn else {}, {
                    "counters": "Solutions, nodes, tests and comparisons of each search; exact."},
                finding=find(analysis.pruning(counters[counters["n"] == n])))


def find(counters: pd.DataFrame) -> str:
    """Return by how much the tests differ between equal trees at one n; empty if they do not."""
    nodes = counters["nodes"].mode()
    same = counters[counters["nodes"].isin(nodes[:1])]
    if "tests" not in same or not same["tests"].max() > same["tests"].min() > 0:
        return ""
    return (f"Searches of one tree differ by a factor of up to "
            f"{same['tests'].max() / same['tests'].min():.2g} in their tests")


SECTION = Section("work", "Tests and comparisons", 60, build, requires=("counters",),
                  chapter="Published algorithms")
