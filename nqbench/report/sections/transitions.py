"""Where random instances of queens become unsolvable, and how hard they are there."""

from dataclasses import dataclass
from functools import partial

import pandas as pd

from nqbench import analysis
from nqbench._text import format_float, format_justified
from nqbench.instances.families import FAMILIES
from nqbench.report import plots
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section

ABOUT_HALF = 0.25, 0.75  # shares of instances with a solution


@dataclass(frozen=True)
class Finding:
    """The results of the instances of a family.

    name, amount, axis: those of the family; n: the largest n whose shares cross one half, None if
    there is none; half: its row in the table of these points; hardest, easiest: the largest and the
    smallest median of nodes for that n; at, share: the density of the hardest, and the share of its
    instances that have a solution; first: whether it is the least density.
    """

    name: str
    amount: str
    axis: str
    n: int | None = None
    half: pd.Series | None = None
    hardest: float = 0.0
    easiest: float = 0.0
    at: float = 0.0
    share: float = 0.0
    first: bool = False

    @property
    def near_half(self) -> bool:
        """Whether the hardest instances are those of which about half have a solution."""
        return self.hardest > self.easiest and ABOUT_HALF[0] <= self.share <= ABOUT_HALF[1]


@dataclass(frozen=True)
class Facts:
    """The findings, and the least and the largest number of instances for a point."""

    findings: list[Finding]
    instances: int
    most: int
    gave_up: int

    @property
    def finding(self) -> str:
        """Where the first family is hardest, if about half of these instances have a solution, or
        else where half of them have one; empty if no shares cross one half.
        """
        for each in self.findings:
            if each.near_half:
                return (f"Random boards of {each.n} queens are hardest at about "
                        f"{format_float(each.at)} {each.axis}")
            if each.half is not None:
                middle = format_justified(*each.half[["density", "low", "high"]])
                return (f"Half of the boards of {each.n} queens have a solution at {middle} "
                        f"{each.axis}")
        return ""

    @property
    def at_half(self) -> list[Finding]:
        """The families that are hardest where about half of the instances have a solution."""
        return [each for each in self.findings if each.near_half]


def build(frames: Frames) -> Part:
    """Return a figure for each family, the table of all points, and the table of the half points.
    """
    found = frames.transitions
    middles = analysis.half_points(found)
    families = list(found["family"].drop_duplicates())
    made = Facts([find(name, found, middles) for name in families], int(found["instances"].min()),
                 int(found["instances"].max()), int(found["gave_up"].sum()))
    return Part(
        made, {"transitions": found, "half_points": middles},
        {f"transition_{name}": partial(plots.transition, found[found["family"] == name])
         for name in families},
        {"transitions": "Random instances of queens: how many have a solution, and the nodes until "
                        "an instance is decided.",
         "half_points": "Where half of the random instances have a solution, with 95 % intervals."},
        frames.records[frames.records["metric"] == "transition"], made.finding)


def find(name: str, found: pd.DataFrame, middles: pd.DataFrame) -> Finding:
    """Return the finding of a family, at the largest n whose shares cross one half."""
    family = FAMILIES[name]
    crossing = middles[middles["family"] == name].sort_values("n")
    if crossing.empty:
        return Finding(name, family.amount, family.axis)
    half = crossing.iloc[-1]
    points = found[(found["family"] == name) & (found["n"] == half["n"])]
    hardest = points.loc[points["nodes"].astype(float).idxmax()]
    return Finding(name, family.amount, family.axis, int(half["n"]), half, hardest["nodes"],
                   points["nodes"].min(), hardest["density"], hardest["share"],
                   bool(hardest["density"] == points["density"].min()))


SECTION = Section("transitions", "Random instances", 85, build, requires=("transitions",),
                  chapter="What pruning saves")
