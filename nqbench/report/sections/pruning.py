"""What pruning saves against the plain tree."""

from dataclasses import dataclass

import pandas as pd

from nqbench import analysis
from nqbench.report import plots, style
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, at_largest_common


@dataclass(frozen=True)
class Facts:
    """What was saved at n, most nodes first; costly: who saves nodes and loses time."""

    n: int
    saved: pd.DataFrame
    costly: list[str]
    taken: Taken

    @property
    def finding(self) -> str:
        """Whether fewer nodes are less time; empty if they always are."""
        return "Fewer nodes are not always less time" if self.costly else ""


def build(frames: Frames) -> Part:
    """Return the gains of the run that is closest to pruning."""
    run = frames.pruning
    survival = analysis.survival(analysis.profiles(run.run))
    common = at_largest_common(run.gains)
    n = int(common["n"].iloc[0])
    figures = {"gains": lambda: plots.savings(common, "the plain tree", list(map(
        style.solver, common["algorithm"], common["implementation"])))}
    cut = survival[survival["n"] == n]
    if len(cut):
        figures |= {"profiles": lambda: plots.profile_curves(cut),
                    "survival": lambda: plots.heat(cut)}
    saved = common.sort_values("nodes", ascending=False, kind="stable")
    costly = saved[(saved["nodes"] > 1) & (saved["high"] < 1)]["algorithm"]
    made = Facts(n, saved.drop(columns="n").dropna(axis="columns", how="all"),
                 [name for name in costly if not frames.descriptions[name].uses_symmetry],
                 run.taken)
    return Part(
        made, {"gains": run.gains, "survival": survival,
         "shapes": analysis.shapes(run.counters, run.timings)}, figures, {
            "gains": "Times fewer nodes and less time than the plain tree in Python: medians of "
                     "{samples}, with 95 % bootstrap intervals (low, high).",
            "survival": "Nodes, dead ends and children of a node by level; exact.",
            "shapes": "The shape of the trees: branching factor, and what a node takes.",
        }, run.run, made.finding)


SECTION = Section("pruning", "Pruning", 80, build, requires=("pruning",),
                  chapter="What pruning saves")
