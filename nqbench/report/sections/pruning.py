"""What pruning saves compared with the plain tree."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from nqbench import analysis
from nqbench.report import plots, style
from nqbench.report.choices import by_size
from nqbench.report.frames import Frames
from nqbench.report.sections import Part, Section
from nqbench.report.tables import Taken, at_largest_common


@dataclass(frozen=True)
class Facts:
    """The savings at n, most nodes first; costly: the algorithms that save nodes and lose time."""

    n: int
    saved: pd.DataFrame
    costly: list[str]
    taken: Taken

    @property
    def finding(self) -> str:
        """Whether fewer nodes take less time; empty if they always do."""
        return "Fewer nodes do not always take less time" if self.costly else ""


def build(frames: Frames) -> Part:
    """Return the gains of the run that is closest to pruning."""
    run = frames.pruning
    survival = analysis.survival(analysis.profiles(run.run))
    common = at_largest_common(run.gains)
    n = int(common["n"].iloc[0])
    sizes = run.gains["n"].unique()
    figures = {"gains": by_size(partial(_draw_savings, run.gains), sizes, n)}
    known = set(sizes) & set(survival["n"])
    if n in known:
        figures |= {name: by_size(partial(_draw_at, draw, survival), known, n) for name, draw in (
            ("profiles", plots.profile_curves), ("survival", plots.heat))}
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


def _draw_savings(gains: pd.DataFrame, n: int) -> Figure:
    """Draw the gains of all solvers at one n."""
    rows = gains[gains["n"] == n]
    names = list(map(style.solver, rows["algorithm"], rows["implementation"]))
    return plots.savings(rows, "the plain tree", names)


def _draw_at(draw: Callable[[pd.DataFrame], Figure], survival: pd.DataFrame, n: int) -> Figure:
    """Draw the trees of one n."""
    return draw(survival[survival["n"] == n])


SECTION = Section("pruning", "Pruning", 80, build, requires=("pruning",), names_run=True,
                  chapter="What pruning saves")
