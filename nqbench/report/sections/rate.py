"""The nodes per second of each solver."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench._text import format_justified
from nqbench.analysis import POINT, pruning
from nqbench.report import plots
from nqbench.report.choices import by_scale
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken

MILLION = 1e6


@dataclass(frozen=True)
class Facts:
    """The samples of the times."""

    taken: Taken


def build(frames: Frames) -> Part | None:
    """Return the rates of the main run; None if no search in it was both counted and timed."""
    found = rates(frames.counters, frames.timings)
    if found.empty:
        return None
    figures = {"rate": by_scale(partial(plots.rate, found))}
    return Part(Facts(frames.taken), {"rates": found}, figures, {
        "rates": "Nodes per second at the largest n of each solver: medians of {samples}, "
                 "with 95 % bootstrap intervals (low, high)."},
        finding=find(found))


def rates(counters: pd.DataFrame, timings: pd.DataFrame) -> pd.DataFrame:
    """Return nodes per second (median, low, high) at the largest n of each pruning solver."""
    both = pruning(counters.merge(timings, on=POINT))
    both = both.sort_values("n").groupby(["algorithm", "implementation"], sort=False).tail(1)
    nodes = both["nodes"].astype(float)
    found = both[[*POINT, "nodes"]].copy()
    found["nodes_per_second"] = nodes / both["median"]
    found["low"] = nodes / both["high"]
    found["high"] = nodes / both["low"]
    return found.sort_values("nodes_per_second", ascending=False).reset_index(drop=True)


def find(found: pd.DataFrame) -> str:
    """Return the least and the largest rate."""
    slowest, fastest = (_in_words(*found[["nodes_per_second", "low", "high"]].iloc[place])
                        for place in (-1, 0))
    return f"From {slowest} to {fastest} nodes per second"


def _in_words(rate: float, low: float, high: float) -> str:
    """Return a rate with the digits that its interval justifies, a large one in millions."""
    if rate < MILLION:
        return format_justified(rate, low, high)
    return f"{format_justified(rate / MILLION, low / MILLION, high / MILLION)} million"


SECTION = Section("rate", "Nodes per second", 125, build, requires=("counters", "timings"),
                  chapter="How fast")
